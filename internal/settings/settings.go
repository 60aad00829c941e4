package settings

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"locator"
	"locator/internal/console"
	"locator/policy"
	"locator/scheme"
)

// Settings holds the values of the flags that verbs share. Register makes the flags, and Load reads
// the other sources of their values.
type Settings struct {
	All    *pflag.FlagSet // each verb takes those that it uses
	Getenv func(string) string
	Ask    func(ctx context.Context, question string, hidden bool) (answer string, ok bool, err error) // on the terminal
	Warn   func(text string)

	console.Verbosity
	MaxTime  time.Duration
	Agent    string // User-Agent without --user-agent
	Mail     string
	User     string
	SMTP     []string
	Outbox   string
	KeepSent int
	// LocalFiles lets Options allow local files with --addresses public. The caller decides which.
	LocalFiles bool
	// CancelSecret is the first line of --cancel-secret-file. Options reads it.
	CancelSecret string

	given      []string       // the flags on the command line
	verb       *pflag.FlagSet // those that the verb takes
	syntax     string
	timeout    time.Duration
	config     string
	allowPorts []int
	addresses  string
	allowNets  []string
	denyNets   []string
	netrc      bool
	netrcFile  string

	// configuredUser reports whether user comes from the configuration file; then netrc is asked
	// first.
	configuredUser bool
	passwordFile   string
	hostLogins     map[string]hostLogin // of the configuration file
	tls            string
	caCert         string
	cert, key      string
	insecure       bool
	ipv4, ipv6     bool
	header         []string
	headerAll      []string
	userAgent      string
	charset        string
	accept         []string
	languages      []string
	proxyEnv       bool
	gateways       []string
	newsServers    []string
	sendmail       []string

	cancelSecretFile string
}

// Register makes the flags.
func (f *Settings) Register() {
	f.All = pflag.NewFlagSet("", pflag.ContinueOnError)
	s := f.All
	s.SortFlags = false
	s.StringVar(&f.syntax, "syntax", "", "grammar for URLs: rfc1738 or current (default rfc1738 for parse, current otherwise)")
	s.BoolVar(&f.JSON, "json", false, "print one JSON object per URL or entry")
	s.BoolVarP(&f.Quiet, "quiet", "q", false, "print no messages, and no output of parse and explain; only set the exit status")
	s.BoolVarP(&f.Verbose, "verbose", "v", false, "say what happens: the address, TLS, the resource, the time")
	s.BoolVar(&f.Trace, "trace", false, "print the dialogue with the server to standard error; passwords are masked")
	f.timeout = scheme.Limits{}.WithDefaults().Idle
	s.Var((*Duration)(&f.timeout), "timeout", "give up after this long without data: seconds, or a duration such as 2m")
	s.Var((*Duration)(&f.MaxTime), "max-time", "give up after this long in total (0: no limit)")
	s.StringVar(&f.config, "config", "", "configuration file (default $XDG_CONFIG_HOME/locator/config.toml)")
	s.IntSliceVar(&f.allowPorts, "allow-port", nil, "allow this port for any scheme (repeatable)")
	s.StringVar(&f.addresses, "addresses", "any", "addresses to allow: any or public")
	s.StringSliceVar(&f.allowNets, "allow-net", nil, "treat this network or address as public, such as 10.20.0.0/16 (repeatable)")
	s.StringSliceVar(&f.denyNets, "deny-net", nil, "refuse this network or address (repeatable)")
	s.BoolVar(&f.netrc, "netrc", false, "read logins from ~/.netrc")
	s.StringVar(&f.netrcFile, "netrc-file", "", "read logins from this file")
	s.StringVar(&f.User, "user", "", "user name for servers that require a login; the password is prompted for or read from --password-file (user:password works, but is visible to others)")
	s.StringVar(&f.passwordFile, "password-file", "", "file with the password in its first line: for --user, or for the user in the URL of --smtp or --news-server")
	s.StringVar(&f.tls, "tls", "", "TLS for protocols that can switch to it: off, try or require (default off for anonymous access; before a password is sent, try for ftp, require for nntp and smtp)")
	s.StringVar(&f.caCert, "cacert", "", "PEM file of trusted certificate authorities, instead of the system's")
	s.StringVar(&f.cert, "cert", "", "PEM file with your certificate for servers that require one, and its private key unless --key names that")
	s.StringVar(&f.key, "key", "", "PEM file with the private key of --cert")
	s.BoolVar(&f.insecure, "insecure", false, "do not verify certificates")
	s.BoolVarP(&f.ipv4, "ipv4", "4", false, "IPv4 only")
	s.BoolVarP(&f.ipv6, "ipv6", "6", false, "IPv6 only")
	s.StringArrayVar(&f.header, "header", nil, "add an http header line, \"Name: value\", for the servers of the URLs (repeatable)")
	s.StringArrayVar(&f.headerAll, "header-all", nil, "like --header, also for servers that redirects lead to (repeatable)")
	s.StringVar(&f.userAgent, "user-agent", "", "User-Agent to send to http servers")
	s.StringVar(&f.Mail, "mail", "", "your mail address: the author of mails and articles, and the password of anonymous ftp (default there locator@)")
	s.StringVar(&f.charset, "charset", "", "character set of the response, overriding the server's, or of a telnet session")
	s.StringSliceVar(&f.accept, "accept", nil, "preferred media types, best first")
	s.StringSliceVar(&f.languages, "accept-language", nil, "preferred languages, best first")
	s.StringSliceVar(&f.newsServers, "news-server", nil, "news server for news URLs, which name none: host, host:port or news://host, snews:// for TLS (repeatable, tried in order; default $NNTPSERVER)")
	s.StringSliceVar(&f.SMTP, "smtp", nil, "server that mail is sent through: host, smtp://user@host or, for TLS from the first byte, smtps://user@host")
	s.StringArrayVar(&f.sendmail, "sendmail", nil, "command that sends mail if there is no --smtp, such as /usr/sbin/sendmail; blanks separate its words, and the recipients are added after --")
	s.StringVar(&f.Outbox, "outbox", "", "folder for mail that waits to be sent (default $XDG_STATE_HOME/locator/outbox)")
	s.IntVar(&f.KeepSent, "keep-sent", 7, "days that sent mail stays in the outbox (-1: until it is dropped)")
	s.StringVar(&f.cancelSecretFile, "cancel-secret-file", "", "file with a secret in its first line, which signs your articles so that servers believe your cancel messages (RFC 8315)")
	s.BoolVar(&f.proxyEnv, "proxy-env", false, "use the proxies in http_proxy, https_proxy, ftp_proxy, all_proxy, no_proxy and the like")
	s.StringArrayVar(&f.gateways, "gateway", nil, "access the URLs of a scheme through an http gateway or proxy, SCHEME=URL, such as wais=http://gateway.example/get?url={url} (repeatable)")
}

func (f *Settings) check() error {
	for _, w := range []struct {
		flag, value string
		words       []string
	}{
		{"syntax", f.syntax, []string{"", "rfc1738", "current"}},
		{"addresses", f.addresses, []string{"any", "public"}},
		{"tls", f.tls, []string{"", "off", "try", "require"}},
	} {
		if !slices.Contains(w.words, w.value) {
			return scheme.Fail(scheme.CodeUsage, "--%s %q: must be %s", w.flag, w.value, OneOf(w.words))
		}
	}
	for flag, list := range map[string][]string{"allow-net": f.allowNets, "deny-net": f.denyNets} {
		if _, err := parseNets(list); err != nil {
			return scheme.Fail(scheme.CodeUsage, "--%s %w", flag, err)
		}
	}
	for _, p := range f.allowPorts {
		if p < 1 || p > 65535 {
			return scheme.Fail(scheme.CodeUsage, "--allow-port %d: must be from 1 to 65535", p)
		}
	}
	if _, err := parseGateways(f.gateways); err != nil {
		return err
	}
	if f.timeout <= 0 || f.MaxTime < 0 {
		return scheme.Fail(scheme.CodeUsage, "--timeout and --max-time must be positive, such as 30s")
	}
	if f.ipv4 && f.ipv6 {
		return scheme.Fail(scheme.CodeUsage, "-4 and -6 cannot be used together")
	}
	for _, line := range slices.Concat(f.header, f.headerAll) {
		name, _, ok := strings.Cut(line, ":")
		if !ok || strings.TrimSpace(name) == "" || strings.ContainsAny(line, "\r\n\x00") {
			return scheme.Fail(scheme.CodeUsage, "--header and --header-all: must be \"Name: value\" on one line")
		}
	}
	return nil
}

// Parser returns the parser that --syntax selects, or the default of the verb.
func (f *Settings) Parser(def *locator.Parser) *locator.Parser {
	switch f.syntax {
	case "rfc1738":
		return locator.RFC1738
	case "current":
		return locator.Current
	}
	return def
}

// Policy returns the policy that the flags describe.
func (f *Settings) Policy() *policy.Standard {
	// Redirects from https to http are followed, as browsers do; logins are not sent along.
	o := policy.Options{AllowDowngrade: true}
	for _, p := range f.allowPorts {
		o.AllowPorts = append(o.AllowPorts, uint16(p))
	}
	if f.addresses == "public" {
		o.Addresses = policy.PublicOnly
	}
	o.AllowNets, _ = parseNets(f.allowNets) // check has reported errors
	o.DenyNets, _ = parseNets(f.denyNets)
	return policy.New(o)
}

// LimitsAddresses reports whether the flags say which addresses are allowed.
func (f *Settings) LimitsAddresses() bool {
	return f.addresses != "any" || f.allowNets != nil || f.denyNets != nil
}

// parseNets parses networks such as 10.0.0.0/8, and addresses.
func parseNets(texts []string) (nets []netip.Prefix, err error) {
	for _, text := range texts {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			var a netip.Addr
			if a, err = netip.ParseAddr(text); err == nil {
				p, err = a.WithZone("").Prefix(a.BitLen())
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%q: must be a network such as 10.20.0.0/16, or an address", text)
		}
		nets = append(nets, p)
	}
	return nets, nil
}

// Given reports whether a flag is on the command line.
func (f *Settings) Given(flag string) bool { return slices.Contains(f.given, flag) }

// IsSet reports whether a shared flag is on the command line or in the environment, not only in the
// configuration file.
func (f *Settings) IsSet(flag string) bool {
	return f.Given(flag) || f.Getenv(environmentName(flag)) != ""
}

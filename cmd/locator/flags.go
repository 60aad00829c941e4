package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"locator"
	"locator/client"
	"locator/policy"
	"locator/scheme"
	"locator/scheme/all"
)

// flags holds the flags that verbs share.
type flags struct {
	all    *pflag.FlagSet // each verb takes those that it uses
	syntax string
	verbosity
	timeout    time.Duration
	maxTime    time.Duration
	config     string
	allowPorts []int
	addresses  string
	allowNets  []string
	denyNets   []string
	netrc      bool
	netrcFile  string
	user       string
	// configuredUser reports whether user comes from the configuration file; then netrc is asked first.
	configuredUser bool
	passwordFile   string
	logins         map[string]hostLogin // of the configuration file
	tls            string
	caCert         string
	cert, key      string
	insecure       bool
	ipv4, ipv6     bool
	header         []string
	headerAll      []string
	userAgent      string
	mail           string
	charset        string
	accept         []string
	languages      []string
	proxyEnv       bool
	gateways       []string
	newsServers    []string
	smtp           []string
	sendmail       []string
	outbox         string
	keepSent       int

	cancelSecretFile string
	cancelSecret     string // its first line
}

// The groups of shared flags that verbs take.
const (
	baseFlags    = "quiet verbose config "
	readFlags    = baseFlags + "json syntax "
	runFlags     = "trace timeout max-time "
	policyFlags  = "allow-port addresses allow-net deny-net "
	changeFlags  = readFlags + runFlags + policyFlags + "netrc netrc-file user password-file tls cacert cert key insecure ipv4 ipv6 header header-all user-agent mail proxy-env gateway news-server smtp sendmail "
	contentFlags = changeFlags + "charset accept accept-language "
	secretFlags  = "cancel-secret-file "
	outboxFlags  = "outbox keep-sent "
)

// add adds shared flags to those of a verb.
func (f *flags) add(verb *cobra.Command, names string) {
	for name := range strings.FieldsSeq(names) {
		verb.Flags().AddFlag(f.all.Lookup(name))
	}
}

func (f *flags) register() {
	f.all = pflag.NewFlagSet("", pflag.ContinueOnError)
	s := f.all
	s.SortFlags = false
	s.StringVar(&f.syntax, "syntax", "", "grammar for URLs: rfc1738 or current (default rfc1738 for parse, current otherwise)")
	s.BoolVar(&f.json, "json", false, "print one JSON object per URL or entry")
	s.BoolVarP(&f.quiet, "quiet", "q", false, "print no messages, and no output of parse and explain; only set the exit status")
	s.BoolVarP(&f.verbose, "verbose", "v", false, "say what happens: the address, TLS, the resource, the time")
	s.BoolVar(&f.trace, "trace", false, "print the dialogue with the server to standard error; passwords are masked")
	f.timeout = scheme.DefaultIdle
	s.Var((*duration)(&f.timeout), "timeout", "give up after this long without data: seconds, or a duration such as 2m")
	s.Var((*duration)(&f.maxTime), "max-time", "give up after this long in total (0: no limit)")
	s.StringVar(&f.config, "config", "", "configuration file (default $XDG_CONFIG_HOME/locator/config.toml)")
	s.IntSliceVar(&f.allowPorts, "allow-port", nil, "allow this port for any scheme (repeatable)")
	s.StringVar(&f.addresses, "addresses", "any", "addresses to allow: any or public")
	s.StringSliceVar(&f.allowNets, "allow-net", nil, "treat this network or address as public, such as 10.20.0.0/16 (repeatable)")
	s.StringSliceVar(&f.denyNets, "deny-net", nil, "refuse this network or address (repeatable)")
	s.BoolVar(&f.netrc, "netrc", false, "read logins from ~/.netrc")
	s.StringVar(&f.netrcFile, "netrc-file", "", "read logins from this file")
	s.StringVar(&f.user, "user", "", "user name for servers that require a login; the password is prompted for or read from --password-file (user:password works, but is visible to others)")
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
	s.StringVar(&f.mail, "mail", "", "your mail address: the author of mails and articles, and the password of anonymous ftp (default there locator@)")
	s.StringVar(&f.charset, "charset", "", "character set of the response, overriding the server's, or of a telnet session")
	s.StringSliceVar(&f.accept, "accept", nil, "preferred media types, best first")
	s.StringSliceVar(&f.languages, "accept-language", nil, "preferred languages, best first")
	s.StringSliceVar(&f.newsServers, "news-server", nil, "news server for news URLs, which name none: host, host:port or news://host, snews:// for TLS (repeatable, tried in order; default $NNTPSERVER)")
	s.StringSliceVar(&f.smtp, "smtp", nil, "server that mail is sent through: host, smtp://user@host or, for TLS from the first byte, smtps://user@host")
	s.StringArrayVar(&f.sendmail, "sendmail", nil, "command that sends mail if there is no --smtp, such as /usr/sbin/sendmail; blanks separate its words, and the recipients are added after --")
	s.StringVar(&f.outbox, "outbox", "", "folder for mail that waits to be sent (default $XDG_STATE_HOME/locator/outbox)")
	s.IntVar(&f.keepSent, "keep-sent", 7, "days that sent mail stays in the outbox (-1: until it is dropped)")
	s.StringVar(&f.cancelSecretFile, "cancel-secret-file", "", "file with a secret in its first line, which signs your articles so that servers believe your cancel messages (RFC 8315)")
	s.BoolVar(&f.proxyEnv, "proxy-env", false, "use the proxies in http_proxy, https_proxy, ftp_proxy, all_proxy, no_proxy and the like")
	s.StringArrayVar(&f.gateways, "gateway", nil, "access the URLs of a scheme through an http gateway or proxy, SCHEME=URL, such as wais=http://gateway.example/get?url={url} (repeatable)")
}

func (f *flags) check() error {
	for _, w := range []struct {
		flag, value string
		words       []string
	}{
		{"syntax", f.syntax, []string{"", "rfc1738", "current"}},
		{"addresses", f.addresses, []string{"any", "public"}},
		{"tls", f.tls, []string{"", "off", "try", "require"}},
	} {
		if !slices.Contains(w.words, w.value) {
			return scheme.Fail(scheme.CodeUsage, "--%s %q: must be %s", w.flag, w.value, oneOf(w.words))
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
	if f.timeout <= 0 || f.maxTime < 0 {
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

// parser returns the parser that --syntax selects, or the default of the verb.
func (f *flags) parser(def *locator.Parser) *locator.Parser {
	switch f.syntax {
	case "rfc1738":
		return locator.RFC1738
	case "current":
		return locator.Current
	}
	return def
}

// policy returns the policy that the flags describe.
func (f *flags) policy() *policy.Standard {
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

// limitsAddresses reports whether the flags say which addresses are allowed.
func (f *flags) limitsAddresses() bool {
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

// client returns a client that the flags describe. A command for mail that the user names wins over the server of the configuration file.
func (a *app) client() (*client.Client, error) {
	if a.isSet("sendmail") && !a.isSet("smtp") {
		return a.clientWith(nil)
	}
	return a.clientWith(a.flags.smtp)
}

// clientWith is client with other servers for mail.
func (a *app) clientWith(smtp []string) (*client.Client, error) {
	f := &a.flags
	o := client.Options{
		Registry:  all.Registry(),
		Syntax:    f.parser(locator.Current),
		Policy:    f.policy(),
		Limits:    scheme.Limits{Idle: f.timeout},
		Trace:     a.trace(),
		TLSMode:   map[string]scheme.TLSMode{"off": scheme.TLSOff, "try": scheme.TLSTry, "require": scheme.TLSRequire}[f.tls],
		Mail:      f.mail,
		UserAgent: f.userAgent,
		Header:    f.header,
		HeaderAll: f.headerAll,
		Note:      func(u locator.URL, text string) { a.note("%s: %s", u.Redacted(), text) },
	}
	o.RequireTLS = o.TLSMode == scheme.TLSRequire && slices.Contains(a.given, "tls")
	if o.UserAgent == "" {
		o.UserAgent = "locator/" + readBuild().String()
	}
	if f.ipv4 {
		o.Family = 4
	} else if f.ipv6 {
		o.Family = 6
	}
	if name, err := os.Hostname(); err == nil {
		o.Hostnames = []string{name}
	}
	var err error
	texts := f.serverTexts(smtp, a.Getenv)
	if o.Servers, err = serversFor(o.Registry, texts); err != nil {
		return nil, err
	}
	for kind, name := range map[scheme.ServerKind]string{scheme.NewsServer: "news-server", scheme.MailServer: "smtp"} {
		if !a.isSet(name) { // it is of the configuration file
			delete(texts, kind)
		}
	}
	named, err := serversFor(o.Registry, texts)
	if err != nil {
		return nil, err
	}
	if f.cancelSecretFile != "" && a.uses("cancel-secret-file") {
		if f.cancelSecret, err = a.readPassword(f.cancelSecretFile); err == nil && f.cancelSecret == "" {
			err = errors.New("the first line is empty")
		}
		if err != nil {
			return nil, scheme.Fail(scheme.CodeLocal, "--cancel-secret-file: %w", err)
		}
		o.CancelSecret = f.cancelSecret
	}
	if o.Sendmail, err = f.mailCommand(); err != nil {
		return nil, err
	}
	if o.TLS, err = f.tlsConfig(); err != nil {
		return nil, err
	}
	if o.TLS.Certificates, err = a.clientCertificate(); err != nil {
		return nil, err
	}
	if f.verbose {
		a.verboseTLS(o.TLS)
	}
	if o.Logins, err = a.logins(named); err != nil {
		return nil, err
	}
	if f.proxyEnv {
		if o.Proxy, err = client.ProxyFromEnvironment(a.Getenv); err != nil {
			return nil, err
		}
	}
	if o.Via, err = parseGateways(f.gateways); err != nil {
		return nil, err
	}
	return client.New(o), nil
}

// serverTexts returns the servers that are set, as written. Those of smtp are for mail.
func (f *flags) serverTexts(smtp []string, getenv func(string) string) map[scheme.ServerKind][]string {
	texts := map[scheme.ServerKind][]string{scheme.NewsServer: f.newsServers, scheme.MailServer: smtp}
	if env := getenv("NNTPSERVER"); len(f.newsServers) == 0 && env != "" {
		texts[scheme.NewsServer] = []string{env}
	}
	return texts
}

// serversFor returns servers by the scheme that uses them.
func serversFor(r *scheme.Registry, texts map[scheme.ServerKind][]string) (map[string][]locator.URL, error) {
	all := make(map[string][]locator.URL)
	for _, name := range r.Names() {
		s, _ := r.Lookup(name)
		user, ok := s.(scheme.ServerUser)
		if !ok {
			continue
		}
		for _, text := range texts[user.ServerKind()] {
			u, err := user.Server(text)
			if err != nil {
				return nil, err
			}
			all[name] = append(all[name], u)
		}
	}
	return all, nil
}

// mailCommand returns the words of --sendmail.
func (f *flags) mailCommand() ([]string, error) {
	words := strings.Fields(strings.Join(f.sendmail, " "))
	if slices.ContainsFunc(words, func(w string) bool { return slices.Contains([]string{"-t", "-ti", "-it"}, w) }) {
		return nil, scheme.Fail(scheme.CodeUsage, "--sendmail: leave out -t, since the recipients are arguments; the message has no Bcc")
	}
	return words, nil
}

func (f *flags) tlsConfig() (*tls.Config, error) {
	cfg := &tls.Config{InsecureSkipVerify: f.insecure} // only with --insecure
	if f.caCert == "" {
		return cfg, nil
	}
	pem, err := os.ReadFile(f.caCert)
	if err != nil {
		return nil, scheme.Fail(scheme.CodeLocal, "--cacert: %w", err)
	}
	cfg.RootCAs = x509.NewCertPool()
	if !cfg.RootCAs.AppendCertsFromPEM(pem) {
		return nil, scheme.Fail(scheme.CodeLocal, "--cacert %s: %w", f.caCert, &fs.PathError{Op: "read", Path: f.caCert, Err: errNoCertificate})
	}
	return cfg, nil
}

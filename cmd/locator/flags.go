package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"locator"
	"locator/client"
	"locator/policy"
	"locator/scheme"
	"locator/scheme/all"
)

// flags are those that all verbs share.
type flags struct {
	syntax     string
	json       bool
	quiet      bool
	verbose    bool
	trace      bool
	timeout    time.Duration
	maxTime    time.Duration
	config     string
	allowPorts []uint
	addresses  string
	netrc      bool
	netrcFile  string
	user       string
	// configuredUser says that user comes from the configuration file, which netrc comes before.
	configuredUser bool
	passwordFile   string
	tls            string
	caCert         string
	insecure       bool
	ipv4, ipv6     bool
	header         []string
	userAgent      string
	mail           string
	charset        string
	accept         []string
	languages      []string
	proxyEnv       bool
}

func (f *flags) register(s *pflag.FlagSet) {
	s.SortFlags = false
	s.StringVar(&f.syntax, "syntax", "", "grammar to read URLs by: rfc1738 or current (parse: rfc1738, else current)")
	s.BoolVar(&f.json, "json", false, "one JSON object a URL or entry")
	s.BoolVarP(&f.quiet, "quiet", "q", false, "no messages, and no data of parse: the exit status tells")
	s.BoolVarP(&f.verbose, "verbose", "v", false, "say what is being done")
	s.BoolVar(&f.trace, "trace", false, "show the dialogue with the peer on standard error, passwords masked")
	s.DurationVar(&f.timeout, "timeout", scheme.DefaultIdle, "give up when nothing moves for so long")
	s.DurationVar(&f.maxTime, "max-time", 0, "give up after so long altogether (0: never)")
	s.StringVar(&f.config, "config", "", "configuration file (default $XDG_CONFIG_HOME/locator/config.toml)")
	s.UintSliceVar(&f.allowPorts, "allow-port", nil, "allow this port, whatever the scheme (repeatable)")
	s.StringVar(&f.addresses, "addresses", "any", "addresses that may be connected to: any or public")
	s.BoolVar(&f.netrc, "netrc", false, "look for logins in ~/.netrc")
	s.StringVar(&f.netrcFile, "netrc-file", "", "look for logins in this file")
	s.StringVar(&f.user, "user", "", "user for a peer that asks; the password is asked for, or read from --password-file")
	s.StringVar(&f.passwordFile, "password-file", "", "file whose first line is the password of --user")
	s.StringVar(&f.tls, "tls", "", "TLS where a protocol can switch to it: off, try or require (default: off for anonymous, try where a password would be sent)")
	s.StringVar(&f.caCert, "cacert", "", "PEM file of the certificate authorities to trust, in the place of the system's")
	s.BoolVar(&f.insecure, "insecure", false, "do not check certificates")
	s.BoolVarP(&f.ipv4, "ipv4", "4", false, "IPv4 only")
	s.BoolVarP(&f.ipv6, "ipv6", "6", false, "IPv6 only")
	s.StringArrayVar(&f.header, "header", nil, "further http header line, \"Name: value\" (repeatable)")
	s.StringVar(&f.userAgent, "user-agent", "", "what to call ourselves to http servers")
	s.StringVar(&f.mail, "mail", "", "mail address, the password of anonymous ftp (default locator@)")
	s.StringVar(&f.charset, "charset", "", "character set of what the peer sends, against what it says")
	s.StringSliceVar(&f.accept, "accept", nil, "media types wanted, best first")
	s.StringSliceVar(&f.languages, "accept-language", nil, "languages wanted, best first")
	s.BoolVar(&f.proxyEnv, "proxy-env", false, "heed http_proxy, https_proxy, ftp_proxy, all_proxy, no_proxy and their like")
}

// settle fills in what no flag gave: from the environment (LOCATOR_TIMEOUT for --timeout, and so on), then from the
// configuration file (timeout = "10s"), then the defaults stand. It checks the values that are words.
func (f *flags) settle(cmd *cobra.Command, getenv func(string) string) error {
	set := cmd.Root().PersistentFlags()
	if !set.Changed("config") {
		f.config = getenv("LOCATOR_CONFIG")
	}
	file, err := readConfig(f.config, getenv)
	if err != nil {
		return scheme.Fail(scheme.CodeLocal, "configuration: %w", err)
	}
	var failed error
	fromFile := make(map[string]bool)
	set.VisitAll(func(flag *pflag.Flag) {
		values, configured := file[flag.Name]
		fromFile[flag.Name] = true
		if flag.Changed || flag.Name == "config" || failed != nil {
			return
		}
		env := "LOCATOR_" + strings.ToUpper(strings.ReplaceAll(flag.Name, "-", "_"))
		if v := getenv(env); v != "" {
			if err := set.Set(flag.Name, v); err != nil {
				failed = scheme.Fail(scheme.CodeUsage, "%s: %w", env, err)
			}
			return
		}
		if !configured {
			return
		}
		f.configuredUser = f.configuredUser || flag.Name == "user"
		for _, v := range values {
			if err := set.Set(flag.Name, v); err != nil {
				failed = scheme.Fail(scheme.CodeLocal, "configuration: %s: %w", flag.Name, err)
			}
		}
	})
	for name := range file {
		if !fromFile[name] && failed == nil {
			failed = scheme.Fail(scheme.CodeLocal, "configuration: there is no setting %q; the settings are the flags that all verbs share", name)
		}
	}
	if failed != nil {
		return failed
	}
	return f.check()
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
		ok := false
		for _, word := range w.words {
			ok = ok || w.value == word
		}
		if !ok {
			return scheme.Fail(scheme.CodeUsage, "--%s %q: it takes %s", w.flag, w.value, strings.Join(w.words[len(w.words)-2:], " or "))
		}
	}
	for _, p := range f.allowPorts {
		if p == 0 || p > 65535 {
			return scheme.Fail(scheme.CodeUsage, "--allow-port %d: a port is 1 to 65535", p)
		}
	}
	if f.timeout <= 0 || f.maxTime < 0 {
		return scheme.Fail(scheme.CodeUsage, "--timeout and --max-time take a time above 0, such as 30s")
	}
	if f.ipv4 && f.ipv6 {
		return scheme.Fail(scheme.CodeUsage, "-4 and -6 exclude each other")
	}
	for _, line := range f.header {
		name, _, ok := strings.Cut(line, ":")
		if !ok || strings.TrimSpace(name) == "" || strings.ContainsAny(line, "\r\n\x00") {
			return scheme.Fail(scheme.CodeUsage, "--header takes \"Name: value\", in one line")
		}
	}
	return nil
}

// readConfig reads the configuration file as lists of values by name. A missing file is an empty one, unless it was
// named.
func readConfig(file string, getenv func(string) string) (map[string][]string, error) {
	named := file != ""
	if !named {
		dir := getenv("XDG_CONFIG_HOME")
		if dir == "" {
			home := getenv("HOME")
			if home == "" {
				return nil, nil
			}
			dir = filepath.Join(home, ".config")
		}
		file = filepath.Join(dir, "locator", "config.toml")
	}
	text, err := os.ReadFile(file)
	if os.IsNotExist(err) && !named {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var raw map[string]any
	if err := toml.Unmarshal(text, &raw); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	values := make(map[string][]string)
	for name, v := range raw {
		name = strings.ReplaceAll(name, "_", "-")
		if list, ok := v.([]any); ok {
			for _, x := range list {
				values[name] = append(values[name], fmt.Sprint(x))
			}
			continue
		}
		if _, ok := v.(map[string]any); ok {
			return nil, fmt.Errorf("%s: there is no section [%s]", file, name)
		}
		values[name] = []string{fmt.Sprint(v)}
	}
	return values, nil
}

// parser is the grammar that --syntax names, or the verb's own.
func (f *flags) parser(own *locator.Parser) *locator.Parser {
	switch f.syntax {
	case "rfc1738":
		return locator.RFC1738
	case "current":
		return locator.Current
	}
	return own
}

// policy is the policy that the flags describe.
func (f *flags) policy() policy.Policy {
	// A step from https to http is followed as browsers do it; no login goes along.
	o := policy.Options{AllowDowngrade: true}
	for _, p := range f.allowPorts {
		o.AllowPorts = append(o.AllowPorts, uint16(p))
	}
	if f.addresses == "public" {
		o.Addresses = policy.PublicOnly
	}
	return policy.New(o)
}

// client makes the client that the flags describe.
func (a *app) client() (*client.Client, error) {
	f := &a.flags
	o := client.Options{
		Registry:  all.Registry(),
		Syntax:    f.parser(locator.Current),
		Policy:    f.policy(),
		Limits:    scheme.Limits{Idle: f.timeout},
		Trace:     a.trace(),
		Mail:      f.mail,
		UserAgent: f.userAgent,
		Header:    f.header,
		Note:      func(u locator.URL, text string) { a.note("%s: %s", u.Redacted(), text) },
	}
	if o.UserAgent == "" {
		o.UserAgent = "locator/" + version()
	}
	if f.ipv4 {
		o.Family = 4
	} else if f.ipv6 {
		o.Family = 6
	}
	switch f.tls {
	case "off":
		o.TLSMode = scheme.TLSOff
	case "try":
		o.TLSMode = scheme.TLSTry
	case "require":
		o.TLSMode = scheme.TLSRequire
	}
	if name, err := os.Hostname(); err == nil {
		o.Hostnames = []string{name}
	}
	var err error
	if o.TLS, err = f.tlsConfig(); err != nil {
		return nil, err
	}
	if o.Logins, err = a.logins(); err != nil {
		return nil, err
	}
	if f.proxyEnv {
		if o.Proxy, err = client.ProxyFromEnvironment(a.Getenv); err != nil {
			return nil, err
		}
	}
	return client.New(o), nil
}

func (f *flags) tlsConfig() (*tls.Config, error) {
	cfg := &tls.Config{InsecureSkipVerify: f.insecure} // as asked for by --insecure
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

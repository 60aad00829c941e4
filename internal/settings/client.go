package settings

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"locator"
	"locator/client"
	"locator/policy"
	"locator/scheme"
	"locator/scheme/file"
	"locator/scheme/http"
	"locator/scheme/mailto"
	"locator/scheme/nntp"
)

// Options returns the options of a client with the schemes of r. Its mail goes through one of the
// servers named by smtp. The caller sets what it shows of the dialogue.
func (f *Settings) Options(r *scheme.Registry, smtp []string) (client.Options, error) {
	o := client.Options{
		Registry:  r,
		Syntax:    f.Parser(locator.Current),
		Policy:    f.Policy(),
		Limits:    scheme.Limits{Idle: f.timeout},
		TLSMode:   map[string]scheme.TLSMode{"off": scheme.TLSOff, "try": scheme.TLSTry, "require": scheme.TLSRequire}[f.tls],
		Mail:      f.Mail,
		Header:    f.header,
		HeaderAll: f.headerAll,
	}
	if p := f.Policy().Options(); f.LocalFiles && p.Addresses == policy.PublicOnly {
		p.Schemes = r.Names()
		o.Policy = policy.New(p)
	}
	o.RequireTLS = o.TLSMode == scheme.TLSRequire && f.Given("tls")
	if f.ipv4 {
		o.Family = 4
	} else if f.ipv6 {
		o.Family = 6
	}
	name, _ := os.Hostname() // "" if it is not known, which is localhost
	var err error
	news, mail := f.newsTexts(), smtp
	if o.Servers, err = servers(r, news, mail); err != nil {
		return o, err
	}
	if !f.IsSet("news-server") { // it is of the configuration file
		news = nil
	}
	if !f.IsSet("smtp") {
		mail = nil
	}
	named, err := servers(r, news, mail)
	if err != nil {
		return o, err
	}
	if f.cancelSecretFile != "" && f.verb.Lookup("cancel-secret-file") != nil {
		if f.CancelSecret, err = f.readPassword(f.cancelSecretFile); err == nil && f.CancelSecret == "" {
			err = errors.New("the first line is empty")
		}
		if err != nil {
			return o, scheme.Fail(scheme.CodeLocal, "--cancel-secret-file: %w", err)
		}
	}
	command, err := f.mailCommand()
	if err != nil {
		return o, err
	}
	o.Settings = []any{
		file.Settings{Hostnames: []string{name}}, http.Settings{UserAgent: cmp.Or(f.userAgent, f.Agent)}, nntp.Settings{CancelSecret: f.CancelSecret},
		mailto.Settings{Sendmail: client.Sendmail(command)},
	}
	if o.TLS, err = f.tlsConfig(); err != nil {
		return o, err
	}
	if o.TLS.Certificates, err = f.clientCertificate(); err != nil {
		return o, err
	}
	if o.Logins, err = f.logins(named); err != nil {
		return o, err
	}
	if f.proxyEnv {
		if o.Proxy, err = client.ProxyFromEnvironment(f.Getenv); err != nil {
			return o, err
		}
	}
	o.Via, err = f.Via()
	return o, err
}

// Servers returns the configured servers by the scheme that uses them.
func (f *Settings) Servers(r *scheme.Registry) (map[string][]locator.URL, error) {
	return servers(r, f.newsTexts(), f.SMTP)
}

// newsTexts returns the news servers as written.
func (f *Settings) newsTexts() []string {
	if env := f.Getenv("NNTPSERVER"); len(f.newsServers) == 0 && env != "" {
		return []string{env}
	}
	return f.newsServers
}

// servers returns servers by the scheme that uses them.
func servers(r *scheme.Registry, news, mail []string) (map[string][]locator.URL, error) {
	texts := map[string][]string{"usenet": news, "mail": mail}
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

// Accept returns --accept, --accept-language and --charset.
func (f *Settings) Accept() scheme.Accept {
	return scheme.Accept{Types: f.accept, Languages: f.languages, Charset: f.charset}
}

// mailCommand returns the words of --sendmail.
func (f *Settings) mailCommand() ([]string, error) {
	words := strings.Fields(strings.Join(f.sendmail, " "))
	if slices.ContainsFunc(words, func(w string) bool { return slices.Contains([]string{"-t", "-ti", "-it"}, w) }) {
		return nil, scheme.Fail(scheme.CodeUsage, "--sendmail: leave out -t, since the recipients are arguments; the message has no Bcc")
	}
	return words, nil
}

func (f *Settings) tlsConfig() (*tls.Config, error) {
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

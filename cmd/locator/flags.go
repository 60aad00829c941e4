package main

import (
	"strings"

	"github.com/spf13/cobra"

	"locator"
	"locator/client"
	"locator/scheme/all"
)

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

// share adds shared flags to those of a verb.
func (a *app) share(verb *cobra.Command, names string) {
	for name := range strings.FieldsSeq(names) {
		verb.Flags().AddFlag(a.flags.All.Lookup(name))
	}
}

// client returns a client that the flags describe. A command for mail that the user names wins over the server of the configuration file.
func (a *app) client() (*client.Client, error) {
	if a.flags.IsSet("sendmail") && !a.flags.IsSet("smtp") {
		return a.clientWith(nil)
	}
	return a.clientWith(a.flags.SMTP)
}

// clientWith is client with other servers for mail.
func (a *app) clientWith(smtp []string) (*client.Client, error) {
	o, err := a.flags.Options(all.Registry(), smtp)
	if err != nil {
		return nil, err
	}
	o.Trace, o.Note = a.trace(), func(u locator.URL, text string) { a.note("%s: %s", u.Redacted(), text) }
	if o.UserAgent == "" {
		o.UserAgent = "locator/" + readBuild().String()
	}
	if a.flags.Verbose {
		a.verboseTLS(o.TLS)
	}
	return client.New(o), nil
}

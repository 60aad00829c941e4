package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/all"
	"locator/scheme/bulk"
)

// The groups of shared flags that verbs take.
const (
	baseFlags      = "quiet verbose config "
	readFlags      = baseFlags + "json syntax "
	runFlags       = "trace timeout max-time "
	policyFlags    = "allow-port addresses allow-net deny-net "
	changeFlags    = readFlags + runFlags + policyFlags + "netrc netrc-file user password-file tls cacert cert key insecure ipv4 ipv6 header header-all user-agent mail proxy-env gateway news-server smtp sendmail "
	checkFlagNames = readFlags + runFlags + policyFlags + "netrc netrc-file user password-file tls cacert cert key insecure ipv4 ipv6 header header-all user-agent proxy-env gateway news-server accept accept-language "
	contentFlags   = changeFlags + "charset accept accept-language "
	secretFlags    = "cancel-secret-file "
	outboxFlags    = "outbox keep-sent "
)

// share adds shared flags to those of a verb.
func (a *app) share(verb *cobra.Command, names string) {
	for name := range strings.FieldsSeq(names) {
		verb.Flags().AddFlag(a.flags.All.Lookup(name))
	}
}

// client returns a client that the flags describe. A command for mail that the user names wins over
// the server of the configuration file.
func (a *app) client() (*client.Client, error) {
	if a.flags.IsSet("sendmail") && !a.flags.IsSet("smtp") {
		return a.clientWith(nil)
	}
	return a.clientWith(a.flags.SMTP)
}

// clientWith is client with other servers for mail.
func (a *app) clientWith(smtp []string) (*client.Client, error) {
	a.flags.Agent = "locator/" + readBuild().String()
	o, err := a.flags.Options(all.Registry(), smtp)
	if err != nil {
		return nil, err
	}
	o.Trace, o.Note = a.Trace(), func(u locator.URL, text string) { a.Note("%s: %s", u.Redacted(), text) }
	if a.flags.Verbose {
		a.SayTLS(o.TLS)
	}
	o.Pool = a.pool
	return client.New(o), nil
}

// schemeFlag is a flag that asks for something that only some schemes can do. Flags that switch
// something off, such as --ignore-robots, are always accepted, and so are the shared flags, which
// describe the user and the servers that a run may meet, also by a redirect or a proxy.
type schemeFlag struct {
	verb, name string
	means      func(scheme.Scheme) bool
}

var schemeFlags = []schemeFlag{
	{"get", "query", has[scheme.Submitter]},
	{"get", "field", has[scheme.Submitter]},
	{"get", "field-file", has[scheme.Submitter]},
	{"get", "decode", uses("decode")},
	{"get", "save-parts", has[bulk.Accesser]},
	{"get", "open", has[bulk.Linker]},
	{"get", "allow-bcc", has[bulk.Linker]},
	{"list", "query", has[scheme.Submitter]},
	{"list", "like", uses("like")},
	{"list", "newest", has[bulk.Filterer]},
	{"list", "threads", has[bulk.Filterer]},
	{"attr", "probe", uses("verify")},
	{"put", "output", uses("reply")},
	{"put", "type", uses("type")},
	{"put", "create-dirs", has[scheme.Maker]},
	{"put", "continue", has[scheme.Resumer]},
	{"put", "field", func(s scheme.Scheme) bool { return has[scheme.Submitter](s) || has[bulk.Poster](s) }},
	{"put", "subject", has[bulk.Poster]},
	{"put", "from", has[bulk.Poster]},
	{"put", "attach", has[bulk.Poster]},
	{"put", "edit", has[bulk.Poster]},
	{"put", "followup", has[bulk.Poster]},
	{"put", "queue", has[bulk.Poster]},
	{"put", "allow-bcc", has[bulk.Linker]},
	{"put", "notify", uses("reports")},
	{"put", "return", uses("reports")},
}

func has[T any](s scheme.Scheme) bool { _, ok := s.(T); return ok }

func uses(option string) func(scheme.Scheme) bool {
	return func(s scheme.Scheme) bool {
		user, ok := s.(scheme.OptionUser)
		return ok && slices.Contains(user.Options(), option)
	}
}

// readFor is read, and refuses flags on the command line that mean nothing for the scheme of the
// URL. An unknown scheme, which may have a gateway, may have any meaning.
func (a *app) readFor(c *client.Client, text string) (locator.URL, error) {
	u, err := a.read(text)
	if err != nil {
		return u, err
	}
	return u, a.checkMeaning(c, u)
}

func (a *app) checkMeaning(c *client.Client, u locator.URL) error {
	s, ok := c.Registry().Lookup(u.Scheme())
	if !ok {
		return nil
	}
	for _, f := range schemeFlags {
		if f.verb != a.Verb || !a.flags.Given(f.name) || f.means(s) {
			continue
		}
		var names []string
		for _, name := range c.Registry().Names() {
			if other, _ := c.Registry().Lookup(name); f.means(other) {
				names = append(names, name)
			}
		}
		return &scheme.Error{Op: scheme.Op(a.Verb), URL: u.Redacted(), Code: scheme.CodeUsage,
			Err: fmt.Errorf("--%s does not apply to %s URLs; it works with %s", f.name, u.Scheme(), strings.Join(names, ", "))}
	}
	return nil
}

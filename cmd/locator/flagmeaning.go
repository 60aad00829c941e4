package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/bulk"
)

// schemeFlag is a flag that asks for something that only some schemes can do. A flag that asks to leave something out, such as
// --ignore-robots, is none: where there is nothing to leave out, it is obeyed. Nor are the shared flags, which describe the user and the
// servers that a run may meet, also by a redirect or a proxy.
type schemeFlag struct {
	verb, name string
	means      func(scheme.Scheme) bool
}

var schemeFlags = []schemeFlag{
	{"get", "query", has[scheme.Submitter]},
	{"get", "field", has[scheme.Submitter]},
	{"get", "field-file", has[scheme.Submitter]},
	{"get", "decode", uses(scheme.OptionDecode)},
	{"get", "save-parts", has[bulk.Accesser]},
	{"get", "open", has[bulk.Linker]},
	{"get", "allow-bcc", has[bulk.Linker]},
	{"list", "query", has[scheme.Submitter]},
	{"list", "like", uses(scheme.OptionLike)},
	{"list", "newest", has[bulk.Filterer]},
	{"list", "threads", has[bulk.Filterer]},
	{"attr", "probe", uses(scheme.OptionVerify)},
	{"put", "output", uses(scheme.OptionReply)},
	{"put", "type", uses(scheme.OptionType)},
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
	{"put", "notify", uses(scheme.OptionReports)},
	{"put", "return", uses(scheme.OptionReports)},
}

func has[T any](s scheme.Scheme) bool { _, ok := s.(T); return ok }

func uses(o scheme.Option) func(scheme.Scheme) bool {
	return func(s scheme.Scheme) bool {
		user, ok := s.(scheme.OptionUser)
		return ok && slices.Contains(user.Options(), o)
	}
}

// givenFlags returns the names of the flags on the command line. It is called before settings of the configuration file are added, since
// these are for the schemes that they mean something for.
func givenFlags(cmd *cobra.Command) (names []string) {
	cmd.Flags().Visit(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// isSet reports whether a shared flag is on the command line or in the environment, not only in the configuration file.
func (a *app) isSet(name string) bool {
	return slices.Contains(a.given, name) || a.Getenv(environmentName(name)) != ""
}

// readFor is read, and refuses flags on the command line that mean nothing for the scheme of the URL. An unknown scheme, which may have a
// gateway, may have any meaning.
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
		if f.verb != a.verb || !slices.Contains(a.given, f.name) || f.means(s) {
			continue
		}
		var names []string
		for _, name := range c.Registry().Names() {
			if other, _ := c.Registry().Lookup(name); f.means(other) {
				names = append(names, name)
			}
		}
		return &scheme.Error{Op: scheme.Op(a.verb), URL: u.Redacted(), Code: scheme.CodeUsage,
			Err: fmt.Errorf("--%s means nothing for scheme %s; it is for %s", f.name, u.Scheme(), strings.Join(names, ", "))}
	}
	return nil
}

package manual

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"locator/scheme"
)

// OtherNames are the flags of other programs that are called otherwise here: of curl, wget, lftp,
// mailers and newsreaders. A name in otherWords has an answer in words.
var OtherNames = map[string]string{
	"C": "continue", "continue-at": "continue", "k": "insecure", "no-check-certificate": "insecure", "H": "header", "A": "user-agent", "U": "user-agent",
	"u": "user", "password": "password-file", "http-user": "user", "ftp-user": "user", "n": "netrc", "s": "quiet", "silent": "quiet",
	"output-document": "output", "P": "dir", "directory-prefix": "dir", "output-dir": "dir", "remote-name-all": "remote-name",
	"force-directories": "dirs", "m": "mirror", "N": "if-newer", "timestamping": "if-newer", "only-newer": "if-newer", "l": "depth", "level": "depth",
	"R": "exclude", "reject": "exclude", "t": "retries", "tries": "retries", "retry": "retries", "connect-timeout": "timeout",
	"input-file": "input", "ca-certificate": "cacert", "E": "cert", "certificate": "cert", "private-key": "key", "ssl-reqd": "tls", "spider": "dry-run", "ftp-create-dirs": "create-dirs",
	"proxy": "proxy-env", "mail": "email", "max-depth": "depth", "maxdepth": "depth", "threads": "parallel", "j": "parallel", "g": "include", "glob": "include", "search-zip": "decompress",
	"resume": "continue", "X": "exclude", "exclude-directories": "exclude", "limit": "max", "count": "max", "last": "newest", "latest": "newest", "author": "from",
	"a": "attach", "attachment": "attach", "body": "input", "q": "query", "words": "query",
}

// otherWords are the answers to flags of other programs that no flag here replaces. A name may have
// a verb before it.
var otherWords = map[string]string{
	"T": "did you mean the verb put?", "upload-file": "did you mean the verb put?", "I": "did you mean the verb attr?", "head": "did you mean the verb attr?",
	"L": "redirects are always followed", "location": "redirects are always followed", "list-only": "did you mean the verb list?",
	"put s": "did you mean --subject?", "put t": "the addresses belong in the URL: mailto:ann@example.org", "put to": "the addresses belong in the URL: mailto:ann@example.org",
	"put c": "the addresses belong in the URL: mailto:ann@example.org?cc=bob@example.org", "put cc": "the addresses belong in the URL: mailto:ann@example.org?cc=bob@example.org",
	"put b": "a blind copy: mailto:ann@example.org?bcc=bob@example.org with --allow-bcc", "put bcc": "a blind copy: mailto:ann@example.org?bcc=bob@example.org with --allow-bcc",
	"list n": "did you mean --max, or --newest --max?", "list s": "did you mean --subject?", "list l": "did you mean --details?",
	"d": "to send data: locator put FILE URL", "data": "to send data: locator put FILE URL", "F": "to fill a form: --field NAME=VALUE", "form": "to fill a form: --field NAME=VALUE",
	"find r": "folders are always read with all below them", "find R": "folders are always read with all below them",
	"find recursive": "folders are always read with all below them", "find n": "did you mean -H, --with-filename?", "find o": "it always prints the URLs alone",
	"find l": "the names of the files alone: locator find --json ... | jq -r .source | uniq", "find c": "to count the URLs: locator find ... | wc -l",
	"find i": "schemes are found in upper and lower case",
}

// explainFlag is the cobra.Command.FlagErrorFunc: it says which flag was probably meant.
func explainFlag(cmd *cobra.Command, err error) error {
	if missing, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		shown := "--" + missing.GetFlag().Name
		if short := missing.GetFlag().Shorthand; short != "" {
			shown = "-" + short + ", " + shown
		}
		return scheme.Fail(scheme.CodeUsage, "%s needs a value", shown)
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return err
	}
	name, shown := unknown.GetSpecifiedName(), "--"+unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		name = name[:1]
		shown = "-" + name
	}
	if before, _, ok := strings.Cut(name, ":"); ok { // such as --user:name:password
		name, shown = before, "--"+before+":..."
	}
	other, hint := cmd.Root().Flags().Lookup(name), ""
	if len(shown) == 2 {
		other = cmd.Root().Flags().ShorthandLookup(name)
	}
	switch {
	case other == nil || isOfRoot(other) || cmd.Flags().Lookup(other.Name) == other: // such as --user:name:password
		other = nil
		hint = flagHint(cmd, name, len(shown) == 2)
	case cmd.Flags().Lookup(OtherNames[other.Name]) != nil:
		hint = "did you mean --" + OtherNames[other.Name] + "?"
	}
	if hint != "" {
		hint = "; " + hint
	}
	if other != nil {
		return scheme.Fail(scheme.CodeUsage, "--%s does not apply to the verb %s%s", other.Name, cmd.Name(), hint)
	}
	return scheme.Fail(scheme.CodeUsage, "unknown flag %s%s", shown, hint)
}

// flagHint says what to write instead of a flag that a verb does not have; "" if nothing is known.
func flagHint(cmd *cobra.Command, name string, short bool) string {
	if words := cmp.Or(otherWords[cmd.Name()+" "+name], otherWords[name]); words != "" {
		return words
	}
	if other := OtherNames[name]; cmd.Flags().Lookup(other) != nil {
		return "did you mean --" + other + "?"
	}
	var verbs []string
	for _, c := range cmd.Root().Commands() {
		if !short && c.Flags().Lookup(name) != nil && cmd.Flags().Lookup(name) == nil || short && c.Flags().ShorthandLookup(name) != nil {
			verbs = append(verbs, c.Name())
		}
	}
	if verbs != nil {
		return "it is a flag of " + strings.Join(verbs, ", ")
	}
	if short {
		return ""
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	near := Nearest(name, names)
	if near == nil {
		return ""
	}
	return fmt.Sprintf("did you mean --%s?", strings.Join(near, " or --"))
}

// Nearest returns the names, at most three, that a mistyped one is probably meant to be: it is the
// beginning of them, or differs in few characters. No name is near one of two characters.
func Nearest(typed string, names []string) []string {
	for distance := 1; distance <= 2 && len(typed) > 2; distance++ {
		c := &cobra.Command{SuggestionsMinimumDistance: distance}
		for _, name := range names {
			c.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
		}
		if near := c.SuggestionsFor(typed); len(near) > 0 {
			return near[:min(3, len(near))]
		}
	}
	return nil
}

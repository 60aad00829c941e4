package manual

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"locator"
	"locator/scheme"
)

// otherVerbs are the answers to words of other programs, and of people, that are used in place of a
// verb.
func otherVerbs() map[string]string {
	const (
		read     = `to read an article or file: locator get URL; a group, menu or directory: locator list URL`
		download = `to download a file: locator get -O URL; a directory: locator get -r URL`
		upload   = `to upload a file: locator put FILE URL; a directory: locator put -r DIR URL`
		mail     = `to send mail: locator put --subject TEXT FILE mailto:ADDRESS`
		remove   = `did you mean rm?`
	)
	return map[string]string{
		"read": read, "browse": read, "open": read, "cat": read, "view": read, "lynx": read, "show": read,
		"download": download, "fetch": download, "wget": download, "curl": download,
		"mirror": `to mirror a directory: locator get --mirror URL`, "sync": `to mirror a directory: locator get --mirror URL; to upload one: locator put -r DIR URL`,
		"upload": upload, "cp": download + "; " + upload, "copy": download + "; " + upload,
		"ls": "did you mean list?", "dir": "did you mean list?", "menu": "did you mean list?",
		"groups":   `to list the groups of a news server: locator list 'news:*'`,
		"search":   `to search an index: locator get --query WORDS URL; a group: locator list --subject TEXT URL; to find URLs in files: locator find FILE`,
		"reply":    `to answer an article: locator put --edit --followup news:MESSAGE-ID`,
		"followup": `to answer an article: locator put --edit --followup news:MESSAGE-ID`,
		"post":     `to post an article: locator put --subject TEXT FILE nntp://SERVER/GROUP`,
		"send":     mail, "mail": mail, "mailx": mail, "compose": mail,
		"cancel": remove, "delete": remove, "del": remove, "remove": remove,
		"rename": "did you mean mv?", "move": "did you mean mv?", "md": "did you mean mkdir?",
		"stat": "did you mean attr?", "info": "did you mean attr?", "head": "did you mean attr?",
		"grep": "did you mean find?", "links": "did you mean find?", "queue": "did you mean outbox?",
	}
}

// verbHint says what to write instead of an unknown verb; "" if nothing is known.
func verbHint(root *cobra.Command, args []string) string {
	if u := withSpaces(args); u != "" {
		return "did you mean locator " + u + "?"
	}
	if words := otherVerbs()[args[0]]; words != "" {
		return words
	}
	if schemeHelp(root, args[0]) != "" {
		return fmt.Sprintf("%q has examples", "locator help "+args[0])
	}
	near := slices.DeleteFunc(root.SuggestionsFor(args[0]), func(verb string) bool {
		return verb == "rm" || verb == "mv" // to propose what removes something by chance would be dangerous
	})
	if len(near) > 0 {
		return "did you mean " + strings.Join(near, " or ") + "?"
	}
	return ""
}

// withSpaces returns the URL that is meant by the name of a scheme and what follows it: the part of
// a URL without a host, or a host and a port that may be missing, as the programs ftp and telnet
// take them; "" if the arguments mean something else.
func withSpaces(args []string) string {
	s := locator.SyntaxOf(args[0])
	if s == nil || len(args) < 2 || len(args) > 3 {
		return ""
	}
	rest := strings.Join(args[1:], ":")
	for _, text := range []string{s.Name + ":" + strings.Trim(rest, "<>"), s.Name + "://" + rest + "/"} {
		if u, err := locator.Current.Parse(text); err == nil {
			return u.Redacted()
		}
	}
	return ""
}

// schemeHelp returns the examples of all verbs for a scheme; "" if the word is not a scheme.
func schemeHelp(root *cobra.Command, word string) string {
	s := locator.SyntaxOf(word)
	if s == nil {
		for _, x := range locator.Schemes() { // "mail" for mailto
			if strings.HasPrefix(x.Name, word) && len(word) > 2 {
				s = x
				break
			}
		}
	}
	if s == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s is a scheme, not a verb. Examples:\n\n", s.Name)
	n := 0
	for _, c := range Pages(root) {
		for line := range strings.Lines(c.Example + "\n") {
			if strings.Contains(line, s.Name+":") {
				b.WriteString(line)
				n++
			}
		}
	}
	if n == 0 {
		return ""
	}
	b.WriteString("\n\"locator schemes\" lists what each scheme can do, and \"locator help VERB\" the flags of a verb.\n")
	return b.String()
}

// unknownVerb returns the error for a word that is not a verb.
func unknownVerb(root *cobra.Command, args []string) error {
	if hint := verbHint(root, args); hint != "" {
		return scheme.Fail(scheme.CodeUsage, "unknown verb %q; %s", args[0], hint)
	}
	return scheme.Fail(scheme.CodeUsage, "unknown verb %q; \"locator help\" lists the verbs", args[0])
}

// knownVerb rejects an unknown verb.
func knownVerb(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return unknownVerb(root, args)
}

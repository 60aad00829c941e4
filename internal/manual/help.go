package manual

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"locator/internal/console"
)

// flagGroups is the order of all flags in help and manual pages, with the word for the value of
// each.
var flagGroups = []struct{ name, flags string }{
	{"Input", "input=FILE format=NAME pdf-command=COMMAND decompress iri www email max-wrapper=SIZE"},
	{"Selection", "scheme=NAME valid-only unique since=TIME"},
	{"Output", "with-context with-filename no-filename linkify output=FILE remote-name dir=DIR dirs names=RULE force raw decode save-parts urls item=N max=N newest threads details probe compare repair show-passwords licenses " +
		"json quiet verbose trace dry-run print"},
	{"Session", "escape=CHARACTER"},
	{"Messages", "to=FORMAT new subject=TEXT from=ADDRESS match=FIELD attach=FILE edit followup allow-bcc open notify=WHEN return=PART queue yes outbox=DIR keep-sent=DAYS cancel-secret-file=FILE"},
	{"Upload", "append type=TYPE create-dirs"},
	{"Resume and verify", "continue if-newer retries=N verify sha256=HEX fsync"},
	{"Limits", "parallel=N per-host=N limit-rate=RATE max-size=SIZE"},
	{"Recursion", "recursive parents mirror delete max-delete=N hidden no-ignore follow depth=N include=GLOB exclude=GLOB ignore-robots no-listings"},
	{"Check", "run=DIR store=URL resume exclude-url=REGEXP allow-empty confirm=N/TIME fragments content interval=TIME host=RULE retry-after=TIME root=FOLDER base=URL map=RULE every=TIME drop=N"},
	{"Report", "fail-on=LIST baseline=FILE update-baseline redirects fix write html sarif junit csv markdown github gitlab"},
	{"Queries and forms", "query=WORDS like=URL field=NAME=VALUE field-file=NAME=FILE"},
	{"Login", "user=NAME password-file=FILE netrc netrc-file=FILE mail=ADDRESS"},
	{"Network", "addr=HOST:PORT policy=FILE demo timeout=TIME max-time=TIME ipv4 ipv6 addresses=RULE allow-net=NET deny-net=NET allow-port=PORT proxy-env gateway=GATEWAY news-server=SERVER smtp=SERVER sendmail=COMMAND"},
	{"TLS", "tls=MODE cacert=FILE cert=FILE key=FILE insecure"},
	{"HTTP and content", "header=LINE header-all=LINE user-agent=TEXT accept=TYPE accept-language=LANGUAGE charset=NAME"},
	{"General", "syntax=GRAMMAR config=FILE version help"},
}

// choices are the words that a flag Takes, for completion.
var choices = map[string][]cobra.Completion{
	"syntax": {"rfc1738", "current"}, "tls": {"off", "try", "require"}, "addresses": {"any", "public"}, "names": {"native", "portable"},
	"notify": {"never", "success", "failure", "delay"}, "return": {"full", "hdrs"},
	"to": {"mbox", "maildir", "jsonl"},
}

// FlagGroup is a heading and the flags below it.
type FlagGroup struct {
	Name  string
	Flags []*pflag.Flag
}

// Grouped returns flags in groups, with the words of flagGroups for their values. A flag that is in
// none comes last.
func Grouped(set *pflag.FlagSet) []FlagGroup {
	var groups []FlagGroup
	seen := make(map[string]bool)
	for _, g := range flagGroups {
		var flags []*pflag.Flag
		for item := range strings.FieldsSeq(g.flags) {
			name, word, _ := strings.Cut(item, "=")
			seen[name] = true
			if f := set.Lookup(name); f != nil && !f.Hidden {
				flags = append(flags, withWord(f, word))
			}
		}
		if flags != nil {
			groups = append(groups, FlagGroup{g.name, flags})
		}
	}
	var others []*pflag.Flag
	set.VisitAll(func(f *pflag.Flag) {
		if !seen[f.Name] && !f.Hidden {
			others = append(others, f)
		}
	})
	if others != nil {
		groups = append(groups, FlagGroup{"Other", others})
	}
	return groups
}

// isOfRoot reports whether a flag of the program is not one that verbs share.
func isOfRoot(f *pflag.Flag) bool { return f.Name == "version" || f.Name == "help" }

// OwnFlags returns the flags of a verb that it does not share, or all of the program.
func OwnFlags(c *cobra.Command) *pflag.FlagSet {
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !c.HasParent() || c.Root().Flags().Lookup(f.Name) != f {
			own.AddFlag(f)
		}
	})
	return own
}

// withWord returns a copy of a flag whose help has a word for its value.
func withWord(f *pflag.Flag, word string) *pflag.Flag {
	if word == "" || f.Value.Type() == "bool" {
		return f
	}
	shown := *f
	if own, usage := pflag.UnquoteUsage(f); usage != f.Usage { // the verb has a word of its own
		word, shown.Usage = own, usage
	}
	shown.Value = worded{f.Value, word}
	if shown.DefValue == "[]" || shown.DefValue == "0s" { // pflag knows the empty values only of its own types
		shown.DefValue = ""
	}
	return &shown
}

// worded is a value with another word for its type.
type worded struct {
	pflag.Value
	word string
}

// Type returns the word.
func (w worded) Type() string { return w.word }

// printHelp prints what a command does and how it is used, as wide as the terminal. The help of a
// verb has the flags of the verb, that of the program the verbs.
func printHelp(c *cobra.Command, _ []string) {
	var b strings.Builder
	width := min(console.Width(c.OutOrStdout()), MaxWidth)
	more := moreFlags(c)
	fmt.Fprintf(&b, "%s\n", fill(c.Long, width))
	if c.HasParent() {
		fmt.Fprintf(&b, "Usage:\n  %s\n", c.UseLine())
	} else {
		more = `"locator help VERB" lists the flags of a verb, "locator help flags" those that all verbs share.`
		b.WriteString("Usage:\n  locator VERB [flags] [URL ...]\n  locator [flags] URL ...  (short for locator get)\n\nVerbs:\n")
		for _, sub := range Pages(c)[1:] {
			b.WriteString(fill(fmt.Sprintf("  %-*s  %s", sub.NamePadding(), sub.Name(), sub.Short), width))
		}
	}
	if c.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	if c.HasParent() {
		printFlags(&b, OwnFlags(c), width)
	}
	fmt.Fprintf(&b, "\n%s", fill(more, width))
	_, _ = io.WriteString(c.OutOrStdout(), b.String())
}

// flagsTopic is the word after help that shows the shared flags.
const flagsTopic = "flags"

// printSharedFlags prints the flags that all verbs share.
func printSharedFlags(root *cobra.Command) error {
	root.InitDefaultHelpFlag()
	var b strings.Builder
	width := min(console.Width(root.OutOrStdout()), MaxWidth)
	b.WriteString(fill("The flags that all verbs share. A verb refuses those that do not apply to it; its help says which.\n", width))
	printFlags(&b, OwnFlags(root), width)
	_, err := io.WriteString(root.OutOrStdout(), b.String())
	return err
}

// MaxWidth is the columns of the help on a wider terminal, since longer lines are hard to read.
const MaxWidth = 110

// Line breaks within a paragraph, and the name of an item of a list with the blanks around it.
var (
	innerBreak = regexp.MustCompile(`([^\n])\n([^ \n])`)
	itemName   = regexp.MustCompile(`^ +(\S+ )*?\S+ {2,}|^ *`)
)

// fill breaks the paragraphs of a text into lines that are at most that wide. A line that begins
// with a blank is an item of a list: its name and after two blanks its text.
func fill(text string, width int) string {
	var b strings.Builder
	for line := range strings.SplitSeq(innerBreak.ReplaceAllString(strings.TrimSuffix(text, "\n"), "$1 $2"), "\n") {
		name := itemName.FindString(line)
		b.WriteString(name)
		column := len(name)
		for i, word := range strings.Fields(line[len(name):]) {
			switch {
			case i > 0 && column+1+len(word) > width:
				fmt.Fprintf(&b, "\n%*s", len(name), "")
				column = len(name)
			case i > 0:
				b.WriteByte(' ')
				column++
			}
			b.WriteString(word)
			column += len(word)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// moreFlags says which shared flags a verb uses.
func moreFlags(c *cobra.Command) string {
	const all = `"locator help flags" lists the shared flags`
	if c.Flags().Lookup("netrc") != nil {
		return all + ", such as --json, --timeout and --trace."
	}
	var used []string
	c.Root().Flags().VisitAll(func(f *pflag.Flag) {
		if c.Flags().Lookup(f.Name) == f {
			used = append(used, "--"+f.Name)
		}
	})
	last := len(used) - 1
	return fmt.Sprintf("%s. %s uses only %s and %s.", all, c.Name(), strings.Join(used[:last], ", "), used[last])
}

// printFlags prints flags by group, aligned in all groups.
func printFlags(w io.Writer, set *pflag.FlagSet, width int) {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	all.SortFlags = false
	heading := make(map[string]string) // by the first flag of a group
	for _, g := range Grouped(set) {
		heading["--"+g.Flags[0].Name] = g.Name
		for _, f := range g.Flags {
			all.AddFlag(f)
		}
	}
	for line := range strings.Lines(all.FlagUsagesWrapped(width)) {
		for _, word := range strings.Fields(line)[:min(2, len(strings.Fields(line)))] {
			if name := heading[word]; name != "" && strings.HasPrefix(strings.TrimLeft(line, " "), "-") {
				fmt.Fprintf(w, "\n%s:\n", name)
				delete(heading, word)
			}
		}
		io.WriteString(w, line)
	}
}

// CompleteValues registers how the values of all flags are completed: words, folders, files, or
// nothing.
func CompleteValues(root *cobra.Command) {
	words := make(map[string]string)
	for _, g := range flagGroups {
		for item := range strings.FieldsSeq(g.flags) {
			name, word, _ := strings.Cut(item, "=")
			words[name] = word
		}
	}
	for _, c := range append(root.Commands(), root) {
		c.Flags().VisitAll(func(f *pflag.Flag) { completeValue(c, f, words[f.Name]) })
	}
}

func completeValue(c *cobra.Command, f *pflag.Flag, word string) {
	complete := cobra.CompletionFunc(cobra.NoFileCompletions)
	switch {
	case choices[f.Name] != nil:
		complete = cobra.FixedCompletions(choices[f.Name], cobra.ShellCompDirectiveNoFileComp)
	case word == "DIR":
		complete = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	case word == "FILE" || f.Value.Type() == "bool":
		return
	}
	_ = c.RegisterFlagCompletionFunc(f.Name, complete) // fails only for a flag that is not there, or twice
}

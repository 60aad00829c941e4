package manual

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"locator/internal/console"
)

// roff escapes a line of text: "-" is one that can be copied, and no line begins a request.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}

// writePage writes the manual page of a command. The page of the program has the shared flags and
// what all verbs have in common.
func writePage(w io.Writer, c *cobra.Command, date, version string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, ".TH %q \"1\" %q %q \"Locator\"\n", strings.ToUpper(pageName(c)), date, "Locator "+version)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n", roff(pageName(c)), roff(c.Short))
	if c.HasParent() {
		fmt.Fprintf(&b, ".B %s\n", roff(c.UseLine()))
	} else {
		b.WriteString(".B locator\nVERB [flags] [URL ...]\n.br\n.B locator\n[flags] URL ...\n")
	}
	b.WriteString(".SH DESCRIPTION\n")
	manText(&b, c.Long)
	if !c.HasParent() {
		b.WriteString(".SH VERBS\n")
		for _, sub := range Pages(c)[1:] {
			fmt.Fprintf(&b, ".TP\n.BR %s (1)\n%s\n", roff(pageName(sub)), roff(sub.Short))
		}
	}
	b.WriteString(".SH OPTIONS\n")
	for _, g := range Grouped(OwnFlags(c)) {
		fmt.Fprintf(&b, ".SS %s\n", roff(g.Name))
		for _, f := range g.Flags {
			manFlag(&b, f)
		}
	}
	if c.HasExample() {
		b.WriteString(".SH EXAMPLES\n.nf\n")
		for line := range strings.SplitSeq(c.Example, "\n") {
			b.WriteString(roff(strings.TrimPrefix(line, "  ")) + "\n")
		}
		b.WriteString(".fi\n")
	}
	if c.HasParent() {
		b.WriteString(".SH SEE ALSO\n.BR locator (1)\ndescribes the options that all verbs share, the environment, the files and the exit statuses.\n")
	} else {
		manShared(&b)
	}
	_, err := w.Write(b.Bytes())
	return console.OutputError(err)
}

// manText writes paragraphs.
func manText(b *bytes.Buffer, text string) {
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		for line := range strings.SplitSeq(paragraph, "\n") {
			b.WriteString(roff(line) + "\n")
		}
	}
}

// manFlag writes a flag.
func manFlag(b *bytes.Buffer, f *pflag.Flag) {
	b.WriteString(".TP\n")
	if f.Shorthand != "" {
		fmt.Fprintf(b, `\fB\-%s\fR, `, f.Shorthand)
	}
	word, usage := pflag.UnquoteUsage(f)
	fmt.Fprintf(b, `\fB\-\-%s\fR`, roff(f.Name))
	if word != "" {
		fmt.Fprintf(b, ` \fI%s\fR`, roff(word))
	}
	switch f.DefValue {
	case "", "0", "0s", "false", "[]":
	default:
		if !strings.Contains(usage, "(default") {
			usage += " (default " + f.DefValue + ")"
		}
	}
	fmt.Fprintf(b, "\n%s\n", roff(usage))
}

// manShared writes what all verbs have in common.
func manShared(b *bytes.Buffer) {
	section := func(heading string, items ...[2]string) {
		fmt.Fprintf(b, ".SH %s\n", heading)
		for _, x := range items {
			fmt.Fprintf(b, ".TP\n%s\n%s\n", roff(x[0]), roff(x[1]))
		}
	}
	section("ENVIRONMENT",
		[2]string{"LOCATOR_CONFIG", "The configuration file."},
		[2]string{"LOCATOR_TIMEOUT and so on", "The value of a shared flag: LOCATOR_ and its name in upper case, with _ for -. The command line Takes precedence."},
		[2]string{"XDG_CONFIG_HOME, HOME", "The folders of the configuration file and of ~/.netrc."},
		[2]string{"XDG_STATE_HOME, HOME", "The folder for what --new remembers."},
		[2]string{"http_proxy, https_proxy, ftp_proxy, all_proxy, no_proxy", "The proxies to use, with --proxy-env."},
		[2]string{"NNTPSERVER", "The news server, if --news-server names none."})
	section("FILES",
		[2]string{"~/.config/locator/config.toml", "The configuration file."},
		[2]string{"~/.netrc", "Logins, with --netrc."},
		[2]string{"NAME.part, NAME.part.state", "A partial download, and what is known of it."},
		[2]string{".locator", "The index of a folder with downloads: it says what each file is."})
	var statuses [][2]string
	for _, s := range ExitStatuses() {
		statuses = append(statuses, [2]string{fmt.Sprint(s.Exit), s.Meaning})
	}
	section("EXIT STATUS", statuses...)
}

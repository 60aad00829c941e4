package main

import (
	"github.com/spf13/cobra"

	"locator"
	"locator/explain"
	"locator/internal/present"
	"locator/internal/readers"
	"locator/scheme/all"
)

// explainCommand explains URLs. It uses no network.
func (a *app) explainCommand() *cobra.Command {
	var passwords, compare bool
	cmd := &cobra.Command{
		Use:   "explain [URL ...]",
		Short: "Explain a URL: parts, grammar rules, dialogue with the server, hazards; no network",
		Long: "explain prints the parts of a URL as parse does, the grammar rule that it matches, whether RFC 1738 accepts it,\n" +
			"the operations of its scheme, the commands that an access would send, and the hazards in its text. For an invalid\n" +
			"URL it prints the position and the reason. A password is shown as ****; PASS ? marks the step that would prompt\n" +
			"for one. explain makes no connection and looks up no name.\n\n" +
			"With --compare it also shows how RFC 1738, today's RFCs, Go's net/url and the WHATWG standard (web\n" +
			"browsers) parse the same text, and where they differ.",
		Example: "  locator explain ftp://myname@host.dom/%2Fetc/motd\n" +
			"  locator explain --json '<URL:gopher://host.dom/7/search%09red%20wine>'",
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			e := explain.Explainer{Parser: a.flags.Parser(locator.Current), Registry: all.Registry(), Policy: a.flags.Policy(), Passwords: passwords}
			var err error
			if e.Via, err = a.flags.Via(); err != nil {
				return err
			}
			if e.Servers, err = a.flags.Servers(e.Registry); err != nil {
				return err
			}
			return a.answers(cmd.Context(), args, passwords, func(b []byte, text string, o present.Options) ([]byte, bool) {
				x := e.Explain(text)
				var list []readers.Reading
				if compare && len(text) <= explain.MaxLength {
					list = readers.Compare(&x, passwords)
				}
				if !a.flags.Quiet {
					b = present.AppendComparison(b, &x, list, o, a.flags.JSON)
				}
				return b, x.Malformed()
			})
		},
	}
	showPasswords(cmd, &passwords)
	a.listFlag(cmd)
	cmd.Flags().BoolVar(&compare, "compare", false, "show how other parsers read the text and where they differ")
	return cmd
}

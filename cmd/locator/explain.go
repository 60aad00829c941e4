package main

import (
	"slices"

	"github.com/spf13/cobra"

	"locator"
	"locator/explain"
	"locator/internal/present"
	"locator/scheme/all"
	"locator/vet"
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
			e := explain.Explainer{Parser: a.flags.parser(locator.Current), Registry: all.Registry(), Policy: a.flags.policy(), Passwords: passwords}
			var err error
			if e.Via, err = parseGateways(a.flags.gateways); err != nil {
				return err
			}
			if e.Servers, err = serversFor(e.Registry, a.flags.serverTexts(a.flags.smtp, a.Getenv)); err != nil {
				return err
			}
			return a.answers(cmd.Context(), args, passwords, func(text string) answer {
				x := explanation{Explanation: e.Explain(text)}
				if compare && len(text) <= explain.MaxLength {
					x.compare(passwords)
				}
				return &x
			})
		},
	}
	showPasswords(cmd, &passwords)
	a.listFlag(cmd)
	cmd.Flags().BoolVar(&compare, "compare", false, "show how other parsers read the text and where they differ")
	return cmd
}

// explanation is the answer of explain.
type explanation struct {
	explain.Explanation
	compared comparison
}

// appendObject appends the object of explain --json.
func (x *explanation) appendObject(b []byte, o present.Options) []byte {
	y := x.Explanation
	y.Findings = x.allFindings()
	b = present.AppendExplanation(b, &y, o)
	return append(x.compared.appendReaders(b[:len(b)-1]), '}')
}

// appendText appends the explanation, the table of --compare and the findings.
func (x *explanation) appendText(b []byte, o present.Options) []byte {
	b = present.AppendExplanationText(b, &x.Explanation, o)
	return present.AppendFindings(x.compared.appendTable(b), x.allFindings())
}

// allFindings returns the hazards of the URL and the differences between parsers.
func (x *explanation) allFindings() []vet.Finding {
	return slices.Concat(x.Findings, x.compared.findings)
}

package main

import (
	"github.com/spf13/cobra"

	"locator/explain"
	"locator/internal/console"
	"locator/internal/manual"
	"locator/internal/present"
	"locator/scheme/all"
)

// schemesCommand lists the schemes.
func (a *app) schemesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schemes",
		Short: "List schemes, their operations, and reserved names",
		Example: "  locator schemes\n" +
			"  locator schemes --json",
		Long: "schemes lists the schemes of RFC 1738 and all others that the program supports: the default port, the section and\n" +
			"rule of the grammar, and the operations. Then it lists the names that RFC 1738 section 4 reserves, with the RFCs\n" +
			"that define them now.",
		Args: manual.Takes(0, 0),
		RunE: func(*cobra.Command, []string) error {
			b := present.AppendSchemes(nil, explain.Schemes(all.Registry()), a.flags.JSON)
			_, err := a.Out.Write(b)
			return console.OutputError(err)
		},
	}
}

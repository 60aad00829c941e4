package manual

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"locator/internal/settings"
	"locator/scheme"
)

// Setup sets the help command of a program, the help of its verbs, and what is said of unknown
// verbs and flags.
func Setup(root *cobra.Command) {
	root.SetHelpCommand(helpCommand(root))
	root.SetHelpFunc(printHelp)
	root.SetFlagErrorFunc(explainFlag)
	root.Args, root.SuggestionsMinimumDistance = knownVerb, 2
}

// helpCommand prints the help of the program or a verb.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB]",
		Short: "Print the help of a verb",
		Example: "  locator help\n" +
			"  locator help get\n" +
			"  locator help flags",
		Long: "help prints the help of the program or of a verb. \"help flags\" prints the flags that all verbs share.",
		Args: Takes(0, 1),
		ValidArgsFunction: func(*cobra.Command, []string, string) (verbs []cobra.Completion, _ cobra.ShellCompDirective) {
			for _, c := range Pages(root)[1:] {
				verbs = append(verbs, c.Name())
			}
			return append(verbs, flagsTopic), cobra.ShellCompDirectiveNoFileComp
		},
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil }, // also with a bad configuration
		RunE: func(_ *cobra.Command, args []string) error {
			if slices.Equal(args, []string{flagsTopic}) {
				return printSharedFlags(root)
			}
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				if text := schemeHelp(root, args[0]); text != "" {
					_, err := io.WriteString(root.OutOrStdout(), text)
					return err
				}
				return knownVerb(root, args)
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	}
}

// HelpOf returns the command that prints the help of a verb.
func HelpOf(cmd *cobra.Command) string {
	if !cmd.HasParent() || !cmd.IsAvailableCommand() {
		return "locator help"
	}
	return "locator help " + cmd.Name()
}

// Takes is the check of the number of arguments; a negative maximum means no limit.
func Takes(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return scheme.Fail(scheme.CodeUsage, "too few arguments; usage: %s", cmd.UseLine())
		case most >= 0 && len(args) > most:
			return scheme.Fail(scheme.CodeUsage, "too many arguments; usage: %s", cmd.UseLine())
		}
		return nil
	}
}

// UsageText returns the message of wrong usage. Where a flag has no number or switch as its value,
// it says so.
func UsageText(err error) string {
	must := settings.MustBe(err)
	if must == "" {
		return err.Error()
	}
	bad, _ := errors.AsType[*pflag.InvalidValueError](err)
	return fmt.Sprintf("--%s %q: must be %s", bad.GetFlag().Name, bad.GetValue(), must)
}

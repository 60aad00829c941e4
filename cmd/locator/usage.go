package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"locator/internal/console"
	"locator/internal/settings"
	"locator/scheme"
)

// withVerb returns the arguments with the verb get before them if a URL or "-" stands where the verb should, or if nothing does and
// standard input may hold URLs.
func withVerb(root *cobra.Command, args []string, in io.Reader) []string {
	root.InitDefaultHelpCmd()
	cmd, _, _ := root.Find(args)
	if cmd != root || len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		return args
	}
	get, _, _ := (&app{}).root().Find([]string{"get"}) // a copy: the flags are parsed once more later
	words, fromInput := args, false
	if err := get.ParseFlags(args); err == nil {
		words = get.Flags().Args()
		words = words[:min(1, len(words))]
		fromInput = len(words) == 0 && isPiped(in) || slices.Contains(words, "-")
	}
	if !fromInput && !slices.ContainsFunc(words, likeURL) {
		return args
	}
	return append([]string{"get"}, args...)
}

// isPiped reports whether a stream is a pipe or a file, not a terminal or another device.
func isPiped(in io.Reader) bool {
	f, ok := in.(*os.File)
	if !ok {
		return false
	}
	s, err := f.Stat()
	return err == nil && (s.Mode().IsRegular() || s.Mode()&os.ModeNamedPipe != 0)
}

// likeURL reports whether an argument may be meant as a URL; no verb is.
func likeURL(arg string) bool {
	return !strings.HasPrefix(arg, "-") && strings.ContainsAny(arg, ":/.<")
}

// laterVerbs are the verbs that docs/cli.md promises.
const laterVerbs = " check report runs watch worker serve handler "

// knownVerb is the check of the arguments of the program itself, which takes none. They are no verb.
func knownVerb(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if strings.Contains(laterVerbs, " "+args[0]+" ") {
		return scheme.Fail(scheme.CodeUsage, "the verb %s does not exist yet", args[0])
	}
	return unknownVerb(root, args)
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
		Args: takes(0, 1),
		ValidArgsFunction: func(*cobra.Command, []string, string) (verbs []cobra.Completion, _ cobra.ShellCompDirective) {
			for _, c := range pages(root)[1:] {
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

// helpOf returns the command that prints the help of a verb.
func helpOf(cmd *cobra.Command) string {
	if !cmd.HasParent() || !cmd.IsAvailableCommand() {
		return "locator help"
	}
	return "locator help " + cmd.Name()
}

// sayTyping says that standard input is awaited, if it is a terminal.
func (a *app) sayTyping(what string) {
	if !console.IsTerminal(a.In) || a.flags.Quiet {
		return
	}
	end := "Ctrl-D"
	if runtime.GOOS == "windows" {
		end = "Ctrl-Z and Enter"
	}
	a.say("reading %s from the terminal; end with %s", what, end)
}

// takes is the check of the number of arguments; a negative maximum is none.
func takes(least, most int) cobra.PositionalArgs {
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

// usageText returns the message of wrong usage. Where a flag has no number or switch as its value, it says so.
func usageText(err error) string {
	must := settings.MustBe(err)
	if must == "" {
		return err.Error()
	}
	bad, _ := errors.AsType[*pflag.InvalidValueError](err)
	return fmt.Sprintf("--%s %q: must be %s", bad.GetFlag().Name, bad.GetValue(), must)
}

package manual

import (
	"github.com/spf13/cobra"

	"locator/internal/console"
	"locator/scheme"
)

// CompletionCommand returns the verb that prints the completion script of a shell, which is
// generated from the command tree.
func CompletionCommand(root *cobra.Command) *cobra.Command {
	shells := []cobra.Completion{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print a shell completion script",
		Long:  "completion prints a script that lets a shell complete verbs and flags.",
		Example: "  locator completion bash > /etc/bash_completion.d/locator\n" +
			"  locator completion zsh > \"${fpath[1]}/_locator\"\n" +
			"  locator completion fish > ~/.config/fish/completions/locator.fish\n" +
			"  locator completion powershell | Out-String | Invoke-Expression",
		ValidArgs: shells,
		Args:      Takes(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			out := cmd.OutOrStdout()
			switch args[0] {
			case "bash":
				return console.OutputError(root.GenBashCompletionV2(out, true))
			case "zsh":
				return console.OutputError(root.GenZshCompletion(out))
			case "fish":
				return console.OutputError(root.GenFishCompletion(out, true))
			case "powershell":
				return console.OutputError(root.GenPowerShellCompletionWithDesc(out))
			}
			return scheme.Fail(scheme.CodeUsage, "no completion for shell %q; use bash, zsh, fish or powershell", args[0])
		},
	}
}

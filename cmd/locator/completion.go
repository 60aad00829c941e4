package main

import (
	"github.com/spf13/cobra"

	"locator/scheme"
)

// completionCommand prints the completion script of a shell. It is generated from the command tree.
func completionCommand(root *cobra.Command) *cobra.Command {
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
		Args:      takes(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			out := cmd.OutOrStdout()
			switch args[0] {
			case "bash":
				return outputError(root.GenBashCompletionV2(out, true))
			case "zsh":
				return outputError(root.GenZshCompletion(out))
			case "fish":
				return outputError(root.GenFishCompletion(out, true))
			case "powershell":
				return outputError(root.GenPowerShellCompletionWithDesc(out))
			}
			return scheme.Fail(scheme.CodeUsage, "no completion for shell %q; use bash, zsh, fish or powershell", args[0])
		},
	}
}

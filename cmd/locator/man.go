package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"locator/scheme"
)

// manCommand prints manual pages. They are generated from the command tree.
func manCommand(root *cobra.Command) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "man [VERB]",
		Short: "Print manual pages",
		Long: "man prints the manual page of the program or of a verb, in roff format. With --dir it writes all pages into a\n" +
			"folder, one file per verb.",
		Example: "  locator man parse | man -l -\n" +
			"  locator man --dir /usr/local/share/man/man1",
		Args: takes(0, 1),
		ValidArgsFunction: func(*cobra.Command, []string, string) (verbs []cobra.Completion, _ cobra.ShellCompDirective) {
			for _, c := range pages(root)[1:] {
				verbs = append(verbs, c.Name())
			}
			return verbs, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case dir != "" && len(args) > 0:
				return scheme.Fail(scheme.CodeUsage, "--dir writes all pages; it takes no verb")
			case dir != "":
				return writePages(root, dir)
			case len(args) == 0:
				return writePage(cmd.OutOrStdout(), root)
			}
			for _, c := range pages(root)[1:] {
				if c.Name() == args[0] {
					return writePage(cmd.OutOrStdout(), c)
				}
			}
			return scheme.Fail(scheme.CodeUsage, "unknown verb %q", args[0])
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write all pages into this folder")
	return cmd
}

// pages returns the commands that have a manual page, the root first.
func pages(root *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{root}
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			list = append(list, c)
		}
	}
	return list
}

func writePages(root *cobra.Command, dir string) error {
	err := os.MkdirAll(dir, 0o777)
	for _, c := range pages(root) {
		var b bytes.Buffer
		if err == nil {
			err = writePage(&b, c)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, pageName(c)+".1"), b.Bytes(), 0o666)
		}
	}
	if err != nil {
		return scheme.Fail(scheme.CodeLocal, "--dir: %w", err)
	}
	return nil
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// exitStatus is an exit status with the names of its codes.
type exitStatus struct {
	exit    int
	meaning string
}

// exitStatuses returns all exit statuses in the order of the codes.
func exitStatuses() []exitStatus {
	var list []exitStatus
	for c := scheme.CodeOK; c <= scheme.CodeInterrupted; c++ {
		if n := len(list); n > 0 && list[n-1].exit == c.Exit() {
			list[n-1].meaning += ", " + c.String()
			continue
		}
		list = append(list, exitStatus{c.Exit(), c.String()})
	}
	return list
}

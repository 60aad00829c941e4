package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"locator/download"
	"locator/internal/symlink"
	"locator/scheme"
)

// manCommand prints manual pages. They are generated from the command tree.
func (a *app) manCommand(root *cobra.Command) *cobra.Command {
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
				return a.writePages(root, dir)
			case len(args) == 0:
				return writePage(cmd.OutOrStdout(), root)
			}
			for _, c := range pages(root)[1:] {
				if c.Name() == args[0] {
					return writePage(cmd.OutOrStdout(), c)
				}
			}
			return unknownVerb(root, args)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write all pages into this folder")
	return cmd
}

// verbOrder is the order of the verbs in help: the most used first.
const verbOrder = " get list put outbox attr find parse explain rm mv mkdir serve-prospero serve-wais schemes tour version completion man "

// pages returns the commands that have a manual page, the root first, the others in the order of verbOrder.
func pages(root *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{root}
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" {
			list = append(list, c)
		}
	}
	at := func(c *cobra.Command) int { return strings.Index(verbOrder, " "+c.Name()+" ") }
	slices.SortStableFunc(list[1:], func(a, b *cobra.Command) int { return at(a) - at(b) })
	return list
}

// writePages writes each page into a file, complete or not at all, and through no link of another
// user in a folder such as /tmp.
func (a *app) writePages(root *cobra.Command, dir string) error {
	dir, err := symlink.Resolve(dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o777)
	}
	for _, c := range pages(root) {
		if err == nil {
			err = a.writePageFile(c, filepath.Join(dir, pageName(c)+".1"))
		}
	}
	if err != nil {
		return scheme.Fail(scheme.CodeLocal, "--dir: %w", err)
	}
	return nil
}

func (a *app) writePageFile(c *cobra.Command, name string) error {
	f, err := download.OpenFile(name)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = download.Write(f, a.Mode, func(w io.Writer) (int64, error) { return 0, writePage(w, c) })
	return err
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// exitMeanings say in sentences what the exit statuses mean, by their first code.
var exitMeanings = map[scheme.Code]string{
	scheme.CodeOK:          "Success.",
	scheme.CodeSeveral:     "Several URLs failed, in different ways.",
	scheme.CodeUsage:       "Wrong usage, such as an unknown flag, or a query or form without its input. Nothing was changed.",
	scheme.CodeMalformed:   "A URL is malformed.",
	scheme.CodeRefused:     "The policy refuses the URL or the address: a control character, the port of another protocol, or an address that is not allowed. Or the certificate of the server is not trusted.",
	scheme.CodeUnreachable: "The host was not found, or no connection was made in time.",
	scheme.CodeLoginNeeded: "The server requires a login, or refused the one that was sent, or the user has no permission.",
	scheme.CodeNotFound:    "The resource does not exist.",
	scheme.CodeBroken:      "The transfer broke off, stalled, or exceeded a limit. What was downloaded is kept; resume it with get --continue.",
	scheme.CodeProtocol:    "The server violated its protocol, or redirects in a loop.",
	scheme.CodeUnsupported: "The scheme, the server or the resource does not support the operation, or a listing could not be read completely.",
	scheme.CodeLocal:       "Something on this computer failed: a full disk, a file that cannot be read or that exists, a bad configuration file.",
	scheme.CodeUnavailable: "The server is unavailable now; try again later.",
	scheme.CodeInDoubt:     "The request was sent and no response came: it may have been carried out.",
	scheme.CodeInterrupted: "The run was interrupted by Ctrl-C or a signal.",
}

// exitStatus is an exit status with its meaning.
type exitStatus struct {
	exit    int
	meaning string
}

// exitStatuses returns all exit statuses in the order of the codes.
func exitStatuses() []exitStatus {
	var list []exitStatus
	for c := scheme.CodeOK; c <= scheme.CodeInterrupted; c++ {
		if slices.ContainsFunc(list, func(e exitStatus) bool { return e.exit == c.Exit() }) {
			continue
		}
		list = append(list, exitStatus{c.Exit(), exitMeanings[c]})
	}
	return list
}

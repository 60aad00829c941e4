package manual

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"locator/download"
	"locator/internal/symlink"
	"locator/scheme"
)

// ManCommand returns the verb that prints manual pages, which are generated from the command tree.
// mode is that of new files.
func ManCommand(root *cobra.Command, mode fs.FileMode, date, version string) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "man [VERB]",
		Short: "Print manual pages",
		Long: "man prints the manual page of the program or of a verb, in roff format. With --dir it writes all pages into a\n" +
			"folder, one file per verb.",
		Example: "  locator man parse | man -l -\n" +
			"  locator man --dir /usr/local/share/man/man1",
		Args: Takes(0, 1),
		ValidArgsFunction: func(*cobra.Command, []string, string) (verbs []cobra.Completion, _ cobra.ShellCompDirective) {
			for _, c := range Pages(root)[1:] {
				verbs = append(verbs, c.Name())
			}
			return verbs, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case dir != "" && len(args) > 0:
				return scheme.Fail(scheme.CodeUsage, "--dir writes all pages; it Takes no verb")
			case dir != "":
				return writePages(root, dir, mode, date, version)
			case len(args) == 0:
				return writePage(cmd.OutOrStdout(), root, date, version)
			}
			for _, c := range Pages(root)[1:] {
				if c.Name() == args[0] {
					return writePage(cmd.OutOrStdout(), c, date, version)
				}
			}
			return unknownVerb(root, args)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write all pages into this folder")
	return cmd
}

// VerbOrder is the order of the verbs in help: the most used first.
const VerbOrder = " get list put outbox attr find check report runs watch worker parse explain rm mv mkdir serve open handler schemes tour version completion man "

// Pages returns the commands that have a manual page, the root first, the others in the order of
// VerbOrder.
func Pages(root *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{root}
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" {
			list = append(list, c)
		}
	}
	at := func(c *cobra.Command) int { return strings.Index(VerbOrder, " "+c.Name()+" ") }
	slices.SortStableFunc(list[1:], func(a, b *cobra.Command) int { return at(a) - at(b) })
	return list
}

// writePages writes each page into a file, complete or not at all, and through no link of another
// user in a folder such as /tmp.
func writePages(root *cobra.Command, dir string, mode fs.FileMode, date, version string) error {
	dir, err := symlink.Resolve(dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o777)
	}
	for _, c := range Pages(root) {
		if err == nil {
			err = writePageFile(c, filepath.Join(dir, pageName(c)+".1"), mode, date, version)
		}
	}
	if err != nil {
		return scheme.Fail(scheme.CodeLocal, "--dir: %w", err)
	}
	return nil
}

func writePageFile(c *cobra.Command, name string, mode fs.FileMode, date, version string) error {
	f, err := download.OpenFile(name)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = download.Write(f, mode, func(w io.Writer) (int64, error) { return 0, writePage(w, c, date, version) })
	return err
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// exitMeanings say in sentences what the exit statuses mean, by their first code.
var exitMeanings = map[scheme.Code]string{
	scheme.CodeOK:          "Success.",
	scheme.CodeSeveral:     "Several URLs failed, in different ways, or a check found URLs that lead to nothing.",
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

// ExitStatus is an exit status with its meaning.
type ExitStatus struct {
	Exit    int
	Meaning string
}

// NoURL is the exit status of a check that found no URL.
const NoURL = 14

// ExitStatuses returns all exit statuses in the order of the codes.
func ExitStatuses() []ExitStatus {
	var list []ExitStatus
	for c := scheme.CodeOK; c <= scheme.CodeChallenge; c++ {
		if slices.ContainsFunc(list, func(e ExitStatus) bool { return e.Exit == c.Exit() }) {
			continue
		}
		list = append(list, ExitStatus{c.Exit(), exitMeanings[c]})
	}
	return append(list, ExitStatus{NoURL, "A check found no URL."})
}

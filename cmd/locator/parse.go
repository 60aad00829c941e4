package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"locator"
	"locator/explain"
	"locator/internal/console"
	"locator/internal/present"
	"locator/repair"
	"locator/scheme"
)

// parseCommand parses URLs and prints their parts. It uses no network, and the same memory for any
// number of URLs.
func (a *app) parseCommand() *cobra.Command {
	var passwords, repaired bool
	cmd := &cobra.Command{
		Use:   "parse [URL ...]",
		Short: "Parse URLs and print their parts",
		Long: "parse parses URLs by the grammar of RFC 1738 section 5, or with --syntax current by that of today's RFCs. It\n" +
			"prints the parts as written, without decoding escapes, one per line. An empty part is \"\"; absent parts are left\n" +
			"out. With --json it prints one object per URL in the order of the input, also for invalid URLs; an absent part is\n" +
			"null. With -q it only sets the exit status.\n\n" +
			"With --repair, it prints for a malformed URL the one that was probably meant, and what it changed; also for two URLs\n" +
			"that are valid, but never meant: https://https://host/ and hxxp://host/.\n\n" +
			"Passwords are shown as ****.",
		Example: "  locator parse ftp://myname@host.dom/%2Fetc/motd\n" +
			"  locator parse --json < urls.txt",
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			p := a.flags.Parser(locator.RFC1738)
			return a.answers(cmd.Context(), args, passwords, func(b []byte, text string, o present.Options) ([]byte, bool) {
				r := explain.Read(p, text)
				if repaired {
					r.Repair()
				}
				switch {
				case a.Silent(), r.Changes != nil:
				case r.Err != nil:
					a.beforeInput() // output before the message
					a.Say("%v", a.Of(a.At, failureOf(&r)))
					a.SayRule(r.Err)
				default:
					if hint := repair.Hint(r.URL); hint != "" {
						a.Say("%v", a.At.Of(fmt.Errorf("%s: %s", redactInput(text), hint)))
					}
				}
				switch {
				case a.flags.Quiet:
				case a.flags.JSON:
					b = present.AppendReading(b, &r, o)
				default:
					b = present.AppendReadingText(b, &r, o)
				}
				return b, r.Malformed()
			})
		},
	}
	showPasswords(cmd, &passwords)
	cmd.Flags().BoolVar(&repaired, "repair", false, "repair malformed URLs, and print what was changed")
	a.listFlag(cmd)
	return cmd
}

// failureOf returns the error for an invalid URL.
func failureOf(r *explain.Reading) error {
	var err error = r.Suggested()
	if inner, _ := locator.Unwrap(r.Text); r.Err.Offset <= len(r.Text) && accepts(locator.Current, inner) {
		err = fmt.Errorf("%w; --syntax current accepts it", err)
	}
	return &scheme.Error{Op: "parse", URL: r.Shown(false), Code: scheme.CodeMalformed, Err: err}
}

// accepts reports whether a parser accepts a text.
func accepts(p *locator.Parser, text string) bool {
	_, err := p.Parse(text)
	return err == nil
}

// answers prints what answer appends for each URL, and counts the malformed ones.
func (a *app) answers(ctx context.Context, args []string, passwords bool, answer func(b []byte, text string, o present.Options) (_ []byte, malformed bool)) error {
	out := bufio.NewWriterSize(a.Out, 64<<10)
	a.beforeInput = func() { out.Flush() } // the next Write returns its error
	var b []byte
	first := true
	err := a.urls(ctx, args, func(text string) error {
		var malformed bool
		b, malformed = answer(b[:0], text, present.Options{Passwords: passwords, Line: a.At.Line, Limited: a.flags.LimitsAddresses(), ErrorText: textOf,
			Syntax: func(name string) string { return "--syntax " + name }})
		if malformed {
			a.Status.Add(scheme.CodeMalformed)
		}
		if len(b) == 0 {
			return nil
		}
		if a.flags.JSON {
			b = append(b, '\n')
		} else if !first {
			out.WriteByte('\n')
		}
		first = false
		_, err := out.Write(b)
		return console.OutputError(err)
	})
	return cmp.Or(err, console.OutputError(out.Flush()))
}

func showPasswords(cmd *cobra.Command, show *bool) {
	cmd.Flags().BoolVar(show, "show-passwords", false, "do not mask passwords")
}

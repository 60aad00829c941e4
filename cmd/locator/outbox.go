package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"locator/internal/console"
	"locator/internal/present"
	"locator/internal/settings"
	"locator/internal/units"
	"locator/outbox"
	"locator/scheme"
	"locator/wire"
)

// outboxOptions holds the flags of outbox.
type outboxOptions struct {
	yes, raw bool
}

// outboxAction is something that outbox can do, with the least and the most IDs that it takes; a
// negative maximum is none.
type outboxAction struct {
	name        string
	least, most int
	do          func(ctx context.Context, b *outbox.Outbox, ids []string, o outboxOptions) error
}

func (a *app) outboxActions() []outboxAction {
	return []outboxAction{
		{"list", 0, 0, a.listOutbox},
		{"show", 1, -1, a.showMessages},
		{"send", 0, -1, a.sendMessages},
		{"retry", 1, -1, a.retryMessages},
		{"drop", 1, -1, a.dropMessages},
	}
}

func (a *app) outboxCommand() *cobra.Command {
	var o outboxOptions
	cmd := &cobra.Command{
		Use:   "outbox [flags] list|show|send|retry|drop [ID ...]",
		Short: "Show and send mail that waits, has failed or is in doubt",
		Long: "outbox shows and sends the mail that put has stored. A mail stays in the outbox until the server has accepted it, and\n" +
			"for some days after that. An ID may be cut to its first letters.\n\n" +
			"  list          one line for each mail: its ID, state, date, recipients and subject, and why it was not sent; the server,\n" +
			"                if put --smtp named one\n" +
			"  show ID ...   a mail and what has happened to it; with --raw the mail alone, as it is sent\n" +
			"  send          send all queued mail that is due\n" +
			"  send ID ...   send queued mail now, whether it is due or not\n" +
			"  retry ID ...  send again what has failed or is in doubt, to the recipients who have not got it\n" +
			"  drop ID ...   remove mail\n\n" +
			"Mail is \"queued\" until the server has taken it; it is then \"sent\". It has \"failed\" if the server refused it or some of\n" +
			"its recipients. It is \"in doubt\" if the program or the connection ended between the last byte and the server's answer:\n" +
			"the server may have it. Mail in doubt is sent again only by retry, which asks first, since the recipients may get it\n" +
			"twice; drop asks before it removes mail that was not sent. --yes answers for you.\n\n" +
			"Mail that was put with --smtp is sent through that server, unless --smtp or --sendmail is given here.",
		Example: "  locator outbox list\n" +
			"  locator outbox send\n" +
			"  locator outbox show k7mw\n" +
			"  locator outbox retry --yes k7mw",
		Args: func(cmd *cobra.Command, args []string) error {
			_, err := a.outboxAction(args)
			return err
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return a.completeOutbox(args), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			action, err := a.outboxAction(args)
			if err != nil {
				return err
			}
			if o.raw && (action.name != "show" || a.flags.JSON) {
				return scheme.Fail(scheme.CodeUsage, "--raw is for \"outbox show\", and cannot be combined with --json")
			}
			dir, err := a.outboxDir()
			if err != nil {
				return err
			}
			if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
				if len(args) > 1 {
					return scheme.Fail(scheme.CodeNotFound, "there is no mail %s: the outbox %s is empty", args[1], dir)
				}
				a.Note("the outbox %s is empty", dir)
				return nil
			}
			b, err := a.openOutbox()
			if err != nil {
				return err
			}
			defer b.Close()
			return action.do(cmd.Context(), b, args[min(1, len(args)):], o)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVarP(&o.yes, "yes", "y", false, "do not ask: send again what is in doubt (retry), remove what was not sent (drop)")
	f.BoolVar(&o.raw, "raw", false, "print the mail alone, as it is sent (show)")
	return cmd
}

// outboxAction returns the action that the arguments name, list if there are none.
func (a *app) outboxAction(args []string) (outboxAction, error) {
	actions := a.outboxActions()
	if len(args) == 0 {
		return actions[0], nil
	}
	var names []string
	for _, action := range actions {
		if action.name != args[0] {
			names = append(names, action.name)
			continue
		}
		switch n := len(args) - 1; {
		case n < action.least:
			return action, scheme.Fail(scheme.CodeUsage, "which mail? usage: locator outbox %s ID ...; \"locator outbox list\" shows the IDs", action.name)
		case action.most >= 0 && n > action.most:
			return action, scheme.Fail(scheme.CodeUsage, "outbox %s takes no ID; to see one mail: locator outbox show %s", action.name, args[1])
		}
		return action, nil
	}
	return outboxAction{}, scheme.Fail(scheme.CodeUsage, "outbox cannot %q; it can %s", args[0], settings.OneOf(names))
}

// completeOutbox completes the name of an action, and the IDs of mails.
func (a *app) completeOutbox(args []string) (words []cobra.Completion) {
	if len(args) == 0 {
		for _, action := range a.outboxActions() {
			words = append(words, action.name)
		}
		return words
	}
	if dir, err := a.outboxDir(); err != nil {
		return nil
	} else if _, err := os.Stat(dir); err != nil {
		return nil
	}
	b, err := a.openOutbox()
	if err != nil {
		return nil
	}
	defer b.Close()
	list, _, _ := b.Entries()
	for _, e := range list {
		words = append(words, e.ID)
	}
	return words
}

// outboxDir returns the folder of the outbox: --outbox, or the default.
func (a *app) outboxDir() (string, error) {
	if a.flags.Outbox != "" {
		return a.flags.Outbox, nil
	}
	state := settings.StateFolder(a.Getenv)
	if state == "" {
		return "", scheme.Fail(scheme.CodeLocal, "no folder for the outbox: neither XDG_STATE_HOME nor HOME is set; use --outbox DIR")
	}
	return filepath.Join(state, "outbox"), nil
}

// openOutbox opens the outbox, and makes its folder if there is none.
func (a *app) openOutbox() (*outbox.Outbox, error) {
	dir, err := a.outboxDir()
	if err != nil {
		return nil, err
	}
	keep := time.Duration(a.flags.KeepSent) * 24 * time.Hour
	if keep == 0 {
		keep = time.Nanosecond // the default of package outbox is another one
	}
	return outbox.Open(dir, outbox.Options{Keep: keep})
}

// outboxCommandLine returns the command for an action, as the user would type it.
func (a *app) outboxCommandLine(action string) string {
	line := "locator outbox " + action
	if a.flags.Outbox != "" {
		line += " --outbox " + a.flags.Outbox
	}
	return line
}

// eachMessage calls do for each ID, and reports its errors.
func (a *app) eachMessage(ctx context.Context, b *outbox.Outbox, ids []string, do func(e outbox.Entry) error) error {
	for _, id := range ids {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		e, err := b.Find(id)
		if err == nil {
			err = do(e)
		}
		if err != nil {
			if err := a.failMessage(id, e, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// failMessage reports the error of one message.
func (a *app) failMessage(id string, e outbox.Entry, err error) error {
	if !a.flags.JSON {
		a.Fail(err)
		return nil
	}
	j := present.MessageOf(e)
	j.ID = present.Octets(id)
	j.Status, j.Error = a.Outcome(err)
	return a.PrintJSON(j)
}

// dropMessages removes mails. It asks before it removes one that was not sent.
func (a *app) dropMessages(ctx context.Context, b *outbox.Outbox, ids []string, o outboxOptions) error {
	return a.eachMessage(ctx, b, ids, func(e outbox.Entry) error {
		if e.State != outbox.Sent && !o.yes {
			what := "was not sent" + present.ToSome(e)
			if e.State == outbox.InDoubt {
				what = "may not have been sent"
			}
			if err := a.confirm(ctx, e, what, "Remove it", "to remove it"); err != nil {
				return err
			}
		}
		if err := b.Drop(e.ID); err != nil {
			return err
		}
		a.Info("removed %s", present.MessageTitle(e))
		if a.flags.JSON {
			return a.PrintJSON(present.MessageOf(e))
		}
		return nil
	})
}

// confirm asks the user on the terminal what to do with a message, and returns an error unless the
// answer is yes.
func (a *app) confirm(ctx context.Context, e outbox.Entry, what, question, purpose string) error {
	what = fmt.Sprintf("%s is %v: it %s", present.MessageTitle(e), e.State, what)
	answer, ok, err := a.Messages.Ask(ctx, what+". "+question+"? [y/N] ", false)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil || !ok:
		code := scheme.CodeUsage
		if e.State == outbox.InDoubt {
			code = scheme.CodeInDoubt
		}
		return scheme.Fail(code, "%s; %s, add --yes", what, purpose)
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	return scheme.Fail(scheme.CodeUsage, "not confirmed: %s stays %v", present.MessageTitle(e), e.State)
}

// forTerminal returns in, with control characters escaped if standard output is a terminal.
func (a *app) forTerminal(in io.Reader) io.Reader {
	if console.IsTerminal(a.Out) {
		return wire.Text(in)
	}
	return in
}

// listOutbox prints a line for each mail, and one for the reason if it was not sent.
func (a *app) listOutbox(_ context.Context, b *outbox.Outbox, _ []string, _ outboxOptions) error {
	entries, problems, err := b.Entries()
	if err != nil {
		return err
	}
	width := 0
	if console.IsTerminal(a.Out) {
		width = console.Width(a.Out)
	}
	for _, e := range entries {
		if a.flags.JSON {
			err = a.PrintJSON(present.MessageOf(e))
		} else {
			_, err = fmt.Fprint(a.Out, present.MessageLines(e, width))
			err = console.OutputError(err)
		}
		if err != nil {
			return err
		}
	}
	if len(entries) == 0 {
		a.Note("the outbox %s is empty", b.Dir())
	}
	a.reportProblems(problems)
	return nil
}

// reportProblems reports files that are not messages. Those that look like one are failures.
func (a *app) reportProblems(problems []outbox.Problem) {
	const most = 10
	for i, p := range problems {
		if i == most {
			a.Note("and %s", units.Count(len(problems)-most, "other file"))
		}
		if bad, ok := errors.AsType[*scheme.Error](p.Err); ok {
			a.Status.Add(bad.Code)
			if i < most && !a.flags.Quiet {
				a.Say("%v; it is left alone", bad)
			}
		} else if i < most {
			a.Note("outbox: %s %v", p.Name, p.Err)
		}
	}
}

// showMessages prints mails with what has happened to them.
func (a *app) showMessages(ctx context.Context, b *outbox.Outbox, ids []string, o outboxOptions) error {
	return a.eachMessage(ctx, b, ids, func(e outbox.Entry) error {
		if a.flags.JSON {
			j := present.MessageOf(e)
			for _, v := range e.History {
				j.History = append(j.History, present.MessageEvent{At: v.At.Format(time.RFC3339), State: v.State.String(), Text: present.Octets(v.Text)})
			}
			return a.PrintJSON(j)
		}
		text, err := b.Content(e.ID)
		if err != nil {
			return err
		}
		defer text.Close()
		if !o.raw {
			if _, err := io.WriteString(a.Out, present.MessageText(e)); err != nil {
				return console.OutputError(err)
			}
		}
		_, err = io.Copy(a.Out, a.forTerminal(text))
		return console.OutputError(err)
	})
}

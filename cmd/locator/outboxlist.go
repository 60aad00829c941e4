package main

import (
	"context"
	"errors"
	"fmt"

	"locator/internal/console"
	"locator/internal/present"
	"locator/internal/units"
	"locator/outbox"
	"locator/scheme"
)

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
			err = a.printJSON(present.MessageOf(e))
		} else {
			_, err = fmt.Fprint(a.Out, present.MessageLines(e, width))
			err = console.OutputError(err)
		}
		if err != nil {
			return err
		}
	}
	if len(entries) == 0 {
		a.note("the outbox %s is empty", b.Dir())
	}
	a.reportProblems(problems)
	return nil
}

// reportProblems reports files that are no messages. Those that look like one are failures.
func (a *app) reportProblems(problems []outbox.Problem) {
	const most = 10
	for i, p := range problems {
		if i == most {
			a.note("and %s", units.Count(len(problems)-most, "other file"))
		}
		if bad, ok := errors.AsType[*scheme.Error](p.Err); ok {
			a.status.add(bad.Code)
			if i < most && !a.flags.Quiet {
				a.say("%v; it is left alone", bad)
			}
		} else if i < most {
			a.note("outbox: %s %v", p.Name, p.Err)
		}
	}
}

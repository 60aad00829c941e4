package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"locator/scheme"
)

// askFields asks a person at the terminal for what a query or form still wants. ok is false where nobody sits there.
// An empty answer is the default of the field.
func (a *app) askFields(ctx context.Context, form *scheme.Form, answers []scheme.Answer) (all []scheme.Answer, ok bool, err error) {
	if !isTerminal(a.In) {
		return nil, false, nil
	}
	all = answers
	note := ""
	for _, f := range form.Fields {
		if f.Kind == scheme.FieldNote {
			note += f.Name + " - "
			continue
		}
		if answered(f, answers) {
			continue
		}
		answer, ok, err := a.askField(ctx, note, f)
		if !ok || err != nil {
			return nil, false, err
		}
		note = ""
		all = append(all, answer)
	}
	return all, true, nil
}

// answered reports whether one of the answers is for the field.
func answered(f scheme.Field, answers []scheme.Answer) bool {
	for _, x := range answers {
		if scheme.SameField(f.Name, x.Name) {
			return true
		}
	}
	return false
}

// askField asks for one answer; a secret is not shown.
func (a *app) askField(ctx context.Context, note string, f scheme.Field) (scheme.Answer, bool, error) {
	answer := scheme.Answer{Name: f.Name}
	question := note + strings.TrimSuffix(f.Name, ":")
	switch f.Kind {
	case scheme.FieldChoice:
		question += " (" + strings.Join(f.Options, ", ") + ")"
	case scheme.FieldSwitch:
		question += " (1 or 0)"
	case scheme.FieldFile:
		question += " (name of a file)"
	case scheme.FieldLines:
		question += " (lines, up to one that is a single dot)"
	}
	if f.Default != "" && f.Kind != scheme.FieldSecret {
		question += " [" + f.Default + "]"
	}
	text, ok, err := a.ask(ctx, question+": ", f.Kind == scheme.FieldSecret)
	if !ok || err != nil {
		return answer, ok, err
	}
	switch {
	case f.Kind == scheme.FieldFile && text != "":
		h, err := openFile(ctx, text, os.O_RDONLY)
		if ctx.Err() != nil {
			return answer, false, context.Cause(ctx)
		}
		if err != nil {
			return answer, false, scheme.Fail(scheme.CodeLocal, "the file for %s: %w", fmt.Sprintf("%q", f.Name), err)
		}
		answer.File = h
	case f.Kind == scheme.FieldLines:
		var lines []string
		for ok && err == nil && text != "." {
			lines = append(lines, text)
			text, ok, err = a.ask(ctx, "", false)
		}
		answer.Value = strings.Join(lines, "\n")
	case text == "":
		answer.Value = f.Default
	default:
		answer.Value = text
	}
	return answer, ok, err
}

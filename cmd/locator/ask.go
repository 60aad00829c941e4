package main

import (
	"context"
	"os"
	"slices"
	"strings"

	"locator/internal/ctxio"
	"locator/scheme"
)

// askFields asks for the missing answers of a query or form at the terminal. ok is false if there is no terminal. An empty
// answer selects the default of the field.
func (a *app) askFields(ctx context.Context, form *scheme.Form, answers []scheme.Answer) (all []scheme.Answer, ok bool, err error) {
	if !isTerminal(a.In) {
		return nil, false, nil
	}
	return askEach(form.Fields, answers, func(note string, f scheme.Field) (scheme.Answer, bool, error) { return a.askField(ctx, note, f) })
}

// askEach asks for the missing answers with ask, and adds them to the given ones. If it fails, it closes the files that ask has
// opened.
func askEach(fields []scheme.Field, given []scheme.Answer, ask func(note string, f scheme.Field) (scheme.Answer, bool, error)) (all []scheme.Answer, ok bool, err error) {
	all = slices.Clone(given)
	note := ""
	for _, f := range fields {
		if f.Kind == scheme.FieldNote {
			note += f.Name + " - "
			continue
		}
		if answered(f, given) {
			continue
		}
		answer, ok, err := ask(note, f)
		if !ok || err != nil {
			closeFiles(all[len(given):])
			return nil, false, err
		}
		note = ""
		all = append(all, answer)
	}
	return all, true, nil
}

// answered reports whether one of the answers is for the field.
func answered(f scheme.Field, answers []scheme.Answer) bool {
	return slices.ContainsFunc(answers, func(x scheme.Answer) bool { return scheme.SameField(f.Name, x.Name) })
}

// askField asks for one answer. The answer to a secret field is not echoed.
func (a *app) askField(ctx context.Context, note string, f scheme.Field) (scheme.Answer, bool, error) {
	answer := scheme.Answer{Name: f.Name}
	question := note + strings.TrimSuffix(f.Name, ":")
	switch f.Kind {
	case scheme.FieldChoice:
		question += " (" + strings.Join(f.Options, ", ") + ")"
	case scheme.FieldSwitch:
		question += " (1 or 0)"
	case scheme.FieldFile:
		question += " (file name)"
	case scheme.FieldLines:
		question += " (several lines, end with a single dot)"
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
		h, err := ctxio.OpenFile(ctx, text, os.O_RDONLY)
		if ctx.Err() != nil {
			return answer, false, context.Cause(ctx)
		}
		if err != nil {
			return answer, false, scheme.Fail(scheme.CodeLocal, "file for field %q: %w", f.Name, err)
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

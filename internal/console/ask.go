package console

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"locator/internal/ctxio"
	"locator/scheme"
	"locator/scheme/form"
	"locator/wire"
)

// AskFields asks for the missing answers of a query or form at the terminal. It returns them after
// the given ones. ok is false if there is no terminal. An empty answer selects the default of the
// field. The caller must close the files: see [CloseFiles].
func (m *Messages) AskFields(ctx context.Context, fields []form.Field, given []form.Answer) (all []form.Answer, ok bool, err error) {
	return askEach(fields, given, func(note string, f form.Field) (form.Answer, bool, error) { return m.askField(ctx, note, f) })
}

// askEach asks for the missing answers with ask, and adds them to the given ones. If it fails, it
// closes the files that ask has opened.
func askEach(fields []form.Field, given []form.Answer, ask func(note string, f form.Field) (form.Answer, bool, error)) (all []form.Answer, ok bool, err error) {
	all = slices.Clone(given)
	note := ""
	for _, f := range fields {
		if f.Kind == form.Note {
			note += f.Name + " - "
			continue
		}
		if answered(f, given) {
			continue
		}
		answer, ok, err := ask(note, f)
		if !ok || err != nil {
			CloseFiles(all[len(given):])
			return nil, false, err
		}
		note = ""
		all = append(all, answer)
	}
	return all, true, nil
}

// answered reports whether one of the answers is for the field.
func answered(f form.Field, answers []form.Answer) bool {
	return slices.ContainsFunc(answers, func(x form.Answer) bool { return form.SameName(f.Name, x.Name) })
}

// askField asks for one answer. The answer to a secret field is not echoed.
func (m *Messages) askField(ctx context.Context, note string, f form.Field) (form.Answer, bool, error) {
	answer := form.Answer{Name: f.Name}
	question := note + strings.TrimSuffix(f.Name, ":")
	switch f.Kind {
	case form.Choice:
		question += " (" + strings.Join(f.Options, ", ") + ")"
	case form.Switch:
		question += " (1 or 0)"
	case form.File:
		question += " (file name)"
	case form.Lines:
		question += " (several lines, end with a single dot)"
	}
	if f.Default != "" && f.Kind != form.Secret {
		question += " [" + f.Default + "]"
	}
	text, ok, err := m.Ask(ctx, question+": ", f.Kind == form.Secret)
	if !ok || err != nil {
		return answer, ok, err
	}
	switch {
	case f.Kind == form.File && text != "":
		h, err := ctxio.OpenFile(ctx, text, os.O_RDONLY)
		if ctx.Err() != nil {
			return answer, false, context.Cause(ctx)
		}
		if err != nil {
			return answer, false, scheme.Fail(scheme.CodeLocal, "file for field %q: %w", f.Name, err)
		}
		answer.File = h
	case f.Kind == form.Lines:
		var lines []string
		for ok && err == nil && text != "." {
			lines = append(lines, text)
			text, ok, err = m.Ask(ctx, "", false)
		}
		answer.Value = strings.Join(lines, "\n")
	case text == "":
		answer.Value = f.Default
	default:
		answer.Value = text
	}
	return answer, ok, err
}

// Missing returns the quoted names of the fields that have neither an answer nor a default.
func Missing(fields []form.Field, answers []form.Answer) []string {
	var missing []string
	for _, f := range fields {
		if f.Kind != form.Note && f.Default == "" && !answered(f, answers) {
			missing = append(missing, "\""+f.Name+"\"")
		}
	}
	return missing
}

// CloseFiles closes the files of answers.
func CloseFiles(answers []form.Answer) {
	for _, x := range answers {
		if c, ok := x.File.(io.Closer); ok {
			c.Close()
		}
	}
}

// Ask asks a question on the controlling terminal. The answer to a secret question is not echoed.
// ok is false if there is no terminal. Ask ends with the context.
func (m *Messages) Ask(ctx context.Context, question string, secret bool) (answer string, ok bool, err error) {
	tty, err := openTerminal()
	if err != nil {
		return "", false, nil // no terminal
	}
	defer tty.Close()
	m.mu.Lock() // no message in the middle of a question
	defer m.mu.Unlock()
	if m.clear != nil {
		m.clear()
	}
	before, err := term.GetState(int(tty.Fd()))
	if err != nil {
		return "", false, err
	}
	fmt.Fprint(tty, wire.TextLine(question))
	answer, err = ctxio.Wait(ctx, func() (string, error) {
		if secret {
			b, err := term.ReadPassword(int(tty.Fd()))
			return string(b), err
		}
		return ReadLine(tty)
	})
	if ctx.Err() != nil {
		_ = term.Restore(int(tty.Fd()), before) // ReadPassword has turned off the echo
	}
	if secret || ctx.Err() != nil {
		fmt.Fprintln(tty)
	}
	return answer, err == nil, err
}

// maxAnswer is the longest answer, in bytes.
const maxAnswer = 4 << 10

// ReadLine returns a line without its end, or the first 4096 bytes of a longer one.
func ReadLine(in io.Reader) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(in, maxAnswer)).ReadString('\n')
	return strings.TrimRight(line, "\r\n"), err
}

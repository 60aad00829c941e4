package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"locator"
	"locator/internal/jsontext"
	"locator/repair"
	"locator/scheme"
	"locator/wire"
)

// parseCommand parses URLs and prints their parts. It uses no network, and the same memory for any number of URLs.
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
			p := a.flags.parser(locator.RFC1738)
			var r reading // of one URL after the other
			return a.answers(cmd.Context(), args, passwords, func(text string) answer {
				r = readURL(p, text)
				r.line = a.at.line
				if repaired {
					r.repair()
				}
				switch {
				case a.silent(), r.changes != nil:
				case r.bad != nil:
					a.beforeInput() // output before the message
					a.say("%v", a.of(a.at, r.failure()))
					a.sayRule(r.bad)
				default:
					if hint := repair.Hint(r.url); hint != "" {
						a.say("%v", a.at.of(fmt.Errorf("%s: %s", redactInput(text), hint)))
					}
				}
				return &r
			})
		},
	}
	showPasswords(cmd, &passwords)
	cmd.Flags().BoolVar(&repaired, "repair", false, "repair malformed URLs, and print what was changed")
	a.listFlag(cmd)
	return cmd
}

// answer is what parse or explain says about one URL.
type answer interface {
	malformed() bool
	appendObject(b []byte, passwords bool) []byte
	appendText(b []byte, passwords bool) []byte
}

// answers prints the answer to each URL.
func (a *app) answers(ctx context.Context, args []string, passwords bool, read func(text string) answer) error {
	out := a.output()
	var b []byte
	first := true
	return finish(out, a.urls(ctx, args, func(text string) error {
		x := read(text)
		if x.malformed() {
			a.status.add(scheme.CodeMalformed)
		}
		b = b[:0]
		switch {
		case a.flags.quiet:
		case a.flags.json:
			b = append(x.appendObject(b, passwords), '\n')
		default:
			if b = x.appendText(b, passwords); len(b) > 0 && !first {
				out.WriteByte('\n')
			}
			first = first && len(b) == 0
		}
		_, err := out.Write(b)
		return outputError(err)
	}))
}

func showPasswords(cmd *cobra.Command, show *bool) {
	cmd.Flags().BoolVar(show, "show-passwords", false, "do not mask passwords")
}

// outputError gives an error of writing the output the code CodeLocal.
func outputError(err error) error {
	if err == nil {
		return nil
	}
	return scheme.Fail(scheme.CodeLocal, "writing the output: %w", err)
}

// appendObject appends the object of parse --json.
func (r *reading) appendObject(b []byte, passwords bool) []byte {
	b = appendText(append(b, '{'), "input", r.shown(passwords))
	if r.line > 0 {
		b = strconv.AppendInt(appendKey(b, "line"), int64(r.line), 10)
	}
	b = appendBool(b, "ok", r.bad == nil)
	if r.bad != nil {
		b = appendFilled(b, "scheme", r.bad.Scheme)
		b = r.appendRepair(appendSyntaxError(appendKey(b, "error"), r.suggested()), passwords)
		return append(b, '}')
	}
	u := r.masked(passwords)
	b = appendText(b, "scheme", u.Scheme())
	b = appendOptional(b, "user", optionalOf(u.User()))
	b = appendOptional(b, "password", r.password(passwords))
	b = appendOptional(b, "host", optionalOf(u.Host(), u.HasHost()))
	b = appendPort(appendKey(b, "port"), u.Port())
	b = appendOptional(b, "fragment", optionalOf(u.Fragment()))
	b = appendText(b, "canonical", r.canonical(passwords))
	b = append(appendKey(b, "view"), '{')
	for _, p := range u.Parts() {
		b = appendPart(b, p)
	}
	return append(r.appendRepair(append(b, '}'), passwords), '}')
}

// appendRepair appends the repaired URL and what was changed, as an object, if there is one.
func (r *reading) appendRepair(b []byte, passwords bool) []byte {
	if r.changes == nil {
		return b
	}
	b = appendText(append(appendKey(b, "repaired"), '{'), "url", repairedText(r.repaired, passwords))
	b = append(appendKey(b, "changes"), '[')
	for i, c := range r.changes {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(appendKey(append(b, '{'), "offset"), int64(c.Offset), 10)
		b = append(appendText(appendText(appendText(b, "was", c.Was), "now", c.Now), "why", c.Why), '}')
	}
	return append(b, ']', '}')
}

// appendPort appends a port up to 65535 as a number, larger ones as a string, and null if there is none.
func appendPort(b []byte, digits string) []byte {
	if digits == "" {
		return append(b, "null"...)
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil {
		return jsontext.AppendString(b, digits)
	}
	return strconv.AppendUint(b, n, 10)
}

// appendPart appends a part of the view.
func appendPart(b []byte, p locator.Part) []byte {
	switch p.Kind {
	case locator.PartList:
		return appendList(b, p.Name, p.List)
	case locator.PartPairs:
		b = append(appendKey(b, p.Name), '[')
		for i, f := range p.Pairs {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendText(appendText(append(b, '{'), "name", f.Name), "value", f.Value), '}')
		}
		return append(b, ']')
	}
	return appendOptional(b, p.Name, p.Text)
}

// appendSyntaxError appends an error as an object.
func appendSyntaxError(b []byte, e *locator.SyntaxError) []byte {
	b = appendKey(append(b, '{'), "offset")
	b = strconv.AppendInt(b, int64(e.Offset), 10)
	b = appendFilled(b, "rule", e.Rule)
	b = appendFilled(b, "section", e.Section)
	b = appendText(b, "message", e.Msg)
	return append(appendFilled(b, "hint", e.Hint), '}')
}

// appendText appends one line for each part that is present; nothing of an invalid URL. If the URL was repaired, it appends only the result and
// what was changed.
func (r *reading) appendText(b []byte, passwords bool) []byte {
	if r.bad != nil && r.changes == nil {
		return b
	}
	if r.changes != nil {
		b = appendLine(b, "input", locator.Some(r.shown(passwords)))
		b = appendLine(b, "repaired", locator.Some(repairedText(r.repaired, passwords)))
		for _, c := range r.changes {
			b = append(append(appendName(b, "change"), inASCII(safe(c.String()))...), '\n') // its quoted parts are escaped already
		}
		return b
	}
	u := r.masked(passwords)
	b = appendLine(b, "input", locator.Some(r.shown(passwords)))
	b = appendLine(b, "scheme", locator.Some(u.Scheme()))
	b = appendLine(b, "user", optionalOf(u.User()))
	b = appendLine(b, "password", r.password(passwords))
	b = appendLine(b, "host", optionalOf(u.Host(), u.HasHost()))
	b = appendLine(b, "port", optionalOf(u.Port(), u.Port() != ""))
	for _, p := range u.Parts() {
		switch p.Kind {
		case locator.PartText:
			b = appendLine(b, p.Name, p.Text)
		case locator.PartList:
			words := make([]string, len(p.List))
			for i, s := range p.List {
				words[i] = visible(s)
			}
			b = appendWords(b, p.Name, words)
		case locator.PartPairs:
			words := make([]string, len(p.Pairs))
			for i, f := range p.Pairs {
				words[i] = wire.Escape(f.Name) + "=" + wire.Escape(f.Value)
			}
			b = appendWords(b, p.Name, words)
		}
	}
	b = appendLine(b, "fragment", optionalOf(u.Fragment()))
	return appendLine(b, "canonical", locator.Some(r.canonical(passwords)))
}

// appendLine appends "name  value" unless the value is absent.
func appendLine(b []byte, name string, value locator.Optional) []byte {
	s, ok := value.Get()
	if !ok {
		return b
	}
	return append(append(appendName(b, name), visible(s)...), '\n')
}

// appendName appends the name of a line, padded with spaces.
func appendName(b []byte, name string) []byte {
	b = append(b, name...)
	for range max(2, 11-len(name)) {
		b = append(b, ' ')
	}
	return b
}

// appendWords appends "name  word word" unless there are no words. Words contain no spaces.
func appendWords(b []byte, name string, words []string) []byte {
	if len(words) == 0 {
		return b
	}
	return append(append(appendName(b, name), strings.Join(words, " ")...), '\n')
}

// visible returns a part for a terminal. An empty part becomes "".
func visible(s string) string {
	if s == "" {
		return `""`
	}
	return wire.Escape(s)
}

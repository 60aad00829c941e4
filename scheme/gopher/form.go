package gopher

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"locator"
	"locator/scheme"
	"locator/scheme/form"
)

// askState is the electronic form of an item (RFC 1738 3.4.5). It is the State of a [form.Form].
type askState struct {
	q         place // the item; its command is a view at most
	questions []form.Field
	notes     []string
	attr      scheme.Attr
}

// stateOf returns the form that this package has made, or nil.
func stateOf(f *form.Form) (state *askState) {
	if f != nil {
		state, _ = f.State.(*askState)
	}
	return state
}

// askBlock holds the questions.
const askBlock = "+ASK"

// form asks for the form of an item. Answers that are in the URL already (RFC 1738 3.4.9) are
// filled in.
func (s Scheme) form(ctx context.Context, env *scheme.Env, q place) (*askState, error) {
	rec, ok, err := s.record(ctx, env, q)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, scheme.Fail(scheme.CodeUnsupported, "the server does not speak Gopher+, so the item has no form; leave %%09%%09 and what follows out of the URL")
	}
	b, ok := rec.find(askBlock)
	if !ok {
		return nil, scheme.Fail(scheme.CodeUnsupported, "the item has no form; use %%09%%09+ at the end of the URL to read it")
	}
	questions, err := parseAsk(b.lines, q.chars)
	if err != nil {
		return nil, err
	}
	f := &askState{q: q, questions: questions, attr: rec.attr(q.chars)}
	given := q.plus.block
	f.q.plus = command{verb: '+'}
	if given != nil {
		f.q.plus.arg = q.plus.arg
		f.notes = append(f.notes, "the URL holds a filled form: it is shown and not sent")
		if !f.prefill(given.answers) {
			f.notes = append(f.notes, "the answers in the URL do not fit the form and were left out")
		}
	}
	return f, nil
}

func (s Scheme) formResource(ctx context.Context, env *scheme.Env, q place) (*scheme.Resource, error) {
	f, err := s.form(ctx, env, q)
	if err != nil {
		return nil, err
	}
	return &scheme.Resource{Kind: scheme.KindForm, Form: &form.Form{Fields: slices.Clone(f.questions), State: f}, Attr: f.attr, Notes: f.notes}, nil
}

// prefill makes the lines of a filled form the defaults. It returns false if they do not fit this
// form.
func (f *askState) prefill(lines []string) bool {
	filled := slices.Clone(f.questions)
	for i := range filled {
		q := &filled[i]
		if q.Kind == form.Note || q.Kind == form.File {
			continue
		}
		if len(lines) == 0 {
			return false
		}
		value := f.q.chars.text(lines[0])
		lines = lines[1:]
		switch q.Kind {
		case form.Lines:
			n, err := strconv.ParseUint(value, 10, 31)
			if err != nil || n > uint64(len(lines)) {
				return false
			}
			var text []string
			for _, l := range lines[:n] {
				text = append(text, f.q.chars.text(l))
			}
			value, lines = strings.Join(text, "\n"), lines[n:]
		case form.Choice:
			if !slices.Contains(q.Options, value) {
				return false
			}
		case form.Switch:
			if value != "0" && value != "1" {
				return false
			}
		case form.Secret:
			value = "" // a password in a URL is not carried on
		}
		q.Default = value
	}
	if len(lines) > 0 {
		return false
	}
	f.questions = filled
	return true
}

// pair finds the answer to each question; nil where there is none. Of questions with one name, the
// first answer is for the first.
func (f *askState) pair(answers []form.Answer) ([]*form.Answer, error) {
	paired := make([]*form.Answer, len(f.questions))
next:
	for i := range answers {
		for j, q := range f.questions {
			if paired[j] == nil && q.Kind != form.Note && form.SameName(q.Name, answers[i].Name) {
				paired[j] = &answers[i]
				continue next
			}
		}
		return nil, scheme.Fail(scheme.CodeUsage, "the form has no field %q; it has: %s", answers[i].Name, f.names())
	}
	return paired, nil
}

func (f *askState) names() string {
	var names []string
	for _, q := range f.questions {
		if q.Kind != form.Note {
			names = append(names, strconv.Quote(strings.TrimSuffix(q.Name, ":")))
		}
	}
	return strings.Join(names, ", ")
}

// fill makes the data block.
func (f *askState) fill(answers []form.Answer) (*block, error) {
	paired, err := f.pair(answers)
	if err != nil {
		return nil, err
	}
	b := &block{}
	for i, q := range f.questions {
		value := q.Default
		if a := paired[i]; a != nil {
			value = a.Value
		}
		if q.Kind == form.File {
			if b.file != nil {
				return nil, scheme.Fail(scheme.CodeUnsupported, "the form asks for two files; Gopher+ can send one")
			}
			if b.file, err = f.file(paired[i]); err != nil {
				return nil, err
			}
			continue
		}
		lines, err := answerLines(q, value)
		if err != nil {
			return nil, err
		}
		for _, l := range lines {
			b.answers = append(b.answers, l)
			b.secret = append(b.secret, q.Kind == form.Secret)
		}
	}
	b.counted = b.needsCount()
	return b, nil
}

// maxUpload bounds a file: it is held in memory, for its length is sent first.
const maxUpload = 64 << 20 // bytes

func (f *askState) file(a *form.Answer) ([]byte, error) {
	switch {
	case a == nil:
		return []byte{}, nil
	case a.File == nil:
		return []byte(a.Value), nil
	}
	data, err := io.ReadAll(io.LimitReader(a.File, maxUpload+1))
	switch {
	case err != nil:
		return nil, scheme.Fail(scheme.CodeLocal, "reading the file for %q: %w", a.Name, err)
	case len(data) > maxUpload:
		return nil, scheme.Fail(scheme.CodeUsage, "the file for %q is longer than %d bytes", a.Name, maxUpload)
	}
	return data, nil
}

// fillURL returns the URL of the filled form (RFC 1738 3.4.9). There is none if an answer is
// secret, or for a form with a file.
func (f *askState) fillURL(answers []form.Answer) (locator.URL, bool) {
	if slices.ContainsFunc(f.questions, func(q form.Field) bool { return q.Kind == form.File }) {
		return locator.URL{}, false
	}
	b, err := f.fill(answers)
	if err != nil {
		return locator.URL{}, false
	}
	for i, a := range b.answers {
		if b.secret[i] && a != "" {
			return locator.URL{}, false
		}
	}
	u, err := f.filled(b).url()
	return u, err == nil
}

// filled is the request that sends the form.
func (f *askState) filled(b *block) place {
	q := f.q
	q.plus.block = b
	return q
}

// withBody adds the body of an update to the answers: it is the file, or the one answer that is
// still open.
func (f *askState) withBody(ctx context.Context, limits scheme.Limits, answers []form.Answer, b scheme.Body) ([]form.Answer, error) {
	if b.Reader == nil && b.Size.Or(0) == 0 {
		return answers, nil
	}
	paired, err := f.pair(answers)
	if err != nil {
		return nil, err
	}
	var open []form.Field
	for i, q := range f.questions {
		switch {
		case paired[i] != nil || q.Kind == form.Note:
		case q.Kind == form.File:
			text, err := readUpTo(b.Source(ctx), maxUpload)
			return append(slices.Clone(answers), form.Answer{Name: q.Name, File: bytes.NewReader(text)}), err
		default:
			open = append(open, q)
		}
	}
	if len(open) == 1 {
		text, err := readUpTo(b.Source(ctx), limits.Header)
		value := strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")
		return append(slices.Clone(answers), form.Answer{Name: open[0].Name, Value: value}), err
	}
	if len(open) == 0 {
		if text, err := readUpTo(b.Source(ctx), 0); err == nil || len(text) == 0 {
			return answers, err // and there is nothing to send
		}
	}
	return nil, scheme.Fail(scheme.CodeUsage, "the body can be the answer to one field, and %d are open; the form has: %s", len(open), f.names())
}

// readUpTo reads a body of at most limit bytes. If it is longer, readUpTo returns its first bytes
// and an error.
func readUpTo(src *scheme.Source, limit int) ([]byte, error) {
	var text bytes.Buffer
	n, err := src.Do(func() (int64, error) { return io.Copy(&text, io.LimitReader(src, int64(limit)+1)) })
	switch {
	case err != nil:
		return nil, err
	case n > int64(limit):
		return text.Bytes(), scheme.Fail(scheme.CodeUsage, "the body is longer than %d bytes, the most that the form can take", limit)
	}
	return text.Bytes(), nil
}

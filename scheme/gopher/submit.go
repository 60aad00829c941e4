package gopher

import (
	"context"

	"locator"
	"locator/scheme"
	"locator/scheme/form"
	"locator/wire"
)

// Update fills in and sends the form of an item (RFC 1738 3.4.5). The body is the file that the
// form asks for, or the one answer that o.Answers leave open.
func (s Scheme) Update(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	f, err := s.asked(ctx, env, r.URL, o.Accept)
	if err != nil {
		return nil, err
	}
	answers, err := f.withBody(ctx, env.Limits, o.Answers, b)
	if err != nil {
		return nil, err
	}
	res, err := s.send(ctx, env, f, answers, b, options{AccessOptions: scheme.AccessOptions{Accept: o.Accept}})
	return result(r.URL, res, err)
}

// asked asks for the form of the item that u names.
func (s Scheme) asked(ctx context.Context, env *scheme.Env, u locator.URL, accept scheme.Accept) (*askState, error) {
	q, _, err := s.prepare(ctx, env, u, options{AccessOptions: scheme.AccessOptions{Accept: accept}})
	if err != nil {
		return nil, err
	}
	if q.plus.verb != '?' && q.plus.block == nil {
		return nil, scheme.Fail(scheme.CodeUnsupported, "only an item with a form takes a body; the URL of one ends in %%09%%09?")
	}
	return s.form(ctx, env, q)
}

// Submit sends the answers to a search (RFC 1738 3.4.2) or a form (RFC 1738 3.4.5).
func (s Scheme) Submit(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.SubmitOptions) (*scheme.Resource, error) {
	res, err := s.submit(ctx, env, r.URL, o)
	return result(r.URL, res, err)
}

func (s Scheme) submit(ctx context.Context, env *scheme.Env, u locator.URL, o scheme.SubmitOptions) (*scheme.Resource, error) {
	w := options{AccessOptions: scheme.AccessOptions{Accept: o.Accept, Raw: o.Raw}}
	q, err := newPlace(u)
	if err != nil {
		return nil, err
	}
	if q.wantsWords() {
		words, err := queryWords(o.Answers)
		if err != nil {
			return nil, err
		}
		w.Query = locator.Some(words)
		return s.access(ctx, env, u, w)
	}
	f := stateOf(o.Form)
	if f == nil {
		if f, err = s.asked(ctx, env, u, o.Accept); err != nil {
			return nil, err
		}
	}
	return s.send(ctx, env, f, o.Answers, scheme.Body{}, w)
}

// Fill writes the URL of a search with its words, or of a filled form (RFC 1738 3.4.9).
func (s Scheme) Fill(r scheme.Request, form *form.Form, answers []form.Answer) (locator.URL, bool) {
	q, err := newPlace(r.URL)
	if err != nil {
		return locator.URL{}, false
	}
	if q.wantsWords() {
		return q.fillQuery(answers)
	}
	if f := stateOf(form); f != nil {
		return f.fillURL(answers)
	}
	return locator.URL{}, false
}

// send sends the filled form. b is the body in place of one of the answers, if any.
func (s Scheme) send(ctx context.Context, env *scheme.Env, f *askState, answers []form.Answer, b scheme.Body, r options) (*scheme.Resource, error) {
	data, err := f.fill(answers)
	if err != nil {
		return nil, err
	}
	if err := b.Pass(); err != nil {
		return nil, err
	}
	return s.get(ctx, env, f.filled(data), r)
}

// queryField is the name of the one field of a search.
const queryField = "Search"

// queryWords finds the answer.
func queryWords(answers []form.Answer) (string, error) {
	if len(answers) != 1 || answers[0].Name != "" && !form.SameName(queryField, answers[0].Name) {
		return "", scheme.Fail(scheme.CodeUsage, "a search has one field, %q", queryField)
	}
	return answers[0].Value, nil
}

// fillQuery returns the URL with the words behind %09.
func (q place) fillQuery(answers []form.Answer) (locator.URL, bool) {
	words, err := queryWords(answers)
	if err != nil || wire.Check("search", words, "\t") != nil {
		return locator.URL{}, false
	}
	u, err := q.withWords(words).url()
	return u, err == nil
}

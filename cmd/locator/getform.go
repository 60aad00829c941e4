package main

import (
	"context"
	"fmt"
	"strings"

	"locator/internal/console"
	"locator/repair"
	"locator/scheme"
	"locator/scheme/form"
)

// submit fills in a query or form and sends it. If answers are missing, it asks for them at the
// terminal, or returns an error that names them.
func (g *getter) submit(ctx context.Context, r scheme.Request, page *scheme.Resource) (*scheme.Resource, error) {
	fields, answers := page.Form.Fields, g.answers
	if words, ok := g.opt.Access.Query.Get(); ok && page.Kind == scheme.KindQuery && len(answers) == 0 && len(fields) > 0 {
		answers = []form.Answer{{Name: fields[0].Name, Value: words}}
	}
	missing := console.Missing(fields, answers)
	if (len(answers) == 0 || len(missing) > 0) && console.IsTerminal(g.app.In) {
		asked, ok, err := g.app.messages.AskFields(ctx, page.Form.Fields, answers)
		if err != nil {
			return nil, err
		}
		if ok {
			defer console.CloseFiles(asked)
			answers, missing = asked, nil
		}
	}
	if len(answers) == 0 || len(missing) > 0 {
		flag := "--field 'Name=value'"
		if page.Kind == scheme.KindQuery {
			flag = "--query WORDS"
		}
		err := fmt.Errorf("this is a %s that needs %s; use %s", page.Kind, strings.Join(missing, ", "), flag)
		if hint := repair.Hint(page.URL); hint != "" {
			err = fmt.Errorf("%w; %s", err, hint)
		}
		return nil, &scheme.Error{Op: scheme.OpAccess, URL: page.URL.Redacted(), Code: scheme.CodeUsage, Err: err}
	}
	r.URL, r.From = page.URL, page.From()
	return g.c.Submit(ctx, r, scheme.SubmitOptions{Answers: answers, Form: page.Form, Accept: g.opt.Access.Accept, Raw: g.opt.Access.Raw, RawListing: g.opt.Access.RawListing})
}

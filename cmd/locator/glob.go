package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"locator/client"
	"locator/internal/present"
	"locator/scheme"
	"locator/tree"
)

// explainPattern adds to the error of a URL that looks like a pattern that its scheme has none.
func explainPattern(c *client.Client, text string, err error) error {
	if code := client.CodeOf(err); code != scheme.CodeNotFound && code != scheme.CodeMalformed {
		return err
	}
	name, others := tree.LooksLikePattern(c, text)
	if name == "" {
		return err
	}
	return present.With(err, fmt.Sprintf("; a pattern is possible only with %s; with %s, use get -r --include", strings.Join(others, ", "), name))
}

// urls is app.urls with the files that match for each pattern. With --recursive, --include selects files.
func (b *batch) urls(ctx context.Context, args []string, do func(text string) error) error {
	return b.app.urls(ctx, args, func(text string) error {
		p, ok := tree.ParsePattern(b.c, text, b.app.read)
		if !ok || b.o.recursive.on {
			return do(text)
		}
		if err := b.app.checkMeaning(b.c, p.Dir()); err != nil {
			b.getter(redactInput(text), b.app.At).report(err)
			return nil
		}
		matches, exact, err := p.Expand(ctx, b.c, &scheme.ListOptions{Accept: b.app.flags.Accept()})
		if exact {
			return do(text)
		}
		var files []string
		for _, e := range matches {
			if e.Kind != scheme.KindListing {
				files = append(files, e.URL.Text())
			}
		}
		switch {
		case err != nil:
		case len(files) == 0:
			err = &scheme.Error{Op: scheme.OpList, URL: p.String(), Code: scheme.CodeNotFound,
				Err: errors.New("only directories match the pattern; use --recursive with --include, or list")}
		case len(files) > 1 && (b.o.output != "" || b.o.sha256 != ""):
			err = scheme.Fail(scheme.CodeUsage, "%d files match %s; use -O or --dir for several", len(files), p)
		}
		if err != nil {
			b.getter(redactInput(text), b.app.At).report(err)
			return nil
		}
		for _, text := range files {
			if err := do(text); err != nil {
				return err
			}
		}
		return nil
	})
}

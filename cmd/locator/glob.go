package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"locator"
	"locator/client"
	"locator/scheme"
)

// glob is a URL whose last segment is a pattern, such as ftp://host/pub/*.txt.
type glob struct {
	shown   string // the URL in messages
	dir     locator.URL
	pattern string // of names; escaped characters of the URL stand for themselves
	name    string // the segment as a name: RFC 1738 allows "*" and "?" in names
}

// glob returns the pattern in a text. ok is false if its last segment has none of "*", "?" and "[", if its scheme has no directories, or
// if it would be no URL with these characters escaped.
func (a *app) glob(c *client.Client, text string) (g glob, ok bool) {
	inner, _ := locator.Unwrap(text)
	slash := strings.LastIndexByte(inner, '/')
	dir, segment := inner[:slash+1], inner[slash+1:]
	if !strings.ContainsAny(segment, "*?[") || strings.ContainsAny(segment, "#;") {
		return g, false
	}
	escaped := strings.NewReplacer("*", "%2A", "?", "%3F", "[", "%5B", "]", "%5D").Replace(segment)
	u, err := a.read(dir + escaped)
	if err != nil {
		return g, false
	}
	segments, _ := u.Segments()
	g = glob{shown: locator.Redact(inner), pattern: namePattern(segment), name: locator.Decode(segment)}
	if len(segments) == 0 || segments[len(segments)-1] != g.name || !doublestar.ValidatePattern(g.pattern) {
		return g, false
	}
	g.dir, err = a.read(dir)
	return g, hasDirectories(c, u.Scheme()) && err == nil
}

// hasDirectories reports whether the URLs of a scheme may have patterns.
func hasDirectories(c *client.Client, name string) bool {
	s, _ := c.Registry().Lookup(name)
	_, lists := s.(scheme.Lister)
	_, folders := s.(scheme.Maker) // a scheme that makes directories has directories
	return lists && folders
}

// explainPattern adds to the error of a URL that looks like a pattern that its scheme has none. "*" is legal in a URL, so only a URL that
// fails is explained.
func explainPattern(c *client.Client, text string, err error) error {
	if code := client.CodeOf(err); code != scheme.CodeNotFound && code != scheme.CodeMalformed {
		return err
	}
	name, rest, _ := strings.Cut(text, "://")
	_, path, _ := strings.Cut(rest, "/")
	path, _, _ = strings.Cut(path, "?")
	name = strings.ToLower(name)
	if s, ok := c.Registry().Lookup(name); !ok || !s.Syntax().Hierarchical || hasDirectories(c, name) || !strings.ContainsAny(path, "*[{") {
		return err
	}
	var names []string
	for _, n := range c.Registry().Names() {
		if hasDirectories(c, n) {
			names = append(names, n)
		}
	}
	hint := fmt.Sprintf("a pattern is possible only with %s; with %s, use get -r --include", strings.Join(names, ", "), name)
	e, ok := errors.AsType[*scheme.Error](err)
	if !ok {
		return fmt.Errorf("%w; %s", err, hint)
	}
	more := *e
	more.Err = fmt.Errorf("%w; %s", e.Err, hint)
	return &more
}

// namePattern returns a pattern for decoded names. An escape stands for its character.
func namePattern(segment string) string {
	var b strings.Builder
	for segment != "" {
		n := 1
		if segment[0] == '%' && len(segment) > 2 {
			n = 3
		}
		part := locator.Decode(segment[:n])
		if n == 3 && strings.ContainsAny(part, `*?[]{}\`) {
			b.WriteByte('\\')
		}
		b.WriteString(part)
		segment = segment[n:]
	}
	return b.String()
}

// expand lists the directory and returns the entries that match. exact is true if the URL is to be taken as it is: a file has exactly
// that name, or the directory cannot be listed. As in a shell, a pattern matches a name with a dot in front only if it has one.
func (g glob) expand(ctx context.Context, c *client.Client, o *scheme.ListOptions) (matches []scheme.Entry, exact bool, err error) {
	for e, err := range c.List(ctx, scheme.Request{URL: g.dir}, o) {
		switch code := client.CodeOf(err); {
		case code == scheme.CodeNotFound || code == scheme.CodeUnsupported:
			return nil, true, nil
		case err != nil:
			return nil, false, err
		case e.URL.IsZero():
			continue
		}
		segments, _ := e.URL.Segments()
		for len(segments) > 1 && segments[len(segments)-1] == "" { // of a directory
			segments = segments[:len(segments)-1]
		}
		if len(segments) == 0 {
			continue
		}
		name := segments[len(segments)-1]
		if name == g.name {
			return nil, true, nil
		}
		hidden := strings.HasPrefix(name, ".") && !strings.HasPrefix(g.pattern, ".")
		if !hidden && doublestar.MatchUnvalidated(g.pattern, name) {
			matches = append(matches, e)
		}
	}
	if len(matches) == 0 {
		return nil, false, g.failed("nothing matches the pattern")
	}
	return matches, false, nil
}

func (g glob) failed(text string) error {
	return &scheme.Error{Op: scheme.OpList, URL: g.shown, Code: scheme.CodeNotFound, Err: fmt.Errorf("%s", text)}
}

// urls is app.urls with the files that match for each pattern. With --recursive, --include selects files.
func (b *batch) urls(ctx context.Context, args []string, do func(text string) error) error {
	return b.app.urls(ctx, args, func(text string) error {
		g, ok := b.app.glob(b.c, text)
		if !ok || b.o.recursive.on {
			return do(text)
		}
		if err := b.app.checkMeaning(b.c, g.dir); err != nil {
			b.getter(redactInput(text), b.app.at).report(err)
			return nil
		}
		matches, exact, err := g.expand(ctx, b.c, &scheme.ListOptions{Accept: b.app.flags.acceptOptions()})
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
			err = g.failed("only directories match the pattern; use --recursive with --include, or list")
		case len(files) > 1 && (b.o.output != "" || b.o.sha256 != ""):
			err = scheme.Fail(scheme.CodeUsage, "%d files match %s; use -O or --dir for several", len(files), g.shown)
		}
		if err != nil {
			b.getter(redactInput(text), b.app.at).report(err)
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

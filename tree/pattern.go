package tree

import (
	"context"
	"errors"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"locator"
	"locator/client"
	"locator/scheme"
)

// A Pattern is a URL whose last segment is a pattern of names, such as ftp://host/pub/*.txt.
type Pattern struct {
	shown   string // the URL in messages
	dir     locator.URL
	pattern string // of names; escaped characters of the URL stand for themselves
	name    string // the segment as a name: RFC 1738 allows "*" and "?" in names
}

// ParsePattern returns the pattern in a text, whose URLs parse parses. ok is false if the last
// segment has none of "*", "?" and "[", if the scheme has no directories, or if the text would not
// be a URL with these characters escaped.
func ParsePattern(c *client.Client, text string, parse func(string) (locator.URL, error)) (p Pattern, ok bool) {
	inner, _ := locator.Unwrap(text)
	slash := strings.LastIndexByte(inner, '/')
	dir, segment := inner[:slash+1], inner[slash+1:]
	if !strings.ContainsAny(segment, "*?[") || strings.ContainsAny(segment, "#;") {
		return p, false
	}
	escaped := strings.NewReplacer("*", "%2A", "?", "%3F", "[", "%5B", "]", "%5D").Replace(segment)
	u, err := parse(dir + escaped)
	if err != nil {
		return p, false
	}
	segments, _ := u.Segments()
	p = Pattern{shown: locator.Redact(inner), pattern: namePattern(segment), name: locator.Decode(segment)}
	if len(segments) == 0 || segments[len(segments)-1] != p.name || !doublestar.ValidatePattern(p.pattern) {
		return p, false
	}
	p.dir, err = parse(dir)
	return p, HasDirectories(c, u.Scheme()) && err == nil
}

// LooksLikePattern returns the scheme of a text that may be meant as a pattern, and those that have
// patterns. It returns "" if the text has nothing of a pattern, or if its scheme has patterns. "*"
// is legal in a URL, so only a URL that fails need be explained.
func LooksLikePattern(c *client.Client, text string) (name string, others []string) {
	name, rest, _ := strings.Cut(text, "://")
	_, path, _ := strings.Cut(rest, "/")
	path, _, _ = strings.Cut(path, "?")
	name = strings.ToLower(name)
	if s, ok := c.Registry().Lookup(name); !ok || !s.Syntax().Hierarchical || HasDirectories(c, name) || !strings.ContainsAny(path, "*[{") {
		return "", nil
	}
	for _, n := range c.Registry().Names() {
		if HasDirectories(c, n) {
			others = append(others, n)
		}
	}
	return name, others
}

// HasDirectories reports whether a scheme lists and makes directories, so that its URLs may have
// patterns.
func HasDirectories(c *client.Client, name string) bool {
	s, _ := c.Registry().Lookup(name)
	_, lists := s.(scheme.Lister)
	_, folders := s.(scheme.Maker) // a scheme that makes directories has directories
	return lists && folders
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

// Dir returns the URL of the directory whose names the pattern matches.
func (p Pattern) Dir() locator.URL { return p.dir }

// String returns the URL for messages, without a password.
func (p Pattern) String() string { return p.shown }

// Expand lists the directory and returns the entries that match. exact is true if the URL is to be
// taken as it is: a file has exactly that name, or the directory cannot be listed. As in a shell, a
// pattern matches a name with a dot in front only if it has one.
//
// It calls opened, which may be nil, with the listing before its entries.
func (p Pattern) Expand(ctx context.Context, c *client.Client, o *scheme.ListOptions, opened func(list *scheme.Resource)) (matches []scheme.Entry, exact bool, err error) {
	list, err := c.List(ctx, scheme.Request{URL: p.dir}, o)
	if err == nil && opened != nil {
		opened(list)
	}
	for e, err := range client.Entries(list, err) {
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
		if name == p.name {
			return nil, true, nil
		}
		hidden := strings.HasPrefix(name, ".") && !strings.HasPrefix(p.pattern, ".")
		if !hidden && doublestar.MatchUnvalidated(p.pattern, name) {
			matches = append(matches, e)
		}
	}
	if len(matches) == 0 {
		return nil, false, &scheme.Error{Op: scheme.OpList, URL: p.shown, Code: scheme.CodeNotFound, Err: errors.New("nothing matches the pattern")}
	}
	return matches, false, nil
}

package gopher

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/ianaindex"

	"locator/scheme"
)

// caps is what a server tells of itself in an item of its own, caps.txt. No RFC has it; several servers do. All of it is
// optional.
type caps struct {
	paths   pathRules
	charset encoding.Encoding // of what is no UTF-8; nil where it is not told
	expires time.Time
	keys    []scheme.Attribute // in the order of the file, without those of paths
}

// pathRules say how selectors are made of names.
type pathRules struct {
	delimiter string // "" where selectors are no paths
	identity  string // the name of a folder for itself
	parent    string // the name of a folder for the one above
	escape    string // before a delimiter that is a part of a name; "" is none
	double    bool   // two delimiters one behind the other mean the folder above
	keepPre   bool   // what stands before the first delimiter belongs to the path
}

const (
	capsSelector  = "caps.txt"
	capsBlock     = "caps.txt" // the block of its attributes
	attrAbove     = "above"
	maxCaps       = 64 << 10 // octets
	maxCapsKeys   = 100
	maxAbove      = 100
	capsPatience  = 5 * time.Second // for both of its selectors: it is never what was asked for
	capsLifetime  = time.Hour       // where the file does not say
	capsBegin     = "CAPS"
	truePathValue = "true"
)

// Close lets a caps be kept among the idle things of the client.
func (*caps) Close() error { return nil }

// isTold reports whether there is a caps.txt.
func (c *caps) isTold() bool { return c != nil && c.keys != nil }

// askCaps gives what the server of a request tells of itself, where the caller wants it; nothing where it cannot be had, for
// it is never what was asked for. It is kept with the idle things of the client, at most as long as the file says.
func (s Scheme) askCaps(ctx context.Context, env *scheme.Env, r scheme.Request, q request) (*caps, error) {
	if !r.Site || kindOf(q.typ).how == asPhonebook || kindOf(q.typ).how == asSession {
		return nil, nil
	}
	for {
		c, reused, release, err := env.Keep(ctx, capsSelector+" "+q.addr(), func(ctx context.Context) (io.Closer, error) {
			return s.readCaps(ctx, env, q.place)
		})
		if err != nil {
			return nil, err
		}
		told := c.(*caps)
		fresh := !reused || env.Now().Before(told.expires)
		release(fresh)
		if fresh {
			return told, nil
		}
	}
}

// readCaps asks for caps.txt. The error is that of a context that has ended; a server without the file gives an empty one.
func (s Scheme) readCaps(ctx context.Context, env *scheme.Env, at place) (*caps, error) {
	short, cancel := context.WithTimeout(ctx, capsPatience)
	defer cancel()
	c := &caps{expires: env.Now().Add(capsLifetime)}
	for _, selector := range []string{capsSelector, "/" + capsSelector} {
		text, err := s.readSmall(short, env, request{place: at, typ: '0', selector: selector})
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil:
			env.Trace.OnNote("no " + selector)
			if e, ok := errors.AsType[*scheme.Error](err); !ok || e.Code != scheme.CodeNotFound {
				return c, nil // it is the same for the other selector
			}
		case strings.HasPrefix(text, capsBegin):
			c.parse(text, env.Now())
			return c, nil
		}
	}
	return c, nil
}

// readSmall reads a text, no more of it than maxCaps.
func (s Scheme) readSmall(ctx context.Context, env *scheme.Env, q request) (string, error) {
	a, err := s.fetch(ctx, env, q, charset{})
	if err != nil {
		return "", err
	}
	res, err := a.resource(scheme.Request{})
	if err != nil {
		return "", err
	}
	defer res.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxCaps))
	return string(text), err
}

// parse reads the lines of a caps.txt: "key=value", "#" before a comment. What cannot be read is left out.
func (c *caps) parse(text string, now time.Time) {
	c.paths = pathRules{identity: ".", parent: ".."}
	c.keys = []scheme.Attribute{}
	lifetime := capsLifetime
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\r' || r == '\n' }) {
		key, value, ok := strings.Cut(line, "=")
		if key = strings.TrimSpace(key); !ok || key == "" || key[0] == '#' {
			continue
		}
		if value = strings.TrimSpace(value); value == "" || c.paths.set(key, value) {
			continue
		}
		switch key {
		case "ExpireCapsAfter":
			if n, err := strconv.ParseUint(value, 10, 31); err == nil {
				lifetime = time.Duration(n) * time.Second
			}
		case "ServerDefaultEncoding", "DefaultEncoding":
			if e, err := ianaindex.IANA.Encoding(value); err == nil && e != nil && c.charset == nil {
				c.charset = e
			}
		}
		if len(c.keys) < maxCapsKeys {
			c.keys = append(c.keys, scheme.Attribute{Block: capsBlock, Name: charset{}.text(key), Value: charset{}.text(value)})
		}
	}
	c.expires = now.Add(lifetime)
}

// set takes a rule; false where the key names none. "Delimeter" is how the files have it.
func (p *pathRules) set(key, value string) bool {
	switch key {
	case "PathDelimeter", "PathDelimiter":
		p.delimiter = value
	case "PathIdentity":
		p.identity = value
	case "PathParent":
		p.parent = value
	case "PathEscapeCharacter":
		p.escape = value
	case "PathParentDouble":
		p.double = strings.EqualFold(value, truePathValue)
	case "PathKeepPreDelimeter", "PathKeepPreDelimiter":
		p.keepPre = strings.EqualFold(value, truePathValue)
	default:
		return false
	}
	return true
}

// split cuts a selector at its delimiters: what stands before the first, and the names behind it, escapes still in them. ok
// is false for a selector that is no path.
func (p *pathRules) split(selector string) (pre string, names []string, ok bool) {
	begin, found := 0, false
	for i := 0; i < len(selector); {
		switch rest := selector[i:]; {
		case p.escape != "" && strings.HasPrefix(rest, p.escape):
			i += len(p.escape) + 1 // and what it stands before
		case strings.HasPrefix(rest, p.delimiter):
			if found {
				names = append(names, selector[begin:i])
			} else {
				pre, found = selector[:i], true
			}
			i += len(p.delimiter)
			begin = i
		default:
			i++
		}
	}
	if !found {
		return "", nil, false
	}
	return pre, append(names, selector[begin:]), true
}

// above gives the selectors of the menus that an item lies in, the root not among them, and their names.
func (p *pathRules) above(selector string) (selectors, names []string) {
	if p.delimiter == "" {
		return nil, nil
	}
	pre, parts, ok := p.split(selector)
	if !ok {
		return nil, nil
	}
	if !p.keepPre {
		pre = ""
	}
	var path []string
	if pre != "" {
		path = []string{pre}
	}
	up := func() { path = path[:max(0, len(path)-1)] }
	for i, name := range parts {
		switch {
		case name == "":
			if p.double && i > 0 && i < len(parts)-1 {
				up()
			}
		case name == p.identity:
		case name == p.parent:
			up()
		default:
			path = append(path, name)
		}
	}
	for i := 1; i < min(len(path), maxAbove+1); i++ {
		selector := strings.Join(path[:i], p.delimiter)
		if pre == "" || path[0] != pre {
			selector = p.delimiter + selector
		}
		name := path[i-1]
		if p.escape != "" {
			name = strings.ReplaceAll(name, p.escape, "")
		}
		selectors, names = append(selectors, selector), append(names, name)
	}
	return selectors, names
}

// above are the menus that the item of a request lies in, from the root down; none of the root, and none where the server
// does not tell how its selectors are made.
func (c *caps) above(q request, chars charset) []scheme.Entry {
	if !c.isTold() || c.paths.delimiter == "" || q.selector == "" || q.selector == c.paths.delimiter {
		return nil
	}
	selectors, names := c.paths.above(q.selector)
	var entries []scheme.Entry
	for i, selector := range slices.Insert(selectors, 0, "") {
		u, err := request{place: q.place, typ: '1', selector: selector}.url()
		if err != nil {
			return entries // what lies below it would hang in the air
		}
		e := scheme.Entry{Name: q.host, URL: u, Kind: scheme.KindListing, Attr: scheme.Attr{Type: mediaMenu}}
		if i > 0 {
			e.Name = chars.text(names[i-1])
		}
		entries = append(entries, e)
	}
	return entries
}

// attributes are what the server tells, and the menus that the item lies in, as attributes.
func (c *caps) attributes(q request, chars charset) []scheme.Attribute {
	if !c.isTold() {
		return nil
	}
	var more []scheme.Attribute
	for _, e := range c.above(q, chars) {
		more = append(more, scheme.Attribute{Name: attrAbove, Value: e.URL.Text()})
	}
	return append(more, c.keys...)
}

// with is the charset with what the server tells of its own.
func (c charset) with(told *caps) charset {
	if told.isTold() {
		c.server = told.charset
	}
	return c
}

package prospero

import (
	"context"
	"fmt"
	"io"
	"strings"

	"locator"
	"locator/internal/held"
	"locator/scheme"
)

// maxUnions is how many directories a listing reads besides the one that was asked for.
const maxUnions = 100

// listing reads the links of a directory, and of those that union links add to it.
type listing struct {
	env  *scheme.Env
	at   place
	copy io.Writer // gets the bytes received; may be nil
	seen map[where]bool
	next []pending
	n    int // entries

	names map[string]int // the number of the directory of the union that has a name
	left  held.Budget    // for names
	dir   int            // number of the directory that is being read
}

// nameBudget is the memory of the names of a union. Names beyond it may be listed twice.
const nameBudget = 16 << 20

// repeats reports whether an earlier directory of the union has a name. The first one counts, as it
// did for the clients of 1994.
func (l *listing) repeats(name string) bool {
	if first, ok := l.names[name]; ok {
		return first != l.dir
	}
	if l.left.Take(held.Strings(name, "")) {
		l.names[name] = l.dir
	}
	return false
}

// where identifies a directory.
type where struct{ host, port, name, version, path string }

// pending is a directory whose links belong to the listing.
type pending struct {
	place place
	path  []string // of names below it
}

func (p pending) where() where {
	return where{strings.ToLower(p.place.host), p.place.port, p.place.name, strings.TrimPrefix(p.place.version, "0"), strings.Join(p.path, "\x00")}
}

// run yields the entries.
func (l *listing) run(ctx context.Context, a *reply, first line, yield func(scheme.Entry, error) bool) {
	l.seen[pending{place: l.at}.where()] = true
	if !l.read(ctx, a, first, yield) {
		return
	}
	for n := 0; len(l.next) > 0; n++ {
		if n == maxUnions {
			yield(scheme.Entry{}, scheme.Fail(scheme.CodeBroken, "the directory is a union of more than %d", maxUnions))
			return
		}
		p := l.next[0]
		l.next = l.next[1:]
		at, a, first, err := p.place.resolve(ctx, l.env, func(to place) string { return to.listRequest(p.path...) }, l.env.Limits.Listing, l.copy)
		if err != nil {
			if ctx.Err() != nil {
				yield(scheme.Entry{}, err)
				return
			}
			u, _ := p.place.url() // the others are worth showing
			if !yield(scheme.Entry{Name: fmt.Sprintf("%s, which is a part of the directory, cannot be read: %v", u.Redacted(), err), Kind: scheme.KindNote, Unread: true}, nil) {
				return
			}
			continue
		}
		l.at = at
		l.dir++
		if !l.read(ctx, a, first, yield) {
			return
		}
	}
}

// read yields the entries of a response and closes it.
func (l *listing) read(ctx context.Context, a *reply, first line, yield func(scheme.Entry, error) bool) bool {
	defer a.Close()
	var last *link
	flush := func() bool {
		if last == nil {
			return true
		}
		e, ok := last.entry(l.at)
		ok = ok && !l.repeats(last.name)
		last = nil
		return !ok || yield(e, nil)
	}
	var links []link // for UNRESOLVED
	for in := first; !in.end; {
		if l.n++; l.n > l.env.Limits.Entries {
			yield(scheme.Entry{}, scheme.Fail(scheme.CodeBroken, "the listing exceeds the limit of %d lines", l.env.Limits.Entries))
			return false
		}
		switch k, ok := parseLink(in.tokens); {
		case ok:
			if !flush() {
				return false
			}
			k.place.host = l.at.called(k.place.host)
			links = append(links[max(0, len(links)-maxUnions):], k)
			if k.kind == "U" {
				l.union(k, nil)
			} else {
				last = &k
			}
		case strings.HasPrefix(in.tokens[0], "ATTRIBUTE"):
			if x, ok := parseAttribute(in.tokens); ok && last != nil && !in.value {
				if err := last.attrs.add(x, &last.left); err != nil {
					yield(scheme.Entry{}, err)
					return false
				}
			}
		case in.tokens[0] == "UNRESOLVED":
			last = nil // they lead to what was asked for
			for _, k := range links {
				l.union(k, in.tokens[1:])
			}
		case in.tokens[0] == "NONE-FOUND", in.tokens[0] == "ID": // of the link before it; servers accept any
		default:
			if !flush() || !yield(scheme.Entry{Name: shown(in.tokens), Kind: scheme.KindNote, Unread: true}, nil) {
				return false
			}
		}
		var err error
		if in.tokens, in.value, err = a.line(ctx); err == io.EOF {
			break
		} else if err != nil {
			if flush() {
				yield(scheme.Entry{}, err)
			}
			return false
		}
	}
	return flush()
}

// called returns the host of a link of p as p names it if both are this computer, so that a tree of
// links stays on one host.
func (p place) called(host string) string {
	if isLoopback(host) && isLoopback(p.host) {
		return p.host
	}
	return host
}

// union adds the directory of a link, or what a path leads to from there, unless it was read
// already, or is one too many already.
func (l *listing) union(k link, path []string) {
	if k.place.port == "" {
		k.place.port = defaultPort
	}
	p := pending{k.place, path}
	if w := p.where(); len(l.seen) <= maxUnions+1 && !l.seen[w] && strings.EqualFold(k.typ, hostType) {
		l.seen[w] = true
		l.next = append(l.next, p)
	}
}

// List returns the links of a directory.
func (s Scheme) List(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.ListOptions) (*scheme.Resource, error) {
	p, err := newPlace(r.URL)
	if err != nil {
		return nil, err
	}
	return s.list(ctx, env, r.URL, p, o.Copy)
}

// list returns the listing of a directory. For an object that is not a directory, the error is
// errNoDirectory.
func (s Scheme) list(ctx context.Context, env *scheme.Env, u locator.URL, p place, w io.Writer) (*scheme.Resource, error) {
	at, a, first, err := p.resolve(ctx, env, func(p place) string { return p.listRequest() }, env.Limits.Listing, w)
	if err != nil {
		return nil, err
	}
	l := &listing{env: env, at: at, copy: w, seen: map[where]bool{}, names: map[string]int{}, left: nameBudget}
	return &scheme.Resource{URL: at.here(u), Kind: scheme.KindListing, Notes: a.warnings, Closer: a,
		Entries: func(yield func(scheme.Entry, error) bool) { l.run(ctx, a, first, yield) }}, nil
}

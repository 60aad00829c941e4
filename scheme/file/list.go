package file

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"slices"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// list gives what is in a folder, by name. The names are read at once, for they are sorted; what each of them is, when
// it comes up.
func (p *place) list(ctx context.Context, env *scheme.Env, most int) iter.Seq2[scheme.Entry, error] {
	return func(yield func(scheme.Entry, error) bool) {
		names, more, err := p.names(ctx, env.Limits.Entries)
		if err != nil {
			yield(scheme.Entry{}, err)
			return
		}
		for i, name := range names {
			if most > 0 && i == most {
				return
			}
			if err := ctx.Err(); err != nil {
				yield(scheme.Entry{}, err)
				return
			}
			e, ok := p.entry(name)
			if ok && !yield(e, nil) {
				return
			}
		}
		if more {
			yield(scheme.Entry{}, scheme.Fail(scheme.CodeBroken, "%s holds more than %d entries, the limit", wire.Escape(p.name), env.Limits.Entries))
		}
	}
}

// batch is how many names are read between two looks at the context.
const batch = 1024

// names reads the names in the folder, sorted; more says that there are more than limit.
func (p *place) names(ctx context.Context, limit int) (names []string, more bool, err error) {
	f, info, err := p.open()
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	if !info.IsDir() {
		return nil, false, scheme.Fail(scheme.CodeUnsupported, "%s is a file: it has nothing to list", wire.Escape(p.name))
	}
	for !more {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		some, err := f.Readdirnames(batch)
		names = append(names, some...)
		if more = len(names) > limit; more {
			names = names[:limit]
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, false, p.fail(err)
		}
	}
	slices.Sort(names)
	return names, more, nil
}

// entry describes a name in the folder; ok is false where it is gone again.
func (p *place) entry(name string) (e scheme.Entry, ok bool) {
	e.Name = name
	segments := slices.Clone(p.segments)
	if n := len(segments); n > 0 && segments[n-1] == "" {
		segments = segments[:n-1]
	}
	segments = append(segments, name)
	path := join(p.name, name)
	info, err := p.tree.stat(path)
	if err != nil { // a link that leads nowhere is there all the same, and so is what this user may not look at
		if _, err := lstat(path); errors.Is(err, fs.ErrNotExist) {
			return e, false
		}
	} else {
		e.Attr = p.attr(info)
		switch {
		case info.IsDir():
			e.Kind = scheme.KindListing
			segments = append(segments, "")
		case info.Mode().IsRegular():
			e.Kind = scheme.KindObject
		}
	}
	if e.URL, err = locator.Build(&locator.File{Host: p.host, Segments: segments}); err != nil {
		return scheme.Entry{Name: name, Kind: scheme.KindNote}, true
	}
	return e, true
}

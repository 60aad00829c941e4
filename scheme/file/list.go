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

// list returns the entries of a folder, sorted by name. All names are read first; the attributes of
// an entry are read when it is yielded.
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
			if e, ok := p.entry(name); ok && !yield(e, nil) {
				return
			}
		}
		if more {
			yield(scheme.Entry{}, scheme.Fail(scheme.CodeBroken, "%s exceeds the limit of %d entries", wire.TextLine(p.name), env.Limits.Entries))
		}
	}
}

// namesPerRead is how many names are read between checks of the context.
const namesPerRead = 1024

// names returns the names in the folder, sorted. more reports that there are more than limit.
func (p *place) names(ctx context.Context, limit int) (names []string, more bool, err error) {
	f, info, err := p.open()
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	if !info.IsDir() {
		return nil, false, scheme.Fail(scheme.CodeUnsupported, "%s is a file and cannot be listed", wire.TextLine(p.name))
	}
	for !more {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		some, err := f.Readdirnames(namesPerRead)
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

// entry returns the entry for a name in the folder. ok is false if it no longer exists.
func (p *place) entry(name string) (e scheme.Entry, ok bool) {
	e.Name = name
	segments := slices.Clone(p.segments)
	if n := len(segments); n > 0 && segments[n-1] == "" {
		segments = segments[:n-1]
	}
	segments = append(segments, name)
	path := join(p.name, name)
	e.Target = linkTarget(path)
	info, err := p.tree.stat(path)
	if err != nil { // a dangling link and a file without permission are listed, too
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

// List lists a folder. The folder is opened when the sequence is ranged over.
func (Scheme) List(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.ListOptions) (*scheme.Resource, error) {
	p, err := locate(ctx, env, r)
	if err != nil {
		return nil, err
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindListing, Entries: p.list(ctx, env, o.Max)}, nil
}

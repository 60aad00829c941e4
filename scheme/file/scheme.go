package file

import (
	"context"
	"io/fs"
	"slices"
	"strings"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// Scheme is file.
type Scheme struct{}

// New makes the scheme.
func New() Scheme { return Scheme{} }

// Syntax is that of RFC 1738 3.10.
func (Scheme) Syntax() *locator.Syntax { return locator.SyntaxOf("file") }

// Access opens a file, which gives an Object, or a folder, which gives a Listing.
func (Scheme) Access(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	p, err := locate(ctx, env, r)
	if err != nil {
		return nil, err
	}
	f, info, err := p.open()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		f.Close()
		return &scheme.Resource{URL: r.URL, Kind: scheme.KindListing, Attr: p.attr(info), Entries: p.list(ctx, env, 0)}, nil
	}
	return p.object(ctx, o, f, info)
}

// List lists a folder. It is not opened before the sequence is ranged over.
func (Scheme) List(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.ListOptions) (*scheme.Resource, error) {
	p, err := locate(ctx, env, r)
	if err != nil {
		return nil, err
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindListing, Entries: p.list(ctx, env, o.Max)}, nil
}

// Attributes asks the system. Nothing is opened.
func (Scheme) Attributes(ctx context.Context, env *scheme.Env, r scheme.Request, _ scheme.AttributesOptions) (*scheme.Resource, error) {
	p, err := locate(ctx, env, r)
	if err != nil {
		return nil, err
	}
	info, err := p.tree.stat(p.name)
	if err != nil {
		return nil, p.fail(err)
	}
	kind := scheme.KindObject
	if info.IsDir() {
		kind = scheme.KindListing
	}
	return &scheme.Resource{URL: r.URL, Kind: kind, Attr: p.attr(info)}, nil
}

// Replace puts b in the place of a file. The file is written beside it under another name and takes its place at the end:
// whoever looks sees the old file or the new one, whole.
func (Scheme) Replace(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	p, err := locate(ctx, env, r)
	if err != nil {
		return nil, err
	}
	if err := p.prepare(o.CreateDirs); err != nil {
		return nil, err
	}
	if err := p.replace(ctx, b); err != nil {
		return nil, err
	}
	return p.written(r)
}

// Update adds b to the end of a file, which it makes if it is not there. After an error it is cut off again where
// nobody else has added to it meanwhile.
func (Scheme) Update(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	p, err := locate(ctx, env, r)
	if err != nil {
		return nil, err
	}
	if err := p.prepare(o.CreateDirs); err != nil {
		return nil, err
	}
	if err := p.extend(ctx, b); err != nil {
		return nil, err
	}
	return p.written(r)
}

// place is a path of this machine that a URL names.
type place struct {
	url      locator.URL
	host     string   // as the URL writes it
	segments []string // decoded
	name     string   // for the system
	tree     confined // that it must lie in
}

// locate finds the path of a request.
func locate(ctx context.Context, env *scheme.Env, r scheme.Request) (*place, error) {
	p, err := locateURL(ctx, env, r.URL)
	if err != nil || r.Within.IsZero() {
		return p, err
	}
	tree, err := locateURL(ctx, env, r.Within)
	if err != nil {
		return nil, err
	}
	p.tree = confined{strings.TrimRight(tree.name, separator), env.Files}
	if rest, ok := strings.CutPrefix(p.name, p.tree.path); !ok || rest != "" && !strings.HasPrefix(rest, separator) {
		return nil, p.fail(errLeadsOut)
	}
	return p, nil
}

// locateURL finds the path of a URL.
func locateURL(ctx context.Context, env *scheme.Env, u locator.URL) (*place, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	v, ok := locator.As[*locator.File](u)
	if !ok {
		return nil, scheme.Fail(scheme.CodeMalformed, "a %s URL is no file URL", u.Scheme())
	}
	if !ours(v.Host, env.Hostnames) {
		return nil, scheme.Fail(scheme.CodeRefused, "the file is on the host %s, not on this machine; a file URL names no protocol to reach it by (RFC 1738 3.10)",
			wire.Escape(v.Host))
	}
	name, err := pathOf(v.Segments)
	if err != nil {
		return nil, err
	}
	return &place{url: u, host: v.Host, segments: v.Segments, name: name}, nil
}

// ours reports whether a host is this machine (RFC 1738 3.10).
func ours(host string, names []string) bool {
	return host == "" || strings.EqualFold(host, "localhost") ||
		slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(host, n) })
}

// open opens a file or folder to read. What is neither is refused: to open a device or a pipe may do something or wait
// for ever. It is looked at first, and again when it is open: it may have been exchanged in between.
func (p *place) open() (*handle, fs.FileInfo, error) {
	info, err := p.tree.stat(p.name)
	if err == nil {
		err = p.plain(info)
	}
	if err != nil {
		return nil, nil, p.fail(err)
	}
	f, err := p.tree.openRead(p.name)
	if err != nil {
		return nil, nil, p.fail(err)
	}
	if info, err = f.Stat(); err == nil {
		err = p.plain(info)
	}
	if err != nil {
		f.Close()
		return nil, nil, p.fail(err)
	}
	return f, info, nil
}

// plain refuses what is neither file nor folder.
func (p *place) plain(info fs.FileInfo) error {
	if info.Mode().IsRegular() || info.IsDir() {
		return nil
	}
	return scheme.Fail(scheme.CodeRefused, "%s is a %s: only files and folders are opened", wire.Escape(p.name), special(info.Mode()))
}

// special names what is no file.
func special(m fs.FileMode) string {
	switch {
	case m&fs.ModeNamedPipe != 0:
		return "named pipe"
	case m&fs.ModeSocket != 0:
		return "socket"
	case m&fs.ModeDevice != 0:
		return "device"
	}
	return "special file"
}

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

// Scheme implements the scheme file.
type Scheme struct{}

// New returns the scheme.
func New() Scheme { return Scheme{} }

// Syntax returns the syntax of RFC 1738 3.10.
func (Scheme) Syntax() *locator.Syntax { return locator.SyntaxOf("file") }

// Access opens a file, which is an Object, or a folder, which is a Listing.
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

// List lists a folder. The folder is opened when the sequence is ranged over.
func (Scheme) List(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.ListOptions) (*scheme.Resource, error) {
	p, err := locate(ctx, env, r)
	if err != nil {
		return nil, err
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindListing, Entries: p.list(ctx, env, o.Max)}, nil
}

// Attributes returns the attributes of a file or folder. It does not open it.
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

var _ scheme.Resumer = Scheme{}

// Replace replaces a file with b, atomically: it writes a temporary file in the same folder and renames it.
func (Scheme) Replace(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	return write(ctx, env, r, b, o, replaceFile)
}

// Update appends b to a file, which it creates if necessary. After an error it truncates the file again, unless another
// process has appended to it in the meantime.
func (Scheme) Update(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	return write(ctx, env, r, b, o, appendBody)
}

// localPath is the local path that a URL names.
type localPath struct {
	url      locator.URL
	host     string   // as written in the URL
	segments []string // decoded
	name     string   // path of the operating system
	tree     confined // tree that must contain name
}

// locate returns the path of a request.
func locate(ctx context.Context, env *scheme.Env, r scheme.Request) (*localPath, error) {
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

// locateURL returns the path of a URL.
func locateURL(ctx context.Context, env *scheme.Env, u locator.URL) (*localPath, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	v, ok := locator.As[*locator.File](u)
	if !ok {
		return nil, scheme.Fail(scheme.CodeMalformed, "a %s URL is not a file URL", u.Scheme())
	}
	if !isLocalHost(v.Host, env.Hostnames) {
		return nil, scheme.Fail(scheme.CodeRefused, "the file is on the host %s, and file URLs have no network protocol; only files of the local host can be opened", wire.Escape(v.Host))
	}
	name, err := pathOf(v.Segments)
	if err != nil {
		return nil, err
	}
	return &localPath{url: u, host: v.Host, segments: v.Segments, name: name}, nil
}

// isLocalHost reports whether host is the local host (RFC 1738 3.10).
func isLocalHost(host string, names []string) bool {
	return host == "" || strings.EqualFold(host, "localhost") ||
		slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(host, n) })
}

// open opens a file or folder for reading. It refuses devices and pipes, since opening one may block or have side effects. It
// checks the kind before and after opening, since the file may be replaced in between.
func (p *localPath) open() (*handle, fs.FileInfo, error) {
	info, err := p.tree.stat(p.name)
	if err == nil {
		err = p.checkKind(info)
	}
	if err != nil {
		return nil, nil, p.fail(err)
	}
	f, err := p.tree.openRead(p.name)
	if err != nil {
		return nil, nil, p.fail(err)
	}
	if info, err = f.Stat(); err == nil {
		err = p.checkKind(info)
	}
	if err != nil {
		f.Close()
		return nil, nil, p.fail(err)
	}
	return f, info, nil
}

// checkKind returns an error if info is neither a regular file nor a folder.
func (p *localPath) checkKind(info fs.FileInfo) error {
	if info.Mode().IsRegular() || info.IsDir() {
		return nil
	}
	return scheme.Fail(scheme.CodeRefused, "%s is a %s; only files and folders can be opened", wire.Escape(p.name), kindName(info.Mode()))
}

// kindName returns the name of the kind of a special file.
func kindName(m fs.FileMode) string {
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

// Steps returns what an access to u would open: "OPEN /path". It returns an error for any host except localhost, since the
// names of the local host are known only during an access.
func (Scheme) Steps(u locator.URL) ([]string, error) {
	p, err := locateURL(context.Background(), &scheme.Env{}, u)
	if err != nil {
		return nil, err
	}
	return []string{"OPEN " + wire.Escape(p.name)}, nil
}

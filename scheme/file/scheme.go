package file

import (
	"context"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// Settings are the settings of file. Hostnames are those of this host besides localhost (RFC 1738
// 3.10).
type Settings struct{ Hostnames []string }

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

var _ scheme.Resumer = Scheme{}

// Replace replaces a file with b, atomically: it writes a temporary file in the same folder and
// renames it.
func (Scheme) Replace(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	return write(ctx, env, r, b, o, replaceFile)
}

// Update appends b to a file, which it creates if necessary. After an error it truncates the file
// again, unless another process has appended to it in the meantime.
func (Scheme) Update(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	return write(ctx, env, r, b, o, appendBody)
}

// Steps returns what an access to u would open: "OPEN /path". It returns an error for any host
// except localhost, since the names of the local host are known only during an access.
func (Scheme) Steps(u locator.URL) ([]string, error) {
	p, err := locateURL(context.Background(), &scheme.Env{}, u)
	if err != nil {
		return nil, err
	}
	return []string{"OPEN " + wire.Escape(p.name)}, nil
}

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

// place is the local path that a URL names.
type place struct {
	url      locator.URL
	host     string   // as written in the URL
	segments []string // decoded
	name     string   // path of the operating system
	tree     confined // tree that must contain name
}

// locate returns the path of a request.
func locate(ctx context.Context, env *scheme.Env, r scheme.Request) (*place, error) {
	p, err := locateURL(ctx, env, r.URL)
	if err != nil || r.Within.IsZero() {
		return p, err
	}
	tree, err := locateURL(ctx, env, r.Within)
	if err != nil {
		return nil, err
	}
	p.tree = confined{strings.TrimRight(tree.name, separator), openRoot}
	if rest, ok := strings.CutPrefix(p.name, p.tree.path); !ok || rest != "" && !strings.HasPrefix(rest, separator) {
		return nil, p.fail(errLeadsOut)
	}
	return p, nil
}

// locateURL returns the path of a URL.
func locateURL(ctx context.Context, env *scheme.Env, u locator.URL) (*place, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	v, ok := locator.As[*locator.File](u)
	if !ok {
		return nil, scheme.Fail(scheme.CodeMalformed, "a %s URL is not a file URL", u.Scheme())
	}
	if !isLocalHost(v.Host, scheme.Setting[Settings](env).Hostnames) {
		return nil, scheme.Fail(scheme.CodeRefused, "the file is on the host %s, and file URLs have no network protocol; only files of the local host can be opened", wire.TextLine(v.Host))
	}
	name, err := Path(v.Segments)
	if err != nil {
		return nil, err
	}
	return &place{url: u, host: v.Host, segments: v.Segments, name: name}, nil
}

// isLocalHost reports whether host is the local host (RFC 1738 3.10).
func isLocalHost(host string, names []string) bool {
	return host == "" || strings.EqualFold(host, "localhost") ||
		slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(host, n) })
}

// open opens a file or folder for reading. It refuses devices and pipes, since opening one may
// block or have side effects. It checks the kind before and after opening, since the file may be
// replaced in between.
func (p *place) open() (*handle, fs.FileInfo, error) {
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
func (p *place) checkKind(info fs.FileInfo) error {
	if info.Mode().IsRegular() || info.IsDir() {
		return nil
	}
	return scheme.Fail(scheme.CodeRefused, "%s is a %s; only files and folders can be opened", wire.TextLine(p.name), kindName(info.Mode()))
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

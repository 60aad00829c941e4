package ftp

import (
	"context"
	"io"
	"slices"

	"locator"
	"locator/scheme"
)

// Scheme accesses ftp URLs. It holds no state: connections are kept behind Env.Keep.
type Scheme struct{ implicit bool }

// New makes the scheme ftp.
func New() Scheme { return Scheme{} }

// NewTLS makes the scheme ftps: ftp over TLS from the first octet on, control and data connections, by default on port
// 990. No RFC has it (RFC 4217 switches to TLS within ftp); servers and clients do. Nothing is ever sent in the clear,
// whatever Env.TLSMode says, and what its listings hold is ftps, too.
func NewTLS() Scheme { return Scheme{implicit: true} }

var (
	_ scheme.Scheme     = Scheme{}
	_ scheme.Lister     = Scheme{}
	_ scheme.Attributer = Scheme{}
	_ scheme.Digester   = Scheme{}
	_ scheme.Updater    = Scheme{}
	_ scheme.Replacer   = Scheme{}
	_ scheme.Explainer  = Scheme{}
)

// Syntax is that of RFC 1738 3.2. An ftps URL has the same parts.
func (s Scheme) Syntax() *locator.Syntax {
	if s.implicit {
		return locator.SyntaxOf(schemeNameTLS)
	}
	return locator.SyntaxOf(schemeName)
}

// wishes are what the caller of any operation wants.
type wishes struct {
	scheme.AccessOptions
	max     int               // entries at most; 0 is all
	copy    io.Writer         // receives the bytes of a listing; nil is none
	unknown func(line string) // is told the lines of a listing that were not understood; may be nil
}

// Access follows RFC 1738 3.2.2: the directories in order, then NLST for ";type=d", else TYPE and RETR. No name, an
// empty one, and a name that turns out to be a directory give a Listing.
func (Scheme) Access(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	w := wishes{AccessOptions: o}
	p, err := newPlan(r, w)
	if err != nil {
		return nil, err
	}
	return attend(ctx, env, p, false, func(v *visit) (*scheme.Resource, error) {
		switch p.do {
		case names:
			return v.nameList(w)
		case list:
			return v.list(w)
		}
		return v.retrieve(w)
	})
}

// List lists a directory, also where the URL lacks the final slash.
func (Scheme) List(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.ListOptions) (*scheme.Resource, error) {
	w := wishes{max: o.Max, copy: o.Copy, unknown: o.Unknown}
	p, err := newPlan(r, w)
	if err != nil {
		return nil, err
	}
	return attend(ctx, env, p, false, func(v *visit) (*scheme.Resource, error) {
		switch p.do {
		case names:
			return v.nameList(w)
		case retrieve:
			if err := v.mustBeDirectory(); err != nil {
				return nil, err
			}
		}
		return v.list(w)
	})
}

// Attributes asks without a transfer: MLST, else SIZE and MDTM (RFC 3659). A directory has the attribute "type" with
// the value "dir".
func (Scheme) Attributes(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AttributesOptions) (*scheme.Resource, error) {
	p, err := newPlan(r, wishes{AccessOptions: scheme.AccessOptions{Type: o.Type}})
	if err != nil {
		return nil, err
	}
	return attend(ctx, env, p, false, func(v *visit) (*scheme.Resource, error) {
		attr, err := v.attributes()
		if err != nil {
			return nil, err
		}
		v.leave()
		res := &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Attr: attr}
		if p.do != retrieve || slices.Contains(attr.More, scheme.Attribute{Name: "type", Value: "dir"}) {
			res.Kind = scheme.KindListing
		}
		return res, nil
	})
}

// Update appends to a file (APPE). Without a name it makes a new file whose name the server chooses (STOU).
func (Scheme) Update(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	return upload(ctx, env, r, b, o, appending)
}

// Replace stores a file: under a temporary name that is then renamed, where the server allows that, else directly
// (STOR). Without a name it makes a new file whose name the server chooses (STOU).
func (Scheme) Replace(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	return upload(ctx, env, r, b, o, replacing)
}

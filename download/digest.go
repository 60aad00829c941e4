package download

import (
	"context"
	"hash"
	"io"

	"locator"
	"locator/scheme"
	"locator/transfer"
)

// verify compares a file with the server's checksum if it was resumed, or if the Options ask for
// it.
func (x *fetch) verify(ctx context.Context, res *scheme.Resource, out *Outcome) error {
	if !out.Resumed && !x.o.Verify {
		return nil
	}
	if !x.state.Ranges { // such as a text in TYPE A
		x.noteUnverified("the server may have converted the contents")
		return nil
	}
	server, err := x.serverChecksum(ctx, x.requestFor(res.URL, res.From()))
	if err != nil || server.hash == nil {
		return err
	}
	got, err := transfer.Digest(server.hash, x.part.File, out.Bytes)
	if err != nil {
		return x.f.local(err)
	}
	if got == server.value {
		out.Verified = server.algorithm
		return nil
	}
	if err := x.dropState(); err != nil {
		return err
	}
	return scheme.Fail(scheme.CodeBroken, "the %s of the file is %s, but the server's is %s", server.algorithm, got, server.value)
}

// sameAsServer reports whether an existing file has the server's checksum, or the server offers
// none. It returns false if the context ended first.
func (x *fetch) sameAsServer(ctx context.Context, h io.ReaderAt, out *Outcome) bool {
	server, err := x.serverChecksum(ctx, x.r)
	if err != nil || server.hash == nil {
		return err == nil
	}
	got, err := transfer.Digest(server.hash, h, out.Bytes)
	if out.Verified = server.algorithm; err != nil || got != server.value {
		x.note("the file does not have the checksum of the server")
		return false
	}
	return true
}

// checksum is a server's checksum, and the hash to compute it with; hash is nil if there is none to
// compare with.
type checksum struct {
	algorithm, value string
	hash             hash.Hash
}

// serverChecksum asks the server for the checksum of r.URL. It notes that there is none; its only
// error is that the context has ended.
func (x *fetch) serverChecksum(ctx context.Context, r scheme.Request) (checksum, error) {
	algorithm, value, err := x.c.Digest(ctx, r)
	switch h := transfer.NewHash(algorithm); {
	case err != nil && ctx.Err() != nil:
		return checksum{}, err
	case err != nil:
		x.note("not verified: %v", err)
	case h == nil:
		x.noteUnverified("the server offers no checksum")
	default:
		return checksum{algorithm, value, h}, nil
	}
	return checksum{}, nil
}

// noteUnverified says why a file was not verified, if the Options asked for it.
func (x *fetch) noteUnverified(why string) {
	if x.o.Verify {
		x.note("not verified: %s", why)
	}
}

// requestFor returns the request for another URL of the same resource.
func (x *fetch) requestFor(u locator.URL, from *scheme.Hop) scheme.Request {
	r := x.r
	r.URL, r.From, r.Mirrors = u, from, nil
	return r
}

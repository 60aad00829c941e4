package transfer

import (
	"context"
	"crypto/md5"  // nothing rests on it but a comparison with what the peer tells
	"crypto/sha1" // likewise
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"hash"
	"hash/crc32"
	"io"

	"locator/scheme"
)

// newHash computes an algorithm by its name among the attributes; nil is unknown.
func newHash(algorithm string) hash.Hash {
	switch algorithm {
	case "sha-256":
		return sha256.New()
	case "sha-512":
		return sha512.New()
	case "sha-1":
		return sha1.New()
	case "md5":
		return md5.New()
	case "crc32":
		return crc32.NewIEEE()
	}
	return nil
}

// digest is the digest of the first n octets, in lower-case hex.
func digest(h hash.Hash, r io.ReaderAt, n int64) (string, error) {
	if _, err := io.Copy(h, io.NewSectionReader(r, 0, n)); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// compare holds the file against the digest that the peer tells, if it does: a file that was joined always, a whole one
// where that is asked for.
func (x *fetch) compare(ctx context.Context, res *scheme.Resource, out *Outcome) error {
	if !out.Resumed && !x.o.Verify {
		return nil
	}
	if !x.now.Ranges { // such as a text in TYPE A: the octets here are not those there
		x.unverified("the octets are not those that the peer has")
		return nil
	}
	algorithm, want, err := x.c.Digest(ctx, scheme.Request{URL: res.URL, From: x.r.From})
	h := newHash(algorithm)
	switch {
	case ctx.Err() != nil:
		return err
	case err != nil:
		x.note("not compared with the peer's digest: %v", err)
		return nil
	case h == nil:
		x.unverified("the peer tells no digest")
		return nil
	}
	got, err := digest(h, x.part.h, out.Bytes)
	if err != nil {
		return local(err)
	}
	if got == want {
		out.Verified = algorithm
		return nil
	}
	x.now = state{} // not to be gone on with
	if err := x.f.dropState(); err != nil {
		return local(err)
	}
	return scheme.Fail(scheme.Broken, "the file's %s is %s, and the peer's is %s", algorithm, got, want)
}

// unverified tells whoever has asked for it why a file is not compared.
func (x *fetch) unverified(why string) {
	if x.o.Verify {
		x.note("not compared with the peer's digest: %s", why)
	}
}

// agrees reports whether the peer tells no other digest than the file has.
func (x *fetch) agrees(ctx context.Context, h io.ReaderAt, out *Outcome) bool {
	algorithm, want, err := x.c.Digest(ctx, scheme.Request{URL: x.r.URL, From: x.r.From})
	sum := newHash(algorithm)
	if err != nil || sum == nil {
		x.unverified("the peer tells no digest")
		return true
	}
	got, err := digest(sum, h, out.Bytes)
	if out.Verified = algorithm; err != nil || got != want {
		x.note("the file that is there differs from the resource: starting again")
		return false
	}
	return true
}

package download

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

	"locator"
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
	told, err := x.told(ctx, x.at(res.URL, res.From()))
	if err != nil || told.hash == nil {
		return err
	}
	got, err := digest(told.hash, x.part.h, out.Bytes)
	if err != nil {
		return x.f.local(err)
	}
	if got == told.value {
		out.Verified = told.algorithm
		return nil
	}
	x.now = state{} // not to be gone on with
	if err := x.f.dropState(); err != nil {
		return x.f.local(err)
	}
	return scheme.Fail(scheme.CodeBroken, "the file's %s is %s, and the peer's is %s", told.algorithm, got, told.value)
}

// told is a digest as the peer tells it, and what to compute it with; hash is nil where there is none to compare with.
type told struct {
	algorithm, value string
	hash             hash.Hash
}

// told asks the peer for its digest of what r locates. That there is none is noted; an error says that the context has
// ended.
func (x *fetch) told(ctx context.Context, r scheme.Request) (told, error) {
	algorithm, value, err := x.c.Digest(ctx, r)
	switch h := newHash(algorithm); {
	case err != nil && ctx.Err() != nil:
		return told{}, err
	case err != nil:
		x.note("not compared with the peer's digest: %v", err)
	case h == nil:
		x.unverified("the peer tells no digest")
	default:
		return told{algorithm, value, h}, nil
	}
	return told{}, nil
}

// unverified tells whoever has asked for it why a file is not compared.
func (x *fetch) unverified(why string) {
	if x.o.Verify {
		x.note("not compared with the peer's digest: %s", why)
	}
}

// agrees reports whether the peer tells no other digest than the file has; false is also that the context ended before the
// peer told it.
func (x *fetch) agrees(ctx context.Context, h io.ReaderAt, out *Outcome) bool {
	told, err := x.told(ctx, x.r)
	if err != nil || told.hash == nil {
		return err == nil
	}
	got, err := digest(told.hash, h, out.Bytes)
	if out.Verified = told.algorithm; err != nil || got != told.value {
		x.note("the file that is there differs from the resource: starting again")
		return false
	}
	return true
}

// at is the request for another URL of the same resource.
func (x *fetch) at(u locator.URL, from *scheme.Hop) scheme.Request {
	r := x.r
	r.URL, r.From, r.Mirrors = u, from, nil
	return r
}

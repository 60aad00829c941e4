package upload

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"locator"
	"locator/client"
	"locator/internal/safename"
	"locator/scheme"
	"locator/transfer"
)

// overlap is how many bytes at the end, in the middle and at the beginning of an incomplete file
// are read to see whether it is the beginning of the local one.
const overlap = 64 << 10

// begin is where an attempt begins.
type begin struct {
	offset  int64
	inPlace bool   // the resource itself has the first offset bytes
	done    bool   // the resource has the content already
	by      string // the algorithm of the checksum that showed so
}

// resumption is what a resumable upload knows of its file.
type resumption struct {
	h    *os.File
	info os.FileInfo
	part string      // name of the incomplete file
	url  locator.URL // of the incomplete file
}

// newResumption prepares the options of an upload that may be resumed.
func (x *put) newResumption() error {
	h, ok := x.b.Reader.(*os.File)
	if !ok || x.src.seek == nil || x.src.start != 0 {
		return x.fail(scheme.CodeUsage, errors.New("only the upload of a file can be resumed"))
	}
	info, err := h.Stat()
	if err != nil {
		return x.fail(scheme.CodeLocal, err)
	}
	s, _ := x.c.Registry().Lookup(x.r.URL.Scheme())
	if _, ok := s.(scheme.Resumer); s != nil && !ok {
		return x.fail(scheme.CodeUsage, fmt.Errorf("scheme %s has no standard way to resume an upload", x.r.URL.Scheme()))
	}
	segments, ok := x.r.URL.Segments()
	if !ok || len(segments) == 0 || segments[len(segments)-1] == "" {
		return x.fail(scheme.CodeUsage, errors.New("the URL does not name a file, so the upload cannot be resumed"))
	}
	re := &resumption{h: h, info: info, part: partName(segments[len(segments)-1], info)}
	if re.url, err = x.r.URL.Resolve(locator.Encode(re.part)); err != nil {
		return x.fail(scheme.CodeUsage, err)
	}
	x.b.Size, x.o.Write.Modified, x.resumption = scheme.Known(info.Size()), info.ModTime(), re
	return nil
}

// partName returns the name of the incomplete file. It depends on the size and the time of the
// local file, so that a file that has changed never continues the upload of an older version. It is
// short enough for file systems with a limit of 255 bytes.
func partName(name string, info os.FileInfo) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %d", info.Size(), info.ModTime().UnixNano()))
	return safename.Shorten(name, 200) + "." + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:5])) + ".part"
}

// find finds what the server has of the file: all of it, an incomplete file, or the beginning in
// its place.
func (x *put) find(ctx context.Context) (begin, error) {
	size := x.resumption.info.Size()
	there, err := x.attributes(ctx, x.r.URL)
	if err != nil {
		return begin{}, err
	}
	local := scheme.Attr{Modified: x.resumption.info.ModTime()}
	have, known := there.Size.Get()
	if known && have == size {
		same, by, err := x.sameDigest(ctx, x.r.URL, size)
		if err != nil {
			return begin{}, err
		}
		if same || by == "" && !there.Modified.IsZero() && transfer.CompareTimes(there, local) == 0 {
			return begin{offset: size, done: true, by: by}, nil
		}
	}
	partial, err := x.attributes(ctx, x.resumption.url)
	if err != nil {
		return begin{}, err
	}
	if n := partial.Size.Or(0); n > 0 && n <= size {
		same, err := x.beginsWith(ctx, x.resumption.url, n)
		if err != nil || same {
			return begin{offset: n}, err
		}
		x.note("what the server has of the file differs from it; starting again")
		return begin{}, nil
	}
	if known && 0 < have && have < size && !there.Modified.IsZero() && transfer.CompareTimes(there, local) >= 0 {
		same, err := x.beginsWith(ctx, x.r.URL, have)
		if err != nil || same {
			return begin{offset: have, inPlace: true}, err
		}
	}
	return begin{}, nil
}

// attributes returns what the server reports about u, the zero value if it reports nothing. Its
// errors are those of the connection.
func (x *put) attributes(ctx context.Context, u locator.URL) (scheme.Attr, error) {
	res, err := x.c.Attributes(ctx, x.at(u), &scheme.AttributesOptions{Type: 'i'})
	if err != nil {
		return scheme.Attr{}, passing(err)
	}
	return res.Attr, nil
}

// passing returns an error that says nothing about a resource, only that the server could not be
// asked; it returns nil for others.
func passing(err error) error {
	switch client.CodeOf(err) {
	case scheme.CodeNotFound, scheme.CodeUnsupported, scheme.CodeUsage, scheme.CodeProtocol:
		return nil
	}
	return err
}

func (x *put) at(u locator.URL) scheme.Request {
	r := x.r
	r.URL, r.Mirrors = u, nil
	return r
}

// sameDigest reports whether the file at u has the digest of the first n bytes. by is the
// algorithm, "" if the server offers none.
func (x *put) sameDigest(ctx context.Context, u locator.URL, n int64) (same bool, by string, err error) {
	algorithm, value, err := x.c.Digest(ctx, x.at(u))
	h := transfer.NewHash(algorithm)
	if err != nil || h == nil {
		return false, "", passing(err)
	}
	local, err := transfer.Digest(h, x.resumption.h, n)
	if err != nil {
		return false, "", x.fail(scheme.CodeLocal, err)
	}
	return local == value, algorithm, nil
}

// beginsWith reports whether the local file begins with the n bytes of the file at u: by the
// server's digest of it or else by three pieces of it. It returns false if the server shows
// neither.
func (x *put) beginsWith(ctx context.Context, u locator.URL, n int64) (bool, error) {
	if same, by, err := x.sameDigest(ctx, u, n); err != nil || by != "" {
		return same, err
	}
	for _, from := range []int64{n - overlap, (n - overlap) / 2, 0} {
		from = max(from, 0)
		if same, err := x.hasPiece(ctx, u, from, min(n-from, overlap), from+overlap >= n); err != nil || !same {
			return false, err
		}
		if n <= overlap {
			break
		}
	}
	return true, nil
}

// hasPiece reports whether the file at u has the size bytes of the local file behind the first from
// bytes. If isLast is true, they must be its last ones.
func (x *put) hasPiece(ctx context.Context, u locator.URL, from, size int64, isLast bool) (bool, error) {
	res, err := x.c.Access(ctx, x.at(u), &scheme.AccessOptions{Type: 'i', Range: scheme.Range{Offset: from}})
	if err != nil {
		return false, passing(err)
	}
	defer res.Close()
	if res.Kind != scheme.KindObject || res.Range.Offset != from {
		return false, nil
	}
	local, remote := make([]byte, size), make([]byte, size, size+1)
	if isLast {
		remote = remote[:size+1] // to see the end
	}
	if _, err := x.resumption.h.ReadAt(local, from); err != nil {
		return false, x.fail(scheme.CodeLocal, err)
	}
	got, err := io.ReadFull(res.Body, remote)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, passing(err)
	}
	return bytes.Equal(local, remote[:got]), nil
}

// verify compares a resumed file with the server's digest.
func (x *put) verify(ctx context.Context, out *Outcome) error {
	same, by, err := x.sameDigest(ctx, x.r.URL, out.Bytes)
	if out.Verified = by; err != nil || same || by == "" {
		return err
	}
	return x.fail(scheme.CodeBroken, fmt.Errorf("the %s of the file on the server is not that of the local file", by))
}

func (x *put) note(text string) {
	if x.o.Events.Note != nil {
		x.o.Events.Note(text)
	}
}

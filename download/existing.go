package download

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"locator/internal/units"
	"locator/scheme"
	"locator/transfer"
)

// ErrExist is the cause of the error of [Fetch] if a file has the name already and
// [Options.Existing] does not replace it.
var ErrExist = errors.New("file already exists")

// Existing says what happens to a file that exists.
type Existing uint8

// What happens to a file that exists. It is current if what the server reports about the resource,
// or the listing in [scheme.AccessOptions.Known], is what the folder's index says of the file (see
// [Folder.UseIndex]); without a record in the index, if the file has the size and the time that the
// server reports. Update also replaces the file that the download of a part was allowed to replace,
// if Options.Resume continues that part and the folder has no index.
const (
	Replace Existing = iota // it is replaced
	Refuse                  // the error is ErrExist
	Update                  // it is kept if it is current, replaced if nobody changed it since it was downloaded; else the error is ErrExist
	Sync                    // it is kept if it is current, and replaced otherwise
)

// checkExisting applies Options.Existing to the file that exists. If done is set, the download has
// ended with out and err.
func (x *fetch) checkExisting(ctx context.Context) (out Outcome, done bool, err error) {
	in, err := x.f.Root.Lstat(x.f.Name)
	switch {
	case err != nil:
		x.absent = true
		return Outcome{}, false, nil
	case in.IsDir():
		return Outcome{}, true, scheme.Fail(scheme.CodeLocal, "%s is a folder here and %w", x.f.shown(x.f.Name), ErrInTheWay)
	case x.o.Existing == Refuse:
		return Outcome{}, true, x.exists("")
	case x.part == nil && (x.o.Resume && !x.o.IfNewer || x.o.Existing > Refuse):
		if out, done = x.upToDate(ctx); done {
			return out, true, nil
		}
	}
	if x.o.Existing == Update && !x.copied(in) && !x.agreed(in) {
		return Outcome{}, true, x.exists(x.difference())
	}
	x.replaces = stampOf(in)
	return Outcome{}, false, nil
}

// agreed reports whether the run that left the part was allowed to replace the file. With an index,
// the options of this run decide.
func (x *fetch) agreed(in fs.FileInfo) bool {
	return x.part != nil && x.f.remember == nil && x.state.Replaces.is(in)
}

func (x *fetch) exists(why string) error {
	return scheme.Fail(scheme.CodeLocal, "%s: %w%s", x.f.shown(x.f.Name), ErrExist, why)
}

// difference says why the file is not replaced without being asked.
func (x *fetch) difference() string {
	switch {
	case x.f.old.URL == keyOf(x.r.URL):
		return ", and was changed here since it was downloaded"
	case x.f.remember == nil: // the folder has no index
		return ", and is not known to be a copy of the resource"
	}
	return ", and was not downloaded from this URL"
}

// copied reports whether the file is a copy of the resource that nobody has changed here.
func (x *fetch) copied(in fs.FileInfo) bool {
	return x.f.old.URL == keyOf(x.r.URL) && x.f.unchanged(in)
}

// upToDate reports whether the file is complete and current.
func (x *fetch) upToDate(ctx context.Context) (Outcome, bool) {
	in, err := x.f.Root.Stat(x.f.Name)
	if err != nil || !in.Mode().IsRegular() { // opening a pipe would block
		return Outcome{}, false
	}
	h, err := x.f.Root.Open(x.f.Name)
	if err != nil {
		return Outcome{}, false
	}
	defer h.Close()
	if in, err = h.Stat(); err != nil {
		return Outcome{}, false
	}
	attr, notes := x.o.Access.Known, []string(nil)
	if !x.current(in, attr) {
		if x.o.Existing > Refuse && x.listed() { // the listing shows that it has changed
			return Outcome{}, false
		}
		res, err := x.c.Attributes(ctx, x.r, &scheme.AttributesOptions{Accept: x.access.Accept, Type: 'i', NoProbe: true})
		if err != nil {
			return Outcome{}, false
		}
		if x.asked = res.Attr; !x.current(in, res.Attr) {
			return Outcome{}, false
		}
		attr, notes = res.Attr, res.Notes
	}
	early := x.f.old.Early && x.copied(in)
	if early && attr.Precision != 0 { // the listing alone does not show it
		res, err := x.c.Attributes(ctx, x.r, &scheme.AttributesOptions{Accept: x.access.Accept, Type: 'i', NoProbe: true})
		if err == nil && !res.Attr.Modified.IsZero() {
			if !x.current(in, res.Attr) {
				return Outcome{}, false
			}
			attr, notes = res.Attr, res.Notes
		}
	}
	out := Outcome{Bytes: in.Size(), UpToDate: true,
		Resource: &scheme.Resource{URL: x.r.URL, Kind: scheme.KindObject, Attr: attr, Notes: notes, NotModified: true}}
	if x.o.SHA256 != "" || x.o.WantSHA256 {
		if out.SHA256, err = transfer.Digest(sha256.New(), h, in.Size()); err != nil || x.o.SHA256 != "" && out.SHA256 != x.o.SHA256 {
			return Outcome{}, false
		}
	}
	if x.o.Verify && !x.sameAsServer(ctx, h, &out) {
		return Outcome{}, false
	}
	if !x.copied(in) || early && !x.isEarly(attr) {
		x.remember(in, attr, out.SHA256)
	}
	return out, true
}

// isEarly reports whether a resource with these attributes has changed so recently that another
// change may fall into the same minute or day of a listing, whose time zone is not known. A later
// change has a later time, unless somebody sets it.
func (x *fetch) isEarly(attr scheme.Attr) bool {
	unit := max(attr.Precision, x.o.Access.Known.Precision)
	if attr.Modified.IsZero() || unit == 0 {
		return false
	}
	const zones = 26 * time.Hour // between the farthest time zones
	return time.Since(attr.Modified) < unit+zones
}

// listed reports whether a listing has enough attributes to detect a change.
func (x *fetch) listed() bool {
	_, size := x.o.Access.Known.Size.Get()
	return size && !x.o.Access.Known.Modified.IsZero()
}

// current reports whether the file is a copy of a resource with these attributes.
func (x *fetch) current(in fs.FileInfo, attr scheme.Attr) bool {
	if x.copied(in) {
		old := x.f.old.attr(attr)
		return same(old, attr) && (!old.Modified.IsZero() && !attr.Modified.IsZero() || old.ETag != "" && attr.ETag != "")
	}
	if x.f.old.URL == keyOf(x.r.URL) { // changed here
		return false
	}
	size, known := attr.Size.Get()
	return known && size == in.Size() && !attr.Modified.IsZero() && sameTime(attr, scheme.Attr{Modified: in.ModTime()})
}

// same reports whether nothing that is known of both differs: size, time and entity tag.
func same(a, b scheme.Attr) bool {
	m, sized := a.Size.Get()
	n, both := b.Size.Get()
	return (!sized || !both || m == n) && (a.ETag == "" || b.ETag == "" || a.ETag == b.ETag) && (a.Modified.IsZero() || b.Modified.IsZero() || sameTime(a, b))
}

// sameTime reports whether two times are equal as far as the less precise one goes.
func sameTime(a, b scheme.Attr) bool { return transfer.CompareTimes(a, b) == 0 }

// keepSame ends the download if the server reports no time that would show a change, and the file
// that exists has the contents of the part. Then that file stays.
func (x *fetch) keepSame(res *scheme.Resource, out *Outcome) (bool, error) {
	if x.absent || x.o.Existing <= Refuse || res.Attr.ETag != "" || !res.Attr.Modified.IsZero() || !x.o.Access.Known.Modified.IsZero() {
		return false, nil
	}
	in, err := x.f.Root.Lstat(x.f.Name)
	if err != nil || !in.Mode().IsRegular() || in.Size() != out.Bytes || !x.sameContents(in.Size()) {
		return false, nil
	}
	attr := x.knownAttr(res)
	if t := attr.Modified; !t.IsZero() && !t.Equal(in.ModTime()) {
		if err := x.f.Root.Chtimes(x.f.Name, t, t); err != nil {
			return false, err
		}
		if in, err = x.f.Root.Lstat(x.f.Name); err != nil {
			return false, err
		}
	}
	if err := x.f.Root.Remove(x.f.partName()); err != nil {
		return false, err
	}
	x.part.Close()
	x.part = nil
	out.UpToDate = true
	if !x.copied(in) || !x.f.old.Modified.Equal(attr.Modified) {
		x.remember(in, attr, out.SHA256)
	}
	return true, x.f.removeState()
}

// sameContents reports whether the file that exists has the bytes of the part.
func (x *fetch) sameContents(size int64) bool {
	h, err := x.f.Root.Open(x.f.Name)
	if err != nil {
		return false
	}
	defer h.Close()
	a, b := bufio.NewReaderSize(io.LimitReader(h, size+1), 32<<10), bufio.NewReaderSize(io.NewSectionReader(x.part.File, 0, size+1), 32<<10)
	for {
		if _, err := a.Peek(1); err != nil {
			_, end := b.Peek(1)
			return err == io.EOF && end == io.EOF
		}
		p, _ := a.Peek(a.Buffered())
		q, _ := b.Peek(len(p))
		if !bytes.Equal(p, q) {
			return false
		}
		a.Discard(len(p))
		b.Discard(len(p))
	}
}

// knownAttr returns the server's attributes of a resource, completed from the listing.
func (x *fetch) knownAttr(res *scheme.Resource) scheme.Attr {
	attr, known := res.Attr, x.o.Access.Known
	if attr.Modified.IsZero() {
		attr.Modified, attr.Precision = x.asked.Modified, x.asked.Precision
	}
	if attr.Modified.IsZero() {
		attr.Modified, attr.Precision = known.Modified, known.Precision
	}
	if _, ok := attr.Size.Get(); !ok {
		attr.Size = known.Size
	}
	return attr
}

// remember records the complete file in the index of its folder.
func (x *fetch) remember(in os.FileInfo, attr scheme.Attr, sha256 string) {
	if x.f.remember == nil {
		return
	}
	r := record{URL: keyOf(x.r.URL), From: x.f.from, Size: attr.Size.Or(-1), Modified: attr.Modified.UTC(), ETag: attr.ETag, SHA256: sha256,
		Stored: in.Size(), Changed: in.ModTime().UTC(), Early: x.isEarly(attr)}
	if attr.Precision != 0 {
		r.Precision = units.Precision(attr.Precision)
	} else if known := x.o.Access.Known; known.Precision != 0 && !known.Modified.IsZero() {
		r.Listed, r.ListedTo = known.Modified.UTC(), units.Precision(known.Precision)
	}
	if err := x.f.remember(r); err != nil {
		x.note("%v", err)
	}
}

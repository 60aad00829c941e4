package upload

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"locator/client"
	"locator/scheme"
	"locator/transfer"
)

// ErrNewer is the cause of the error of [Tree] for a file that has another size on the server and
// is newer there, or may be: servers list times without a time zone, and not all servers report the
// exact one.
var ErrNewer = errors.New("the file on the server has another size and may be newer")

// Existing says what Tree does with a file that the server has. A file is current if the one on the
// server has the same size and is not older: a server that does not let the client set the time of
// a file has the time of the upload.
type Existing uint8

// What Tree does with a file that the server has.
const (
	Update  Existing = iota // it is kept if it is current, replaced if the local one is newer; else the error is ErrNewer
	Newer                   // it is replaced only if the local one is newer
	Replace                 // it is replaced
)

// verdict is what is done with a file.
type verdict uint8

const (
	send verdict = iota
	keep
	refuse
)

// judge compares the server's attributes of a file with the local file.
func (e Existing) judge(there scheme.Attr, local fs.FileInfo) verdict {
	size, sized := there.Size.Get()
	if e == Replace || there.Modified.IsZero() {
		return send
	}
	order := transfer.CompareTimes(scheme.Attr{Modified: local.ModTime()}, there)
	if local.ModTime().Before(there.Modified.Add(doubt(there.Precision))) {
		order = -1 // it may be newer there
	}
	switch {
	case order > 0:
		return send
	case e == Newer || sized && size == local.Size():
		return keep
	case order < 0:
		return refuse
	}
	return send
}

// doubt returns how much later a time of this precision may be. Without seconds its time zone is
// unknown, too, and may be 14 hours from UTC.
func doubt(precision time.Duration) time.Duration {
	if precision == 0 {
		return 0
	}
	return precision + 15*time.Hour
}

// isSettled reports whether the exact time of a file would not change the verdict.
func (e Existing) isSettled(there scheme.Attr, local fs.FileInfo) bool {
	return e == Replace || !there.Modified.IsZero() &&
		(there.Precision == 0 || local.ModTime().Add(doubt(there.Precision)).Before(there.Modified))
}

// judge is Existing.judge, and asks the server where a listing says too little. sure says that
// known is what the listing says of the file itself.
func (t *treeUpload) judge(ctx context.Context, it Item, known scheme.Attr, sure bool) (verdict, error) {
	isAbsent := known.Modified.IsZero() && known.Size == scheme.Count{}
	if t.o.Existing == Replace || sure && (isAbsent || t.o.Existing.isSettled(known, it.Info)) {
		return t.o.Existing.judge(known, it.Info), nil
	}
	r := t.r
	r.URL = it.URL
	res, err := t.c.Attributes(ctx, r, &scheme.AttributesOptions{Type: 'i'})
	switch {
	case err != nil && client.CodeOf(err) == scheme.CodeNotFound:
		return send, nil
	case err != nil && passing(err) == nil:
		return t.o.Existing.judge(known, it.Info), nil
	case err != nil:
		return send, err
	}
	if res.Kind == scheme.KindListing {
		return send, isDirectory()
	}
	if !res.Attr.Modified.IsZero() {
		known.Modified, known.Precision = res.Attr.Modified, res.Attr.Precision
	}
	if _, ok := res.Attr.Size.Get(); ok {
		known.Size = res.Attr.Size
	}
	return t.o.Existing.judge(known, it.Info), nil
}

// isDirectory is the error for a file whose name a directory on the server has.
func isDirectory() error {
	return scheme.Fail(scheme.CodeLocal, "a directory on the server has the name of the file")
}

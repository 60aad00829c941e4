package download

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"locator/internal/atomicfile"
	"locator/scheme"
)

// state describes the resource that a part belongs to. It is stored beside the part, in
// NAME.part.state.
type state struct {
	URL      string    `json:"url"`  // as requested, redacted
	Size     int64     `json:"size"` // -1 if it is unknown
	Modified time.Time `json:"modified"`
	ETag     string    `json:"etag"`
	Ranges   bool      `json:"ranges"` // byte positions are stable, so the part can be resumed
	Begun    time.Time `json:"begun"`  // by the local clock
	// Precision is that of Modified.
	Precision time.Duration `json:"precision,omitempty"`
	// Replaces is the file that the download was allowed to replace; nil if there was none.
	Replaces *stamp `json:"replaces,omitempty"`
}

// stamp is what a file looked like.
type stamp struct {
	Size    int64     `json:"size"`
	Changed time.Time `json:"changed"`
}

func stampOf(in fs.FileInfo) *stamp { return &stamp{in.Size(), in.ModTime().UTC()} }

// is reports whether a file still looks like that.
func (s *stamp) is(in fs.FileInfo) bool {
	return s != nil && in.Mode().IsRegular() && in.Size() == s.Size && in.ModTime().Equal(s.Changed)
}

// stateOf describes a resource. A body without a size that does not come in ranges cannot be
// resumed, such as a text in TYPE A or a body that was compressed for the transfer.
func (x *fetch) stateOf(res *scheme.Resource) state {
	_, known := res.Attr.Size.Get()
	attr := x.knownAttr(res)
	return state{URL: x.r.URL.Redacted(), Size: res.Attr.Size.Or(-1), Modified: attr.Modified.UTC(), Precision: attr.Precision,
		ETag: attr.ETag, Ranges: known || res.Attr.Ranges, Begun: time.Now().UTC(), Replaces: x.replaces}
}

// matches reports whether the server reports the same attributes for both resources, of which t is
// that of a later response. An attribute of only one is a difference, except for the size, and for
// the time if a strong entity tag is the same (RFC 9110 15.3.7). A resource modified after the part
// was begun does not match; if the clocks differ, that costs one download too many.
func (s state) matches(t state) bool {
	switch {
	case s.Size >= 0 && t.Size >= 0 && s.Size != t.Size, s.ETag != t.ETag, t.Modified.After(s.Begun):
		return false
	case t.Modified.IsZero():
		return s.Modified.IsZero() || isStrong(s.ETag)
	}
	return sameTime(scheme.Attr{Modified: s.Modified, Precision: s.Precision}, scheme.Attr{Modified: t.Modified, Precision: t.Precision})
}

func isStrong(etag string) bool { return len(etag) > 1 && etag[0] == '"' }

// maxState bounds the size of a state file.
const maxState = 64 << 10

// readState reads the state beside the part; ok is false if there is none that makes sense.
func (f File) readState() (s state, ok bool) {
	if f.place().CheckRegular(f.stateName()) != nil { // opening a pipe would block
		return state{}, false
	}
	h, err := f.Root.Open(f.stateName())
	if err != nil {
		return state{}, false
	}
	defer h.Close()
	err = json.NewDecoder(io.LimitReader(h, maxState)).Decode(&s)
	return s, err == nil && !s.Begun.IsZero()
}

func (f File) writeState(s state) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := f.removeState(); err != nil {
		return err
	}
	h, err := f.Root.OpenFile(f.stateName(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, atomicfile.PartMode) // O_EXCL follows no link
	if err != nil {
		return err
	}
	_, err = h.Write(text)
	if e := h.Close(); err == nil {
		err = e
	}
	return err
}

func (f File) removeState() error {
	if _, err := f.Root.Lstat(f.stateName()); errors.Is(err, fs.ErrNotExist) { // Remove takes two system calls to find that
		return nil
	}
	if err := f.Root.Remove(f.stateName()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

package transfer

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"locator/scheme"
)

// File is where a transfer ends: a name in a folder that no name leads out of.
type File struct {
	Root *os.Root
	Name string // may hold "/"; the folders must exist
}

// Part is the name of what is not whole yet.
func (f File) Part() string { return f.Name + ".part" }

func (f File) statePath() string { return f.Part() + ".state" }

// state is what is known of the resource that a part belongs to.
type state struct {
	URL      string    `json:"url"` // redacted
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
	ETag     string    `json:"etag"`
	Begun    time.Time `json:"begun"` // by the local clock
}

// maxState bounds the file that a state is read from.
const maxState = 64 << 10

func (f File) readState() (state, bool) {
	h, err := f.Root.Open(f.statePath())
	if err != nil {
		return state{}, false
	}
	defer h.Close()
	var s state
	err = json.NewDecoder(io.LimitReader(h, maxState)).Decode(&s)
	return s, err == nil
}

func (f File) writeState(s state) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return f.Root.WriteFile(f.statePath(), text, 0o600)
}

// stateOf describes a resource; size is -1 where it is unknown.
func stateOf(res *scheme.Resource) state {
	return state{URL: res.URL.Redacted(), Size: res.Attr.Size.Or(-1), Modified: res.Attr.Modified.UTC(), ETag: res.Attr.ETag,
		Begun: time.Now().UTC()}
}

// same reports whether nothing that both know differs. A weak entity tag says nothing about octets (RFC 9110 8.8.1). A
// resource that changed after the part was begun differs; where clocks are apart that is one transfer too many.
func (s state) same(t state) bool {
	if s.Modified.IsZero() && t.Modified.After(s.Begun) {
		return false
	}
	if s.Size >= 0 && t.Size >= 0 && s.Size != t.Size {
		return false
	}
	if strong(s.ETag) && strong(t.ETag) && s.ETag != t.ETag {
		return false
	}
	return s.Modified.IsZero() || t.Modified.IsZero() || s.Modified.Equal(t.Modified)
}

func strong(etag string) bool { return len(etag) > 1 && etag[0] == '"' }

// partSize is how much of the resource is there; 0 where nothing is.
func (f File) partSize() int64 {
	in, err := f.Root.Stat(f.Part())
	if err != nil || !in.Mode().IsRegular() {
		return 0
	}
	return in.Size()
}

// finish gives the part its final name, and the resource's time where it is known.
func (f File) finish(modified time.Time, stateWritten bool) error {
	if !modified.IsZero() {
		if err := f.Root.Chtimes(f.Part(), modified, modified); err != nil {
			return err
		}
	}
	if err := f.Root.Rename(f.Part(), f.Name); err != nil {
		return err
	}
	if !stateWritten {
		return nil
	}
	return f.dropState()
}

func (f File) dropState() error {
	if err := f.Root.Remove(f.statePath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// clean removes a part that holds nothing.
func (f File) clean() {
	if f.partSize() == 0 {
		f.Root.Remove(f.Part())
		f.Root.Remove(f.statePath())
	}
}

// local makes an error of this machine's own trouble.
func local(err error) error {
	if err == nil {
		return nil
	}
	return scheme.Fail(scheme.Local, "%w", err)
}

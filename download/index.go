package download

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"locator"
	"locator/internal/atomicfile"
	"locator/internal/safename"
	"locator/internal/units"
	"locator/scheme"
)

// IndexName is the name of the index in a [Folder]. No file of a server gets this name.
const IndexName = atomicfile.IndexName

// maxRecord bounds the length of a line of the index in bytes, maxIndex that of all lines.
const (
	maxRecord = 64 << 10
	maxIndex  = 1 << 30
)

// record says what a file of a Folder is a copy of. The index has a line of JSON for each; the last
// one for a file is valid.
type record struct {
	File      name      `json:"file"`            // its path in the Folder, with slashes; "" if it is not a record
	Names     []name    `json:"names,omitempty"` // the server's names for it and its folders, if they are not those of File
	URL       string    `json:"url"`             // canonical and redacted
	Size      int64     `json:"size"`            // announced by the server; -1 if that is unknown
	Modified  time.Time `json:"modified,omitzero"`
	Precision string    `json:"precision,omitempty"`
	Listed    time.Time `json:"listed,omitzero"` // what a listing said, if Modified is more exact; servers list in any time zone
	ListedTo  string    `json:"listed_precision,omitempty"`
	Early     bool      `json:"early,omitempty"` // another change may not be seen in a listing, see isEarly
	ETag      string    `json:"etag,omitempty"`
	SHA256    string    `json:"sha256,omitempty"`
	Stored    int64     `json:"stored"`           // size of the file
	Changed   time.Time `json:"changed"`          // modification time of the file when it was complete
	From      string    `json:"from,omitempty"`   // the URL of the mirror that downloaded it, redacted
	Link      string    `json:"link,omitempty"`   // what the file says if it is a symbolic link
	Folder    bool      `json:"folder,omitempty"` // it is a folder that was empty
	Gone      bool      `json:"gone,omitempty"`
}

// keyOf returns the key of a URL in the index.
func keyOf(u locator.URL) string { return u.Canonical().Redacted() }

// name is a file name in the index. It may not be UTF-8: such bytes, and "%", are written as %XX.
type name string

// MarshalText implements encoding.TextMarshaler.
func (n name) MarshalText() ([]byte, error) {
	var b []byte
	for i := 0; i < len(n); {
		r, size := utf8.DecodeRuneInString(string(n[i:]))
		if n[i] == '%' || r == utf8.RuneError && size == 1 {
			b = fmt.Appendf(b, "%%%02X", n[i])
		} else {
			b = append(b, n[i:i+size]...)
		}
		i += size
	}
	return b, nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (n *name) UnmarshalText(text []byte) error {
	*n = name(locator.Decode(string(text)))
	return nil
}

// attr returns what the server said about the file, to compare with what it says now.
func (r *record) attr(now scheme.Attr) scheme.Attr {
	a := scheme.Attr{Modified: r.Modified, ETag: r.ETag, Precision: precisionOf(r.Precision)}
	if now.Precision != 0 && !r.Listed.IsZero() {
		a.Modified, a.Precision = r.Listed, precisionOf(r.ListedTo)
	}
	if r.Size >= 0 {
		a.Size = scheme.Known(r.Size)
	}
	return a
}

// precisionOf returns the precision of that name, a second for "".
func precisionOf(name string) time.Duration {
	for _, p := range []time.Duration{time.Minute, 24 * time.Hour} {
		if units.Precision(p) == name {
			return p
		}
	}
	return 0
}

// unchanged reports whether nobody has written to the file since it was downloaded.
func (r *record) unchanged(in fs.FileInfo) bool {
	return r.File != "" && in.Mode().IsRegular() && in.Size() == r.Stored && in.ModTime().Equal(r.Changed)
}

// index is the index of a Folder. The Folder's lock protects it.
type index struct {
	files map[name]*record // by File; pointers, since a map of large values is half empty
	ids   map[uint64]name  // File by id
	seed  maphash.Seed     // of id
	lines int              // in the file
	size  int64            // of the file, as far as this process has read and written it
	torn  bool             // the last line has no end
	out   *os.File         // for appending; nil until the first record
}

func newIndex() *index {
	return &index{files: make(map[name]*record), ids: make(map[uint64]name), seed: maphash.MakeSeed()}
}

// id returns a hash of what identifies a file of a server in a Folder. It takes less memory than
// that.
func (x *index) id(url string, names []string) uint64 {
	var h maphash.Hash
	h.SetSeed(x.seed)
	h.WriteString(url)
	for _, n := range names {
		h.WriteByte(0)
		h.WriteString(n)
	}
	return h.Sum64()
}

// served returns the server's names for the file and its folders.
func (r *record) served() (names []string) {
	if r.Names == nil {
		return strings.Split(string(r.File), "/")
	}
	for _, n := range r.Names {
		names = append(names, string(n))
	}
	return names
}

// UseIndex reads the index of the folder, and keeps it up to date from now on: the hidden file
// ".locator" says which URL each file was downloaded from, with its size, time, entity tag and
// digest. So a file keeps its name in later runs, whatever the order of the URLs, and a later run
// can detect whether the file on the server or the one here has changed. UseIndex must be called
// before the first File is made. The error has code CodeLocal.
func (f *Folder) UseIndex() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.index = newIndex()
	place := f.at(IndexName)
	if err := place.place().CheckRegular(IndexName); err != nil { // opening a pipe would block
		return err
	}
	h, err := f.root.Open(IndexName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return place.local(err)
	}
	defer h.Close()
	if info, err := h.Stat(); err == nil && info.Size() > maxIndex {
		return scheme.Fail(scheme.CodeLocal, "%s has more than %d bytes; remove it", place.shown(IndexName), maxIndex)
	}
	in := bufio.NewScanner(io.LimitReader(h, maxIndex))
	in.Buffer(nil, maxRecord)
	in.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		f.index.torn = atEOF && len(data) > 0 && data[len(data)-1] != '\n'
		n, line, err := bufio.ScanLines(data, atEOF)
		f.index.size += int64(n)
		return n, line, err
	})
	for in.Scan() {
		f.index.lines++
		var r record
		if json.Unmarshal(in.Bytes(), &r) == nil && r.valid() { // a line may be torn if the system crashed
			f.index.set(r)
		}
	}
	if err := in.Err(); errors.Is(err, bufio.ErrTooLong) {
		return scheme.Fail(scheme.CodeLocal, "%s is not an index: it has a line of more than %d bytes; remove it", place.shown(IndexName), maxRecord)
	} else if err != nil {
		return place.local(err)
	}
	for _, r := range f.index.files {
		f.reserve(*r)
	}
	return nil
}

// valid reports whether a record of the index makes sense: somebody may have edited it.
func (r *record) valid() bool {
	file := string(r.File)
	if r.URL == "" || !filepath.IsLocal(filepath.FromSlash(file)) || path.Clean(file) != file {
		return false
	}
	parts, rules := strings.Split(file, "/"), safename.Native()
	if r.Names != nil && (len(r.Names) != len(parts) || slices.Contains(r.Names[:len(parts)-1], "")) {
		return false
	}
	return !slices.ContainsFunc(parts, func(part string) bool { return reserved(part) || rules.Make(part) != part })
}

// set makes r the record of its file.
func (x *index) set(r record) {
	if old, ok := x.files[r.File]; ok {
		if key := x.id(old.URL, old.served()); x.ids[key] == r.File {
			delete(x.ids, key)
		}
	}
	if r.Gone {
		delete(x.files, r.File)
		return
	}
	x.files[r.File] = &r
	x.ids[x.id(r.URL, r.served())] = r.File
}

// reserve keeps the name of a file, and those of its folders, for what the record says.
func (f *Folder) reserve(r record) {
	names := r.served()
	parts := strings.Split(string(r.File), "/")
	last := len(parts) - 1
	if r.Folder {
		last++
	}
	for i := 1; i <= last; i++ {
		dir := strings.Join(parts[:i], "/")
		f.dirs[strings.Join(names[:i], "\x00")] = dir
		f.taken[f.fold(dir)] = false
	}
	f.taken[f.fold(string(r.File))] = false
}

// recorded returns the record of the file that has been downloaded from u under these names, if it
// has not been given yet.
func (f *Folder) recorded(u locator.URL, names []string) (record, bool) {
	if f.index == nil {
		return record{}, false
	}
	url := keyOf(u)
	file, ok := f.index.ids[f.index.id(url, names)]
	r := f.index.files[file]
	if !ok || r == nil || f.taken[f.fold(string(file))] || r.URL != url || !slices.Equal(r.served(), names) { // the hashes of two files may be equal
		return record{}, false
	}
	return *r, true
}

// remember records a file that has been downloaded.
func (f *Folder) remember(r record, names []string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.index == nil {
		return nil
	}
	return f.record(r, names)
}

// record is remember for a caller that holds the lock.
func (f *Folder) record(r record, names []string) error {
	if strings.Join(names, "/") != string(r.File) || slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, "/") }) {
		for _, n := range names {
			r.Names = append(r.Names, name(n))
		}
	}
	return f.append(r)
}

// append adds a line to the index. The caller holds the lock.
func (f *Folder) append(r record) error {
	line, err := json.Marshal(r)
	if err != nil || len(line) >= maxRecord { // such as a URL of 60,000 bytes: the file is not in the index
		return err
	}
	x, place := f.index, f.at(IndexName)
	if x.out == nil {
		if x.out, err = place.openIndex(); err != nil {
			return err
		}
	}
	if x.torn {
		line = append([]byte{'\n'}, line...)
	}
	n, err := x.out.Write(append(line, '\n')) // one write: another process may append, too
	x.size += int64(n)
	if x.torn = err != nil; x.torn {
		return place.local(err)
	}
	x.lines++
	x.set(r)
	return nil
}

// openIndex opens the index for appending. The result is nil only after an error.
func (f File) openIndex() (*os.File, error) {
	for range atomicfile.MaxOpens {
		h, _, err := f.place().OpenRegular(IndexName, os.O_WRONLY|os.O_APPEND, true, 0o666)
		if h != nil || err != nil {
			return h, err
		}
	}
	return nil, scheme.Fail(scheme.CodeLocal, "another program keeps replacing %s", f.shown(IndexName))
}

// closeIndex closes the index, and writes it anew if most of its lines are out of date, unless
// another process has written to it. The caller holds the lock.
func (f *Folder) closeIndex() error {
	x := f.index
	if x == nil || x.out == nil {
		return nil
	}
	in, err := x.out.Stat()
	if e := x.out.Close(); err == nil {
		err = e
	}
	x.out = nil
	if err != nil || x.lines < 2*len(x.files)+100 || in.Size() != x.size {
		return f.at(IndexName).local(err)
	}
	_, err = Write(f.at(IndexName), 0, x.write)
	return err
}

// at returns the File for a name in the folder.
func (f *Folder) at(file string) File { return File{Root: f.root, Dir: f.path, Name: file} }

// write writes all records, sorted by file.
func (x *index) write(w io.Writer) (n int64, err error) {
	out := bufio.NewWriter(w)
	for _, file := range slices.Sorted(maps.Keys(x.files)) {
		line, err := json.Marshal(x.files[file])
		if err != nil {
			return n, err
		}
		out.Write(line)
		out.WriteByte('\n')
		n += int64(len(line)) + 1
	}
	return n, out.Flush()
}

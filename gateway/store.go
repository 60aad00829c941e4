package gateway

import (
	"bufio"
	"bytes"
	"container/list"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// store keeps responses in a folder, each in a file of its own: a line of JSON, the body, and a CRC-32C of both. A file gets its name
// when it is complete, and is checked when it is read for the first time after a start, so that nothing that a crash leaves is sent.
// Nothing is synchronized: what a crash loses is fetched again.
type store struct {
	dir  string
	most int64 // bytes
	log  *slog.Logger
	temp func() (*os.File, error) // creates a file to be written

	mu      sync.Mutex
	all     map[string]*kept // by name
	order   *list.List       // of *kept, the one that was used last in front
	sum     int64            // bytes of all
	writing int64            // bytes of files that are being written
	held    int64            // bytes of bodies in memory
}

// kept is a response in the store. meta is nil, and begin 0, until the file has been checked.
type kept struct {
	name  string // of its file
	size  int64  // of its file
	begin int64  // of the body in it
	meta  *meta
	body  []byte    // what the file has, of a small one that was used; nil otherwise
	since time.Time // when the server last said that it is so
	elem  *list.Element
}

// meta is what is kept of a response besides its body.
type meta struct {
	Header   http.Header    `json:"header"`
	Fresh    time.Duration  `json:"fresh"`          // how long it is sent without asking the server
	ETag     string         `json:"etag,omitempty"` // of the resource, to ask the server whether it has changed
	Modified time.Time      `json:"modified,omitzero"`
	Addr     netip.AddrPort `json:"addr,omitzero"`  // of the server
	List     string         `json:"list,omitempty"` // the version of the block list that allowed the hops that led to it; "" if there are none
}

// Bounds of a store.
const (
	maxKept     = 50_000   // responses
	maxMeta     = 64 << 10 // bytes
	maxHeldBody = 32 << 10 // bytes of a body in memory
	maxHeld     = 32 << 20 // of all of them
	crcSize     = crc32.Size
	writePart   = "locator-part-" // begins the names of files that are being written
)

var (
	crcTable  = crc32.MakeTable(crc32.Castagnoli)
	keptName  = regexp.MustCompile(`^[0-9a-f]{32}-[0-9a-f]{24}$`)
	errNoRoom = errors.New("the cache has no room for more")
)

// openStore opens the store in a folder, which is made if there is none. Files of others in it are left alone.
func openStore(dir string, most int64, log *slog.Logger) (*store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if in, err := os.Stat(dir); err == nil && in.Mode().Perm()&0o002 != 0 && runtime.GOOS != "windows" {
		return nil, fmt.Errorf("%s: everybody may write there (mode %#o); what they put there would be sent", dir, in.Mode().Perm())
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	s := &store{dir: dir, most: most, log: log, all: make(map[string]*kept), order: list.New()}
	s.temp = func() (*os.File, error) { return os.CreateTemp(dir, writePart) }
	var found []*kept
	for _, e := range entries {
		switch info, err := e.Info(); {
		case err != nil || !info.Mode().IsRegular():
		case strings.HasPrefix(e.Name(), writePart):
			os.Remove(s.path(e.Name())) // if it cannot be removed, it is only in the way
		case keptName.MatchString(e.Name()):
			found = append(found, &kept{name: e.Name(), size: info.Size(), since: info.ModTime()})
		}
	}
	slices.SortFunc(found, func(a, b *kept) int { return a.since.Compare(b.since) })
	for _, k := range found {
		s.insert(k)
	}
	s.trim(0)
	f, err := s.temp()
	if err != nil {
		return nil, err
	}
	f.Close()
	return s, os.Remove(f.Name())
}

func (s *store) path(name string) string { return filepath.Join(s.dir, name) }

// insert adds a response, in the place of one with its name. s.mu is locked, or nobody else knows s.
func (s *store) insert(k *kept) {
	if old := s.all[k.name]; old != nil {
		s.forget(old)
	}
	s.all[k.name], k.elem = k, s.order.PushFront(k)
	s.sum += k.size
}

// forget removes a response from memory.
func (s *store) forget(k *kept) {
	if s.all[k.name] == k {
		delete(s.all, k.name)
		s.order.Remove(k.elem)
		s.sum -= k.size
		s.release(k)
	}
}

// release forgets the body of a response in memory.
func (s *store) release(k *kept) {
	s.held -= int64(len(k.body))
	k.body = nil
}

// hold keeps the body of a small response in memory, too, in the place of those that were not used for the longest time.
func (s *store) hold(k *kept, b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all[k.name] != k || k.body != nil {
		return
	}
	k.body = b
	s.held += int64(len(b))
	for e := s.order.Back(); e != nil && s.held > maxHeld; e = e.Prev() {
		s.release(e.Value.(*kept))
	}
}

// trim removes what was not used for the longest time, until there is room for more bytes.
func (s *store) trim(more int64) {
	for s.order.Len() > 0 && (s.order.Len() > maxKept || s.sum+s.writing+more > s.most) {
		k := s.order.Back().Value.(*kept)
		s.forget(k)
		os.Remove(s.path(k.name)) // whoever reads it goes on
	}
}

// drop removes a response.
func (s *store) drop(k *kept) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all[k.name] == k {
		s.forget(k)
		os.Remove(s.path(k.name))
	}
}

// purge removes all responses whose names begin so.
func (s *store) purge(prefix string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, k := range maps.Clone(s.all) {
		if strings.HasPrefix(name, prefix) {
			s.forget(k)
			os.Remove(s.path(name))
		}
	}
}

// use returns the response with a name, or nil. It counts as used.
func (s *store) use(name string) *kept {
	s.mu.Lock()
	k := s.all[name]
	if k != nil {
		s.order.MoveToFront(k.elem)
	}
	known := k != nil && k.meta != nil
	s.mu.Unlock()
	if k == nil || known {
		return k
	}
	m, begin, err := s.check(k)
	if err != nil {
		s.log.Warn("a file of the cache is damaged, and removed", "file", s.path(name), "error", err.Error())
		s.drop(k)
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if k.meta == nil { // else another one was faster, and it may be renewed already
		k.meta, k.begin = m, begin
	}
	return k
}

// check reads the file of a response to its end.
func (s *store) check(k *kept) (*meta, int64, error) {
	f, err := os.Open(s.path(k.name))
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	sum := crc32.New(crcTable)
	in := bufio.NewReaderSize(io.LimitReader(f, k.size), maxMeta)
	line, err := in.ReadSlice('\n')
	if err != nil {
		return nil, 0, fmt.Errorf("its first line: %w", err)
	}
	m, begin := new(meta), int64(len(line))
	if err := json.Unmarshal(line, m); err != nil {
		return nil, 0, err
	}
	sum.Write(line) // a hash takes all
	if _, err := io.CopyN(sum, in, k.size-begin-crcSize); err != nil {
		return nil, 0, err
	}
	var end [crcSize]byte
	if _, err := io.ReadFull(in, end[:]); err != nil {
		return nil, 0, err
	}
	if binary.BigEndian.Uint32(end[:]) != sum.Sum32() {
		return nil, 0, errors.New("its checksum differs")
	}
	return m, begin, nil
}

// open opens the file of a response, and returns its body, which the caller must close.
func (s *store) open(k *kept) (*body, error) {
	s.mu.Lock()
	held := k.body
	s.mu.Unlock()
	if held != nil {
		return &body{io.NewSectionReader(bytes.NewReader(held), 0, int64(len(held))), io.NopCloser(nil)}, nil
	}
	f, err := os.Open(s.path(k.name))
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	s.mu.Lock()
	switch {
	case err != nil:
	case s.all[k.name] != k:
		err = errors.New("it was replaced")
	case info.Size() != k.size:
		err = errors.New("its size differs")
	}
	s.mu.Unlock()
	if err != nil {
		f.Close()
		return nil, err
	}
	b := &body{io.NewSectionReader(f, k.begin, k.size-k.begin-crcSize), f}
	if b.Size() <= maxHeldBody {
		small := make([]byte, b.Size())
		if _, err := b.ReadAt(small, 0); err != nil && err != io.EOF {
			f.Close()
			return nil, err
		}
		s.hold(k, small)
	}
	return b, nil
}

// body is the body of a response in the store.
type body struct {
	*io.SectionReader
	io.Closer
}

// renew notes that the server says that a response is still so.
func (s *store) renew(k *kept, fresh time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := *k.meta
	if k.since = time.Now(); fresh >= m.Fresh { // else the server is asked again after a restart, since the file says how long
		os.Chtimes(s.path(k.name), k.since, k.since)
	}
	m.Fresh = fresh
	k.meta = &m
}

// fresh reports whether a response may be sent without asking the server.
func (s *store) fresh(k *kept) (m *meta, age time.Duration, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	age = time.Since(k.since)
	return k.meta, age, age >= 0 && age < k.meta.Fresh
}

// part is the file of a response that is being written.
type part struct {
	s     *store
	f     *os.File
	meta  *meta
	begin int64
	n     int64 // bytes of the file
	sum   uint32
	began time.Time
}

// create begins the file of a response.
func (s *store) create(m *meta) (*part, error) {
	line, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	if line = append(line, '\n'); len(line) > maxMeta {
		return nil, errors.New("the header is too long")
	}
	f, err := s.temp()
	if err != nil {
		return nil, err
	}
	p := &part{s: s, f: f, meta: m, begin: int64(len(line)), began: time.Now()}
	if err := p.append(line); err != nil {
		p.close("")
		return nil, err
	}
	return p, nil
}

// append writes more of the file.
func (p *part) append(b []byte) error {
	if !p.s.reserve(int64(len(b))) {
		return errNoRoom
	}
	n, err := p.f.WriteAt(b, p.n)
	p.n += int64(len(b)) // that was reserved
	p.sum = crc32.Update(p.sum, crcTable, b[:n])
	return err
}

// reserve makes room for bytes that are written.
func (s *store) reserve(n int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writing+n > s.most/2 {
		return false
	}
	s.trim(n)
	s.writing += n
	return true
}

// ReadAt implements io.ReaderAt for the body.
func (p *part) ReadAt(b []byte, at int64) (int, error) { return p.f.ReadAt(b, p.begin+at) }

// close closes the file. It adds the response to the store, or removes the file if name is "". No system but Unix renames an open file.
func (p *part) close(name string) {
	s, from := p.s, p.f.Name()
	var err error
	if name != "" {
		err = p.append(binary.BigEndian.AppendUint32(nil, p.sum))
	}
	if bad := p.f.Close(); err == nil {
		err = bad
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writing -= p.n
	if old := s.all[name]; name != "" && err == nil && (old == nil || old.since.Before(p.began)) {
		os.Chtimes(from, p.began, p.began) // a client that read slowly does not make it younger
		if err = os.Rename(from, s.path(name)); err == nil {
			s.insert(&kept{name: name, size: p.n, begin: p.begin, meta: p.meta, since: p.began})
			s.trim(0)
			return
		}
	}
	if err != nil {
		s.log.Warn("a response cannot be kept", "file", s.path(name), "error", err.Error())
	}
	if strings.HasPrefix(filepath.Base(from), writePart) {
		os.Remove(from)
	}
}

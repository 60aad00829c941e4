package gateway

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"locator/client"
	"locator/scheme/all"
)

// keptFor returns the name of a response of a test.
func keptFor(i int) string {
	sum := sha256.Sum256(fmt.Append(nil, i))
	return hex.EncodeToString(sum[:16]) + "-" + hex.EncodeToString(sum[:12])
}

// textFor returns the body of that response.
func textFor(name string) string { return strings.Repeat(name+"\n", int(name[0])*20) }

func testStore(t *testing.T, dir string, most int64) *store {
	t.Helper()
	s, err := openStore(dir, most, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// put keeps a response.
func (s *store) put(name string) error {
	p, err := s.create(&meta{Header: http.Header{"Content-Type": {"text/plain"}, "X-Name": {name}}, Fresh: time.Hour})
	if err != nil {
		return err
	}
	for text := textFor(name); text != "" && err == nil; text = text[min(len(text), 1000):] {
		err = p.append([]byte(text[:min(len(text), 1000)]))
	}
	if err != nil {
		name = ""
	}
	p.close(name)
	return err
}

// holds reports whether the store has a response. It must be whole.
func (s *store) holds(t *testing.T, name string) bool {
	t.Helper()
	k := s.use(name)
	if k == nil {
		return false
	}
	b, err := s.open(k)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return false
	}
	defer b.Close()
	if text, err := io.ReadAll(b); err != nil || string(text) != textFor(name) || k.meta.Header.Get("X-Name") != name {
		t.Errorf("%s: %d bytes, %v, of %s", name, len(text), err, k.meta.Header.Get("X-Name"))
	}
	return true
}

// Files that a crash, a full disk or another program left are never sent; those of others stay.
//
// Covers: GW70
func TestStoreDamaged(t *testing.T) {
	dir := t.TempDir()
	s := testStore(t, dir, 1<<20)
	damage := []func(b []byte) []byte{
		func(b []byte) []byte { return b },
		func(b []byte) []byte { return nil },
		func(b []byte) []byte { return b[:len(b)/2] },
		func(b []byte) []byte { return b[:len(b)-1] },
		func(b []byte) []byte { return append(b, 0) },
		func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		func(b []byte) []byte { b[len(b)-1] ^= 1; return b },
		func(b []byte) []byte { b[strings.Index(string(b), "X-Name")] ^= 1; return b },
		func(b []byte) []byte { clear(b[len(b)/3:]); return b },
		func(b []byte) []byte { return make([]byte, len(b)) },
		func(b []byte) []byte { return []byte(strings.Repeat("{", len(b))) },
	}
	for i, change := range damage {
		if err := s.put(keptFor(i)); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(s.path(keptFor(i)))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(s.path(keptFor(i)), change(b), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"locator-part-1", "notes.txt", keptFor(100) + ".old"} {
		if err := os.WriteFile(s.path(name), []byte("text"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(s.path(keptFor(101)), 0o700); err != nil {
		t.Fatal(err)
	}
	s = testStore(t, dir, 1<<20)
	for i := range damage {
		if got := s.holds(t, keptFor(i)); got != (i == 0) {
			t.Errorf("%d: %t", i, got)
		}
	}
	var left []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if len(left) != 4 || strings.Contains(strings.Join(left, " "), "locator-part-") {
		t.Errorf("left: %q", left)
	}
}

// The files never have more bytes than they may, those that are being written included.
//
// Covers: GW70
func TestStoreSize(t *testing.T) {
	const most = 200_000
	dir := t.TempDir()
	s := testStore(t, dir, most)
	used := func() (n int64) {
		names, _ := filepath.Glob(dir + "/*")
		for _, name := range names {
			if info, err := os.Stat(name); err == nil {
				n += info.Size()
			}
		}
		return n
	}
	for i := range 100 {
		s.put(keptFor(i)) // one that does not fit is an error
		s.use(keptFor(0))
		if n := used(); n > most || n != s.sum {
			t.Fatalf("%d bytes, of which %d are known", n, s.sum)
		}
	}
	if !s.holds(t, keptFor(0)) || s.holds(t, keptFor(1)) || !s.holds(t, keptFor(99)) {
		t.Error("what was not used for the longest time goes first")
	}
	if s = testStore(t, dir, most/2); used() > most/2 || s.sum > most/2 {
		t.Errorf("%d bytes after a start with half", used())
	}
	if testStore(t, dir, 1); used() > 0 {
		t.Errorf("%d bytes", used())
	}
}

// A folder that cannot be written is an error at the start.
func TestStoreFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, file + "/below"} {
		if _, err := openStore(dir, 1<<20, slog.New(slog.DiscardHandler)); err == nil {
			t.Errorf("%s: no error", dir)
		}
	}
	open := filepath.Join(t.TempDir(), "open")
	if err := os.Mkdir(open, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := openStore(open, 1<<20, slog.New(slog.DiscardHandler)); (err == nil) != (runtime.GOOS == "windows") {
		t.Errorf("a folder that everybody may write: %v", err)
	}
	if _, err := New(Options{Client: client.Options{Registry: all.Registry()}, Service: Service{Cache: &Cache{Folder: file}}}); err == nil || !strings.Contains(err.Error(), "the cache: ") {
		t.Errorf("%v", err)
	}
}

// A program that is killed while it writes leaves nothing that is wrong.
//
// Covers: GW70
func TestStoreCrash(t *testing.T) {
	const variable = "LOCATOR_TEST_STORE"
	if dir := os.Getenv(variable); dir != "" {
		s := testStore(t, dir, 1<<20)
		fmt.Println("ready")
		for range 4 {
			go func() {
				for {
					s.put(keptFor(rand.IntN(300)))
				}
			}()
		}
		select {}
	}
	dir := t.TempDir()
	whole := 0
	for range 8 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestStoreCrash$")
		cmd.Env = append(os.Environ(), variable+"="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(5+rand.IntN(50)) * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait() // it was killed
		s := testStore(t, dir, 1<<20)
		for i := range 300 {
			if s.holds(t, keptFor(i)) {
				whole++
			}
		}
		if names, _ := filepath.Glob(dir + "/locator-part-*"); len(names) > 0 {
			t.Errorf("left: %q", names)
		}
	}
	if whole == 0 {
		t.Error("nothing was kept")
	}
}

// What is being written has at most half of the room, so that it does not push out all that is kept.
//
// Covers: GW70
func TestStoreWriting(t *testing.T) {
	s := testStore(t, t.TempDir(), 400_000)
	if err := s.put(keptFor(0)); err != nil {
		t.Fatal(err)
	}
	p, err := s.create(&meta{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.append(make([]byte, 190_000)); err != nil {
		t.Error(err)
	}
	if err := p.append(make([]byte, 20_000)); err != errNoRoom {
		t.Errorf("more than half: %v", err)
	}
	p.close("")
	if s.writing != 0 || !s.holds(t, keptFor(0)) {
		t.Errorf("%d bytes are still reserved", s.writing)
	}
}

// What a restart finds is fresh for as long as the server last said, and a response that was replaced is not that which has its name now.
func TestStoreRenew(t *testing.T) {
	dir := t.TempDir()
	s := testStore(t, dir, 1<<20)
	if err := s.put(keptFor(0)); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(s.path(keptFor(0)), old, old); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		fresh time.Duration
		kept  bool
	}{{time.Minute, false}, {time.Hour, true}} {
		s = testStore(t, dir, 1<<20)
		s.renew(s.use(keptFor(0)), x.fresh)
		if _, _, ok := s.fresh(s.use(keptFor(0))); !ok {
			t.Errorf("%s: not fresh after it was renewed", x.fresh)
		}
		s = testStore(t, dir, 1<<20)
		if _, _, ok := s.fresh(s.use(keptFor(0))); ok != x.kept {
			t.Errorf("%s: after a start it is fresh: %t", x.fresh, ok)
		}
	}
	k := s.use(keptFor(0))
	if err := s.put(keptFor(0)); err != nil {
		t.Fatal(err)
	}
	if b, err := s.open(k); err == nil {
		b.Close()
		t.Error("the file of another response is opened")
	}
}

// What a store holds in memory, and how many responses, has a bound, and what it drops is no longer counted.
//
// Covers: GW70
func TestStoreBounds(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	s := testStore(t, dir, 1<<20)
	if in, err := os.Stat(dir); err != nil || in.Mode().Perm() != 0o700 && runtime.GOOS != "windows" {
		t.Errorf("%v, %v", in.Mode(), err)
	}
	p, err := s.create(&meta{Fresh: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.append([]byte("small")); err != nil {
		t.Fatal(err)
	}
	p.close(keptFor(0))
	k := s.use(keptFor(0))
	for range 2 {
		b, err := s.open(k)
		if err != nil {
			t.Fatal(err)
		}
		b.Close()
		if s.held != int64(len("small")) {
			t.Errorf("%d bytes are held", s.held)
		}
	}
	k.since = time.Now().Add(time.Hour)
	if _, _, ok := s.fresh(k); ok {
		t.Error("a response from the future is fresh: the clock was wrong")
	}
	s.drop(k)
	if s.hold(k, []byte("text")); s.held != 0 || s.sum != 0 {
		t.Errorf("%d bytes are held, and %d kept, after the response was dropped", s.held, s.sum)
	}
	if _, err := s.create(&meta{Header: http.Header{"X": {strings.Repeat("x", maxMeta)}}}); err == nil || s.writing != 0 {
		t.Errorf("a header that is too long: %v", err)
	}
	for i := range maxKept + 10 {
		s.insert(&kept{name: keptFor(i), size: 1})
	}
	if s.trim(0); s.order.Len() != maxKept || len(s.all) != maxKept || s.sum != maxKept {
		t.Errorf("%d responses", s.order.Len())
	}
}

package download

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"net/netip"
	"os"
	"sync"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/internal/leaks"
	"locator/policy"
	"locator/scheme"
)

// source is a scheme with one resource that breaks off, changes or lies on demand.
type source struct {
	mu       sync.Mutex
	content  []byte
	size     scheme.Count // announced
	etag     string
	modified time.Time
	noRanges bool // sends the whole body for any range
	ranges   bool // announces ranges
	kind     scheme.Kind
	bodies   *leaks.Ledger // records the bodies; may be nil
	turns    []turn        // the next accesses, in order; all later ones succeed
	asked    []scheme.AccessOptions
	digests  func() (algorithm, value string, err error) // returns the checksum; nil if there is none
	digested []scheme.Request
}

// turn says how one access goes.
type turn struct {
	refer  string          // the URL of a redirect
	err    error           // of the access
	cut    int             // the body breaks off before this byte of the resource; 0 is never, -1 is at once
	then   func(s *source) // what changes afterwards
	before func(s *source)
}

func newSource(content []byte) *source {
	return &source{content: content, size: scheme.Known(int64(len(content))), etag: `"1"`, ranges: true, kind: scheme.KindObject,
		modified: time.Date(1994, 12, 1, 0, 0, 0, 0, time.UTC)}
}

func (s *source) Syntax() *locator.Syntax { return &locator.Syntax{Name: "x-source"} }

func (s *source) attr() scheme.Attr {
	return scheme.Attr{Size: s.size, ETag: s.etag, Modified: s.modified, Ranges: s.ranges}
}

func (s *source) Digest(_ context.Context, _ *scheme.Env, r scheme.Request) (algorithm, value string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.digested = append(s.digested, r)
	if s.digests == nil {
		return "", "", nil
	}
	return s.digests()
}

func (s *source) Attributes(_ context.Context, _ *scheme.Env, r scheme.Request, _ scheme.AttributesOptions) (*scheme.Resource, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.URL.SchemePart() == "down" {
		return nil, scheme.Fail(scheme.CodeUnreachable, "nobody there")
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Attr: s.attr()}, nil
}

func (s *source) Access(_ context.Context, _ *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, o)
	var now turn
	if len(s.turns) > 0 {
		now, s.turns = s.turns[0], s.turns[1:]
	}
	if now.before != nil {
		now.before(s)
	}
	if now.err != nil {
		return nil, now.err
	}
	if now.refer != "" {
		return &scheme.Resource{Kind: scheme.KindReferral, Hop: scheme.HopRedirect, Next: []scheme.Entry{{URL: locator.MustParse(now.refer)}}}, nil
	}
	res := &scheme.Resource{Kind: s.kind, Attr: s.attr()}
	if since := o.If.ModifiedSince; !since.IsZero() && !s.modified.After(since) {
		res.NotModified = true
		return res, nil
	}
	from := o.Range.Offset
	if s.noRanges {
		from = 0
	}
	if from > int64(len(s.content)) {
		return nil, scheme.Fail(scheme.CodeUsage, "not that long")
	}
	if from > 0 {
		res.Range = o.Range
	}
	body := io.Reader(bytes.NewReader(s.content[from:]))
	if now.cut != 0 {
		body = io.MultiReader(bytes.NewReader(s.content[from:max(int64(now.cut), from)]), failing{})
	}
	res.Body = io.NopCloser(body)
	if s.bodies != nil {
		res.Body = s.bodies.Body(res.Body)
	}
	if now.then != nil {
		now.then(s)
	}
	return res, nil
}

// failing is a reader that breaks off.
type failing struct{}

func (failing) Read([]byte) (int, error) {
	return 0, scheme.Fail(scheme.CodeBroken, "it broke off: %w", io.ErrUnexpectedEOF)
}

type allowAll struct{ policy.Standard }

func (*allowAll) URL(locator.URL, scheme.Hop) error      { return nil }
func (*allowAll) Addr(scheme.Dial, netip.AddrPort) error { return nil }
func (s *source) request(t *testing.T) scheme.Request {
	return scheme.Request{URL: parse(t, "x-source:name")}
}
func (s *source) client() *client.Client {
	return client.New(client.Options{Registry: scheme.NewRegistry(s), Policy: &allowAll{}})
}
func (s *source) change(f func(s *source)) { s.mu.Lock(); defer s.mu.Unlock(); f(s) }

func parse(t *testing.T, text string) locator.URL {
	t.Helper()
	u, err := locator.Current.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// place returns the File "name" in a new folder.
func place(t *testing.T) File {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return File{Root: root, Name: "name"}
}

func (s *source) fetch(t *testing.T, f File, o Options) (Outcome, error) {
	t.Helper()
	bodies := leaks.Watch(t)
	s.change(func(s *source) { s.bodies = bodies })
	c := s.client()
	bodies.Ends(c)
	return Fetch(t.Context(), c, s.request(t), f, o)
}

// octets returns n bytes in which no two places are alike.
func octets(n int) []byte {
	b := make([]byte, 0, n+sha256.Size)
	for sum := sha256.Sum256([]byte("octets")); len(b) < n; sum = sha256.Sum256(sum[:]) {
		b = append(b, sum[:]...)
	}
	return b[:n]
}

func sha(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// wantWhole checks that the folder contains only the complete file.
func wantWhole(t *testing.T, f File, want []byte) {
	t.Helper()
	got, err := f.Root.ReadFile(f.Name)
	if err != nil {
		t.Error(err)
	} else if !bytes.Equal(got, want) {
		t.Errorf("the file has %d bytes, SHA-256 %s; want %d, %s", len(got), sha(got), len(want), sha(want))
	}
	wantFiles(t, f, f.Name)
}

// wantFiles checks that the folder contains exactly these files.
func wantFiles(t *testing.T, f File, want ...string) {
	t.Helper()
	list, err := fs.ReadDir(f.Root.FS(), ".")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range list {
		got = append(got, e.Name())
	}
	if len(got) != len(want) {
		t.Errorf("files %q, want %q", got, want)
		return
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("files %q, want %q", got, want)
		}
	}
}

func wantCode(t *testing.T, err error, code scheme.Code) {
	t.Helper()
	var e *scheme.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("error %v, want code %v", err, code)
	}
}

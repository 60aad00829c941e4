package download

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha512"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"locator/scheme"
)

// tells makes a source offer a checksum of its current content.
func tells(s *source, algorithm string, sum func([]byte) string) {
	s.digests = func() (string, string, error) { return algorithm, sum(s.content), nil }
}

// A change that keeps the size, the time, the tag and the bytes around the cut is found by the
// server's checksum. The download starts again.
//
// Covers: T80
func TestJoinedIsCompared(t *testing.T) {
	t.Parallel()
	old := octets(1 << 20)
	changed := bytes.Clone(old)
	copy(changed[10<<10:], "another version")
	for _, test := range []struct {
		name    string
		tells   bool
		later   bool
		changes bool
		resumed bool
		want    []byte
		digest  string
		notes   string
	}{
		{"told, changed", true, false, true, false, changed, "", ""},
		{"told, changed, in a later run", true, true, true, false, changed, "", ""},
		{"told, the same", true, false, false, true, old, "sha-256", ""},
		{"not told, changed", false, false, true, true, append(bytes.Clone(old[:740<<10]), changed[740<<10:]...), "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s, f := newSource(old), place(t)
				if test.tells {
					tells(s, "sha-256", sha)
				}
				s.turns = []turn{{cut: 740 << 10, then: func(s *source) {
					if test.changes {
						s.content = changed
					}
				}}}
				var notes, retries []string
				o := Options{Retries: 2, Events: Events{Note: func(text string) { notes = append(notes, text) },
					Retry: func(err error, _ int, _ time.Duration) { retries = append(retries, err.Error()) }}}
				if test.later {
					_, err := s.fetch(t, f, Options{})
					wantCode(t, err, scheme.CodeBroken)
					o.Resume = true
				}
				out, err := s.fetch(t, f, o)
				if err != nil || out.Resumed != test.resumed || out.Verified != test.digest || len(notes) > 0 {
					t.Errorf("%+v, %v, notes %q", out, err, notes)
				}
				if last := retries; test.tells && test.changes && (len(last) == 0 || !strings.Contains(last[len(last)-1], "the server's is "+sha(changed))) {
					t.Errorf("tried again because of %q", last)
				}
				wantWhole(t, f, test.want)
			})
		})
	}
}

// Without a retry left, a file with a wrong checksum stays a part and is never resumed.
//
// Covers: T80
func TestJoinedDiffers(t *testing.T) {
	t.Parallel()
	s, f := newSource(octets(1<<20)), place(t)
	tells(s, "sha-256", func([]byte) string { return strings.Repeat("0", 64) })
	s.turns = []turn{{cut: 740 << 10}}
	_, err := s.fetch(t, f, Options{})
	wantCode(t, err, scheme.CodeBroken)
	out, err := s.fetch(t, f, Options{Resume: true})
	wantCode(t, err, scheme.CodeBroken)
	if out.Resumable || out.Kept != 1<<20 {
		t.Errorf("%+v", out)
	}
	wantFiles(t, f, "name.part")
}

// A file that was not resumed is verified only on request, by any algorithm.
func TestVerify(t *testing.T) {
	t.Parallel()
	hexed := func(sum any) string { return fmt.Sprintf("%x", sum) }
	content := octets(1 << 20)
	for algorithm, sum := range map[string]func(b []byte) string{
		"sha-256": sha, "sha-512": func(b []byte) string { return hexed(sha512.Sum512(b)) }, "sha-1": func(b []byte) string { return hexed(sha1.Sum(b)) },
		"md5": func(b []byte) string { return hexed(md5.Sum(b)) }, "crc32": func(b []byte) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE(b)) },
	} {
		s, f := newSource(content), place(t)
		tells(s, algorithm, sum)
		if out, err := s.fetch(t, f, Options{}); err != nil || out.Verified != "" {
			t.Errorf("%s, not asked for: %+v, %v", algorithm, out, err)
		}
		if out, err := s.fetch(t, f, Options{Verify: true}); err != nil || out.Verified != algorithm || s.asked[1].Type != 'i' {
			t.Errorf("%s: %+v, %v", algorithm, out, err)
		}
		wantWhole(t, f, content)
		tells(s, algorithm, func(b []byte) string { return sum(b[1:]) })
		_, err := s.fetch(t, f, Options{Verify: true})
		wantCode(t, err, scheme.CodeBroken)
	}
}

// A file that cannot be verified is stored all the same, with a note if verification was requested.
func TestNotVerified(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(s *source){
		"the server offers no checksum":          func(*source) {},
		"may have converted":                     func(s *source) { s.size, s.ranges = scheme.Count{}, false },
		"the server offers no checksum, unknown": func(s *source) { tells(s, "sha-3", sha) },
		"it has gone": func(s *source) {
			s.digests = func() (string, string, error) { return "", "", errors.New("it has gone") }
		},
	} {
		s, f := newSource(octets(1000)), place(t)
		change(s)
		var notes []string
		o := Options{Verify: true, Events: Events{Note: func(text string) { notes = append(notes, text) }}}
		out, err := s.fetch(t, f, o)
		want, _, _ := strings.Cut(name, ",")
		if err != nil || out.Verified != "" || len(notes) != 1 || !strings.Contains(notes[0], want) {
			t.Errorf("%s: %+v, %v, notes %q", name, out, err, notes)
		}
		wantWhole(t, f, s.content)
	}
}

// A file of an earlier run with the right size and time is not up to date if its checksum differs.
//
// Covers: T81
func TestWholeIsVerified(t *testing.T) {
	t.Parallel()
	s, f := newSource(octets(1000)), place(t)
	tells(s, "md5", func(b []byte) string { return fmt.Sprintf("%x", md5.Sum(b)) })
	f.Root.WriteFile(f.Name, bytes.Repeat([]byte("x"), 1000), 0o666)
	f.Root.Chtimes(f.Name, s.modified, s.modified)
	if out, err := s.fetch(t, f, Options{Resume: true}); err != nil || !out.UpToDate {
		t.Errorf("not asked for: %+v, %v", out, err)
	}
	if out, err := s.fetch(t, f, Options{Resume: true, Verify: true}); err != nil || out.UpToDate || out.Verified != "md5" {
		t.Errorf("%+v, %v", out, err)
	}
	wantWhole(t, f, s.content)
	if out, err := s.fetch(t, f, Options{Resume: true, Verify: true}); err != nil || !out.UpToDate || out.Verified != "md5" {
		t.Errorf("again: %+v, %v", out, err)
	}
}

// After a referral the checksum is requested from the new place, and policy sees the hop.
//
// Covers: G3
func TestDigestAfterReferral(t *testing.T) {
	t.Parallel()
	s, f := newSource(octets(1000)), place(t)
	tells(s, "sha-256", sha)
	s.turns = []turn{{refer: "x-source:other"}, {refer: "x-source:third"}}
	out, err := s.fetch(t, f, Options{Verify: true})
	if err != nil || out.Verified != "sha-256" || len(s.digested) != 1 {
		t.Fatalf("%+v, %v, asked for %d digests", out, err, len(s.digested))
	}
	r := s.digested[0]
	if r.URL.Text() != "x-source:third" || r.From == nil || r.From.Kind != scheme.HopRedirect || r.From.From.Text() != "x-source:other" || r.From.N != 2 {
		t.Errorf("asked for the digest of %s, come by %+v", r.URL.Text(), r.From)
	}
}

// A request for a checksum that was cancelled does not mean that there is none.
func TestDigestGivenUp(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]Options{"a file that is there": {Resume: true, Verify: true}, "one that came": {Verify: true}} {
		s, f := newSource(octets(1000)), place(t)
		if o.Resume {
			f.Root.WriteFile(f.Name, s.content, 0o666)
		}
		ctx, cancel := context.WithCancel(t.Context())
		s.digests = func() (string, string, error) { cancel(); return "", "", ctx.Err() }
		if o.Resume {
			s.turns = []turn{{err: context.Canceled}} // as any access that begins too late
		}
		c := s.client()
		defer c.Close()
		o.Events.Note = func(text string) { t.Errorf("%s: %s", name, text) }
		out, err := Fetch(ctx, c, s.request(t), f, o)
		if !errors.Is(err, context.Canceled) || out.UpToDate {
			t.Errorf("%s: %+v, %v", name, out, err)
		}
	}
}

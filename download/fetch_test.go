package download

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/http"
	"locator/transfer"
)

// Covers: A15
func TestFetch(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, overlap, 3 << 20} {
		s, f := newSource(octets(n)), place(t)
		var begun, moved int64
		out, err := s.fetch(t, f, Options{WantSHA256: true, Events: Events{
			Begin: func(_ *scheme.Resource, offset int64) { begun++ }, Progress: func(n int) { moved += int64(n) }}})
		if err != nil || out.Bytes != int64(n) || out.SHA256 != sha(s.content) || out.Resumed || out.UpToDate {
			t.Errorf("%d bytes: %+v, %v", n, out, err)
		}
		if s.asked[0].Type != 'i' {
			t.Errorf("%d bytes: requested in type %q, which may change line ends", n, s.asked[0].Type)
		}
		if begun != 1 || moved != int64(n) {
			t.Errorf("%d bytes: %d begins, a progress of %d", n, begun, moved)
		}
		wantWhole(t, f, s.content)
		if in, err := f.Root.Stat(f.Name); err != nil || !in.ModTime().Equal(s.modified) {
			t.Errorf("the time of the file is %v, that of the resource %v", in.ModTime(), s.modified)
		}
	}
}

// An existing file stays until the new one is complete. Then it is replaced.
func TestFetchReplaces(t *testing.T) {
	t.Parallel()
	s, f := newSource(octets(2<<20)), place(t)
	f.Root.WriteFile(f.Name, []byte("old"), 0o666)
	s.turns = []turn{{cut: 1 << 20}}
	out, err := s.fetch(t, f, Options{})
	wantCode(t, err, scheme.CodeBroken)
	if old, _ := f.Root.ReadFile(f.Name); string(old) != "old" || out.Kept != 1<<20 || !out.Resumable {
		t.Errorf("the old file is %q; kept %d bytes", old, out.Kept)
	}
	wantFiles(t, f, "name", "name.part", "name.part.state")
	if _, err := s.fetch(t, f, Options{}); err != nil {
		t.Error(err)
	}
	wantWhole(t, f, s.content)
}

// A body that breaks off at any tenth is resumed by the same run and by a later one.
//
// Covers: T197
func TestContinue(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1000, 2 << 20} {
		for tenth := 1; tenth <= 10; tenth++ {
			for _, later := range []bool{false, true} {
				t.Run(fmt.Sprint(size, tenth, later), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) {
						s, f := newSource(octets(size)), place(t)
						cut := size * tenth / 10
						s.turns = []turn{{cut: cut}}
						o := Options{Retries: 1}
						if later {
							out, err := s.fetch(t, f, Options{})
							wantCode(t, err, scheme.CodeBroken)
							if out.Kept != int64(cut) || !out.Resumable {
								t.Errorf("kept %d bytes of %d", out.Kept, cut)
							}
							wantFiles(t, f, "name.part", "name.part.state")
							o = Options{Resume: true}
						}
						out, err := s.fetch(t, f, o)
						if err != nil || !out.Resumed || out.Bytes != int64(size) {
							t.Errorf("%+v, %v", out, err)
						}
						wantWhole(t, f, s.content)
						last := s.asked[1]
						if last.Range.Offset != int64(max(cut-overlap, cut/2)) || last.Type != 'i' || last.If.RangeTag != `"1"` || last.If.RangeModified.IsZero() {
							t.Errorf("the rest was asked for by %+v", last)
						}
					})
				})
			}
		}
	}
}

// A resource that has changed since it broke off is downloaded from the start.
//
// Covers: T79, T83
func TestChanged(t *testing.T) {
	t.Parallel()
	old := octets(1 << 20)
	other := octets(2 << 20)[1<<20:]
	end := bytes.Clone(old)
	copy(end[700<<10:], strings.Repeat("x", 10)) // behind the cut less the overlap
	tests := map[string]struct {
		before, then func(s *source)
		want         []byte
		fresh        bool // a second request is not needed: the first gives the whole
	}{
		"entity tag":       {then: func(s *source) { s.etag = `"2"`; s.content = other }, want: other},
		"time":             {then: func(s *source) { s.modified = s.modified.Add(time.Second); s.content = other }, want: other},
		"size":             {then: func(s *source) { s.size = scheme.Known(900 << 10); s.content = other[:900<<10] }, want: other[:900<<10]},
		"bytes alone":      {then: func(s *source) { s.content = end }, want: end},
		"shorter":          {then: func(s *source) { s.content = old[:100]; s.size = scheme.Known(100) }, want: old[:100]},
		"shorter, unknown": {before: func(s *source) { s.size = scheme.Count{} }, then: func(s *source) { s.content = old[:720<<10] }, want: old[:720<<10]},
		"longer":           {then: func(s *source) { s.content = append(bytes.Clone(old), 'x'); s.size = scheme.Known(1<<20 + 1) }, want: append(bytes.Clone(old), 'x')},
		"weak tag":         {before: func(s *source) { s.etag = `W/"1"` }, then: func(s *source) { s.etag = `W/"2"`; s.content = end }, want: end},
		"no tag":           {then: func(s *source) { s.etag = ""; s.content = end }, want: end},
		"first tag":        {before: func(s *source) { s.etag = "" }, then: func(s *source) { s.etag = `"1"`; s.content = end }, want: end},
		"first time": {before: func(s *source) { s.modified, s.etag = time.Time{}, "" },
			then: func(s *source) { s.modified, s.content = s.modified.AddDate(1, 0, 0), end }, want: end},
		"no time, no tag": {before: func(s *source) { s.etag = "" }, then: func(s *source) { s.modified, s.content = time.Time{}, end }, want: end},
		"time, not known before": {before: func(s *source) { s.modified, s.etag = time.Time{}, "" },
			then: func(s *source) { s.modified, s.content = time.Now().Add(time.Second), other }, want: other},
		"a server that compares": {then: func(s *source) { s.noRanges, s.etag, s.content = true, `"2"`, other }, want: other, fresh: true},
	}
	for name, test := range tests {
		for _, later := range []bool{false, true} {
			t.Run(fmt.Sprint(name, later), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s, f := newSource(old), place(t)
					s.turns = []turn{{cut: 740 << 10, before: test.before, then: test.then}}
					var notes []string
					o := Options{Retries: 1, Events: Events{Note: func(text string) { notes = append(notes, text) }}}
					if later {
						_, err := s.fetch(t, f, Options{})
						wantCode(t, err, scheme.CodeBroken)
						o.Resume = true
					}
					out, err := s.fetch(t, f, o)
					if err != nil || out.Resumed || len(notes) != 1 || !strings.Contains(notes[0], "starting again") {
						t.Errorf("%+v, %v, notes %q", out, err, notes)
					}
					wantWhole(t, f, test.want)
					if want := 3; test.fresh && len(s.asked) != 2 || !test.fresh && len(s.asked) != want {
						t.Errorf("%d requests", len(s.asked))
					}
				})
			})
		}
	}
}

// What a server need not repeat does not count as a change: a response to If-Range may leave out
// the time.
func TestNotChanged(t *testing.T) {
	t.Parallel()
	for name, then := range map[string]func(*source){
		"no time": func(s *source) { s.modified = time.Time{} },
		"no size": func(s *source) { s.size = scheme.Count{} },
	} {
		synctest.Test(t, func(t *testing.T) {
			s, f := newSource(octets(1<<20)), place(t)
			s.turns = []turn{{cut: 700 << 10, then: then}}
			out, err := s.fetch(t, f, Options{Retries: 1})
			if err != nil || !out.Resumed {
				t.Errorf("%s: %+v, %v", name, out, err)
			}
			wantWhole(t, f, s.content)
		})
	}
}

// A body without stable byte positions is never resumed.
//
// Covers: T82
func TestNoRanges(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(*source){
		"the whole comes again":     func(s *source) { s.noRanges = true },
		"neither size nor parts":    func(s *source) { s.ranges, s.size = false, scheme.Count{} },
		"neither, and a short part": func(s *source) { s.ranges, s.size = false, scheme.Count{}; s.turns = []turn{{cut: 100}} },
	} {
		synctest.Test(t, func(t *testing.T) {
			s, f := newSource(octets(1<<20)), place(t)
			s.turns = []turn{{cut: 700 << 10}}
			before(s)
			out, err := s.fetch(t, f, Options{Retries: 1})
			if err != nil || out.Resumed {
				t.Errorf("%s: %+v, %v", name, out, err)
			}
			wantWhole(t, f, s.content)
		})
	}
}

// A body of another size than announced is an error.
//
// Covers: T9
func TestSizeLies(t *testing.T) {
	t.Parallel()
	for name, lie := range map[string]int64{"short": 900_000, "long": 1_100_000} {
		synctest.Test(t, func(t *testing.T) {
			s, f := newSource(octets(1_000_000)), place(t)
			s.size = scheme.Known(lie)
			out, err := s.fetch(t, f, Options{Retries: 2})
			wantCode(t, err, scheme.CodeBroken)
			if err == nil || !strings.Contains(err.Error(), fmt.Sprint(lie)) {
				t.Fatalf("%s: %v", name, err)
			}
			if out.Kept != 1_000_000 || len(s.asked) < 3 {
				t.Errorf("%s: kept %d, %d requests", name, out.Kept, len(s.asked))
			}
			wantFiles(t, f, "name.part", "name.part.state")
		})
	}
}

// A digest may be in upper case. What is not a digest is wrong usage before anything is asked for.
// A rate limit that allows nothing is an error, and does not wait for ever.
func TestSHA256AndRateUsage(t *testing.T) {
	t.Parallel()
	for _, bad := range []Options{{SHA256: "zz"}, {SHA256: "ab"}, {SHA256: sha(nil)[1:]}, {SHA256: sha(nil) + "00"}, {SHA256: sha(nil)[1:] + "g"}, {SHA256: " " + sha(nil)}} {
		s, f := newSource(octets(100)), place(t)
		_, err := s.fetch(t, f, bad)
		wantCode(t, err, scheme.CodeUsage)
		if len(s.asked) > 0 {
			t.Errorf("%q: %d requests", bad.SHA256, len(s.asked))
		}
		wantFiles(t, f)
	}
	s, f := newSource(octets(100)), place(t)
	out, err := s.fetch(t, f, Options{SHA256: strings.ToUpper(sha(s.content))})
	if err != nil || out.SHA256 != sha(s.content) {
		t.Errorf("%+v, %v", out, err)
	}
	wantWhole(t, f, s.content)
	s, f = newSource(octets(100)), place(t)
	_, err = s.fetch(t, f, Options{Rate: rate.NewLimiter(1000, 0), Retries: 3})
	wantCode(t, err, scheme.CodeUsage)
	if len(s.asked) != 1 {
		t.Errorf("a limit without a burst: %d requests", len(s.asked))
	}
}

// Covers: P4, T81
func TestSHA256(t *testing.T) {
	t.Parallel()
	s, f := newSource(octets(2<<20)), place(t)
	out, err := s.fetch(t, f, Options{SHA256: sha([]byte("other")), Retries: 3})
	wantCode(t, err, scheme.CodeBroken)
	if len(s.asked) != 1 || out.Kept != 2<<20 || out.Resumable || !strings.Contains(err.Error(), sha(s.content)) {
		t.Errorf("%d requests, %+v, %v", len(s.asked), out, err)
	}
	wantFiles(t, f, "name.part")
	out, err = s.fetch(t, f, Options{SHA256: sha(s.content), Resume: true})
	if err != nil || out.Resumed || out.SHA256 != sha(s.content) {
		t.Errorf("%+v, %v", out, err)
	}
	wantWhole(t, f, s.content)
}

func TestIfNewer(t *testing.T) {
	t.Parallel()
	s, f := newSource(octets(1000)), place(t)
	for i, test := range []struct {
		change  func(s *source)
		skipped bool
	}{
		{func(*source) {}, false}, // it is not there
		{func(s *source) {}, true},
		{func(s *source) { s.modified = s.modified.Add(-time.Hour) }, true},
		{func(s *source) {
			s.modified = s.modified.Add(2 * time.Hour)
			s.content = octets(999)
			s.size = scheme.Known(999)
		}, false},
	} {
		s.change(test.change)
		out, err := s.fetch(t, f, Options{IfNewer: true})
		if err != nil || out.UpToDate != test.skipped {
			t.Errorf("%d: %+v, %v", i, out, err)
		}
	}
	wantWhole(t, f, s.content)
}

// Resume leaves a complete file alone, unless the resource has changed.
func TestContinueWhole(t *testing.T) {
	t.Parallel()
	s, f := newSource(octets(1000)), place(t)
	for i, test := range []struct {
		change  func(s *source)
		o       Options
		skipped bool
	}{
		{func(*source) {}, Options{}, false},
		{func(*source) {}, Options{}, true},
		{func(*source) {}, Options{SHA256: sha(s.content)}, true},
		{func(s *source) { s.modified = s.modified.Add(time.Hour) }, Options{}, false},
		{func(s *source) { s.content, s.size = octets(999), scheme.Known(999) }, Options{}, false},
		{func(s *source) { s.content = octets(1999)[1000:] }, Options{}, true},
		{func(s *source) {}, Options{SHA256: sha(octets(1999)[1000:])}, false},
		{func(s *source) { s.size = scheme.Count{} }, Options{}, false},
	} {
		s.change(test.change)
		test.o.Resume = true
		out, err := s.fetch(t, f, test.o)
		if err != nil || out.UpToDate != test.skipped {
			t.Errorf("%d: %+v, %v", i, out, err)
		}
	}
	wantWhole(t, f, s.content)
}

// A process that is killed after the part got its final name leaves a state. The next run removes
// it.
//
// Covers: T83
func TestStateWithoutPart(t *testing.T) {
	t.Parallel()
	s, f := newSource(octets(1000)), place(t)
	if _, err := s.fetch(t, f, Options{}); err != nil {
		t.Fatal(err)
	}
	if err := f.writeState(state{URL: "x-source:name", Size: 1000, Ranges: true, Begun: time.Now()}); err != nil {
		t.Fatal(err)
	}
	out, err := s.fetch(t, f, Options{Resume: true})
	if err != nil || !out.UpToDate {
		t.Errorf("%+v, %v", out, err)
	}
	wantWhole(t, f, s.content)
}

// A part of another resource, or without a valid state, is not resumed.
//
// Covers: T83
func TestForeignParts(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(f File, s *source){
		"without a state": func(f File, s *source) {},
		"another URL": func(f File, s *source) {
			f.writeState(state{URL: "x-source:other", Size: 2 << 20, Ranges: true, Begun: time.Now()})
		},
		"no ranges":        func(f File, s *source) { f.writeState(state{URL: "x-source:name", Size: -1, Begun: time.Now()}) },
		"a broken state":   func(f File, s *source) { f.Root.WriteFile("name.part.state", []byte(`{"url":"x-sou`), 0o666) },
		"an endless state": func(f File, s *source) { f.Root.WriteFile("name.part.state", bytes.Repeat([]byte("["), 1<<20), 0o666) },
	} {
		s, f := newSource(octets(2<<20)), place(t)
		f.Root.WriteFile("name.part", []byte("something else"), 0o666)
		prepare(f, s)
		out, err := s.fetch(t, f, Options{Resume: true})
		if err != nil || out.Resumed || !s.asked[0].Range.IsZero() {
			t.Errorf("%s: %+v, %v", name, out, err)
		}
		wantWhole(t, f, s.content)
	}
}

// The part of an earlier run is kept until the server sends data, and used only with Resume.
func TestEarlierPart(t *testing.T) {
	t.Parallel()
	s, f := newSource(octets(2<<20)), place(t)
	s.turns = []turn{{cut: 1 << 20}, {err: scheme.Fail(scheme.CodeNotFound, "not today")}}
	_, err := s.fetch(t, f, Options{})
	wantCode(t, err, scheme.CodeBroken)
	out, err := s.fetch(t, f, Options{})
	wantCode(t, err, scheme.CodeNotFound)
	if out.Kept != 0 {
		t.Errorf("kept %d bytes of another run", out.Kept)
	}
	wantFiles(t, f, "name.part", "name.part.state")
	if out, err = s.fetch(t, f, Options{Resume: true}); err != nil || !out.Resumed {
		t.Errorf("%+v, %v", out, err)
	}
	wantWhole(t, f, s.content)
}

// A part of one byte is resumed, too.
func TestPartOfOneOctet(t *testing.T) {
	t.Parallel()
	s, f := newSource(octets(2<<20)), place(t)
	s.turns = []turn{{cut: 1}}
	_, err := s.fetch(t, f, Options{Resume: true})
	wantCode(t, err, scheme.CodeBroken)
	out, err := s.fetch(t, f, Options{Resume: true})
	if err != nil || !out.Resumed || s.asked[1].If.RangeTag != s.etag {
		t.Errorf("%+v, %v, asked %+v", out, err, s.asked[1])
	}
	wantWhole(t, f, s.content)
}

// A state file that cannot be removed is an error: a later run would take it for the state of its
// part.
//
// Covers: T83
func TestStateStays(t *testing.T) {
	t.Parallel()
	s, f := newSource(octets(10)), place(t)
	if err := f.Root.MkdirAll("name.part.state/full", 0o777); err != nil {
		t.Fatal(err)
	}
	_, err := s.fetch(t, f, Options{})
	wantCode(t, err, scheme.CodeLocal)
}

// A small file has no state file while it is downloaded. It gets one when the body breaks off.
func TestState(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		size int
		o    Options
		want bool
	}{{1 << 20, Options{}, false}, {1<<20 + 1, Options{}, true}, {10, Options{Resume: true}, true}} {
		s, f := newSource(octets(test.size)), place(t)
		test.o.Events.Begin = func(*scheme.Resource, int64) {
			if _, err := f.Root.Stat("name.part.state"); (err == nil) != test.want {
				t.Errorf("%d bytes: the state is written: %v", test.size, err == nil)
			}
		}
		if _, err := s.fetch(t, f, test.o); err != nil {
			t.Error(err)
		}
		wantWhole(t, f, s.content)
	}
}

// A resource that is not an object is returned open.
func TestFetchListing(t *testing.T) {
	t.Parallel()
	s, f := newSource(nil), place(t)
	s.kind = scheme.KindListing
	out, err := s.fetch(t, f, Options{})
	if err != nil || out.Resource == nil || out.Resource.Kind != scheme.KindListing {
		t.Fatalf("%+v, %v", out, err)
	}
	out.Resource.Close()
	wantFiles(t, f)
}

// A failed access leaves no files.
func TestNothingKept(t *testing.T) {
	t.Parallel()
	s, f := newSource(octets(2<<20)), place(t)
	s.turns = []turn{{err: scheme.Fail(scheme.CodeLoginNeeded, "who?")}}
	_, err := s.fetch(t, f, Options{Resume: true})
	wantCode(t, err, scheme.CodeLoginNeeded)
	wantFiles(t, f)
	s.content = nil
	s.turns = []turn{{cut: -1}}
	_, err = s.fetch(t, f, Options{Resume: true})
	wantCode(t, err, scheme.CodeBroken)
	wantFiles(t, f)
}

// Two downloads never write to the same part.
//
// Covers: T196
func TestLock(t *testing.T) {
	t.Parallel()
	s, f := newSource(octets(2<<20)), place(t)
	second := false
	_, err := s.fetch(t, f, Options{Events: Events{Begin: func(*scheme.Resource, int64) {
		if second {
			t.Error("a second download has begun")
			return
		}
		second = true
		out, err := s.fetch(t, f, Options{Retries: 5})
		wantCode(t, err, scheme.CodeLocal)
		if err != nil && !strings.Contains(err.Error(), "another download") || out.Kept != 0 {
			t.Errorf("%v, kept %d", err, out.Kept)
		}
		_, err = s.fetch(t, f, Options{Resume: true})
		wantCode(t, err, scheme.CodeLocal)
	}}})
	if err != nil {
		t.Error(err)
	}
	wantWhole(t, f, s.content)
}

// A cancelled download ends at once, even while it waits, and keeps the part.
func TestCancel(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, f := newSource(octets(2<<20)), place(t)
		s.turns = []turn{{cut: 1 << 20}}
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		c := s.client()
		defer c.Close()
		start := time.Now()
		out, err := Fetch(ctx, c, s.request(t), f, Options{Retries: 5})
		if err == nil || time.Since(start) != 500*time.Millisecond || out.Kept != 1<<20 || !out.Resumable {
			t.Errorf("%v after %v, %+v", err, time.Since(start), out)
		}
		wantFiles(t, f, "name.part", "name.part.state")
	})
}

func TestWrite(t *testing.T) {
	t.Parallel()
	f := place(t)
	f.Root.WriteFile("name", []byte("old"), 0o666)
	f.Root.WriteFile("name.part", []byte("longer than the new one"), 0o666)
	f.Root.WriteFile("name.part.state", []byte("{}"), 0o666)
	fail := errors.New("no")
	if _, err := Write(f, 0, func(w io.Writer) (int64, error) { io.WriteString(w, "new"); return 3, fail }); err != fail {
		t.Error(err)
	}
	wantWhole(t, f, []byte("old"))
	if n, err := Write(f, 0, func(w io.Writer) (int64, error) { n, err := io.WriteString(w, "new"); return int64(n), err }); n != 3 || err != nil {
		t.Error(n, err)
	}
	wantWhole(t, f, []byte("new"))
}

// The notes of an up-to-date file say that a mirror was asked.
//
// Covers: A7
func TestUpToDateByMirror(t *testing.T) {
	t.Parallel()
	s, f := newSource(octets(1000)), place(t)
	if _, err := s.fetch(t, f, Options{}); err != nil {
		t.Fatal(err)
	}
	c := s.client()
	defer c.Close()
	r := scheme.Request{URL: parse(t, "x-source:down"), Mirrors: []locator.URL{parse(t, "x-source:name")}}
	out, err := Fetch(t.Context(), c, r, f, Options{Resume: true})
	if err != nil || !out.UpToDate || len(out.Resource.Notes) != 1 || !strings.Contains(out.Resource.Notes[0], "using mirror x-source:name") {
		t.Errorf("%+v, %v", out, err)
	}
}

// A file has the bytes that the server sends, even if it sends them with Content-Encoding: gzip:
// the checksum is that of the publisher, a download that broke off is resumed, and nothing is
// decompressed.
//
// Covers: A6, P6, T86
func TestCompressed(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(octets(200_000))
	z.Write(make([]byte, 8<<20)) // a bomb of 8 KB
	z.Close()
	requests := 0
	server := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Etag", `"1"`)
		if requests++; requests == 1 {
			w = cutting{w}
		}
		nethttp.ServeContent(w, r, "", time.Unix(1e9, 0), bytes.NewReader(packed.Bytes()))
	}))
	defer server.Close()
	c := client.New(client.Options{Registry: scheme.NewRegistry(http.New("http")), Policy: &allowAll{}})
	defer c.Close()
	f := place(t)
	var notes []string
	out, err := Fetch(t.Context(), c, scheme.Request{URL: parse(t, server.URL+"/a.tar.gz")}, f, Options{SHA256: sha(packed.Bytes()), Quota: transfer.NewQuota(int64(packed.Len())), Retries: 1,
		Events: Events{Note: func(text string) { notes = append(notes, text) }}})
	if err != nil || !out.Resumed || out.Bytes != int64(packed.Len()) || requests != 2 || len(notes) > 0 {
		t.Errorf("%+v, %v, %d requests, notes %q", out, err, requests, notes)
	}
	wantWhole(t, f, packed.Bytes())
}

// cutting breaks the connection after 128 KiB of the body.
type cutting struct{ nethttp.ResponseWriter }

func (c cutting) Write(p []byte) (int, error) {
	c.ResponseWriter.Write(p[:min(len(p), 128<<10)])
	c.ResponseWriter.(nethttp.Flusher).Flush()
	panic(nethttp.ErrAbortHandler)
}

package download

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"

	"locator/scheme"
	"locator/transfer"
	"locator/wire"
)

func refused() error {
	return &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
}

func after(d time.Duration) error {
	e := scheme.Fail(scheme.CodeUnavailable, "come back later")
	e.RetryAfter = d
	return e
}

// The wait doubles up to a bound. Retry-After takes its place. Permanent errors are not retried.
//
// Covers: K2
func TestRetries(t *testing.T) {
	t.Parallel()
	const s = time.Second
	final := scheme.Fail(scheme.CodeBroken, "for good")
	final.Final = true
	tests := map[string]struct {
		turns   []turn
		retries int
		waits   []time.Duration
		code    scheme.Code
	}{
		"none wanted":  {[]turn{{cut: 100}}, 0, nil, scheme.CodeBroken},
		"doubling":     {slices.Repeat([]turn{{err: scheme.Fail(scheme.CodeBroken, "x")}}, 9), 7, []time.Duration{s, 2 * s, 4 * s, 8 * s, 16 * s, 30 * s, 30 * s}, scheme.CodeBroken},
		"then well":    {[]turn{{cut: 100}, {err: after(0)}}, 5, []time.Duration{s, 2 * s}, scheme.CodeOK},
		"Retry-After":  {[]turn{{err: after(17 * s)}, {err: after(100 * time.Hour)}}, 5, []time.Duration{17 * s, 600 * s}, scheme.CodeOK},
		"not found":    {[]turn{{err: scheme.Fail(scheme.CodeNotFound, "x")}}, 5, nil, scheme.CodeNotFound},
		"login":        {[]turn{{err: scheme.Fail(scheme.CodeLoginNeeded, "x")}}, 5, nil, scheme.CodeLoginNeeded},
		"protocol":     {[]turn{{err: scheme.Fail(scheme.CodeProtocol, "x")}}, 5, nil, scheme.CodeProtocol},
		"final":        {[]turn{{err: final}}, 5, nil, scheme.CodeBroken},
		"a limit":      {[]turn{{err: scheme.Fail(scheme.CodeBroken, "%w", wire.ErrLimit)}}, 5, nil, scheme.CodeBroken},
		"no name":      {[]turn{{err: &net.DNSError{Err: "no such host", IsNotFound: true}}}, 5, nil, scheme.CodeUnreachable},
		"no resolver":  {[]turn{{err: &net.DNSError{Err: "timeout", IsTimeout: true}}}, 5, []time.Duration{s}, scheme.CodeOK},
		"nobody there": {[]turn{{err: refused()}}, 5, nil, scheme.CodeUnreachable},
		"no answer":    {[]turn{{err: &net.OpError{Op: "dial", Err: syscall.ETIMEDOUT}}}, 5, []time.Duration{s}, scheme.CodeOK},
		"nobody there any more": {[]turn{{cut: 100}, {err: refused()}, {err: refused()}}, 5,
			[]time.Duration{s, 2 * s, 4 * s}, scheme.CodeOK},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				src, f := newSource(octets(1000)), place(t)
				src.turns = test.turns
				var waits []time.Duration
				start := time.Now()
				_, err := src.fetch(t, f, Options{Retries: test.retries, Events: Events{Retry: func(err error, attempt int, wait time.Duration) {
					waits = append(waits, wait)
					if attempt != len(waits) || err == nil {
						t.Errorf("attempt %d, %v", attempt, err)
					}
				}}})
				if test.code != scheme.CodeOK {
					wantCode(t, err, test.code)
				} else if err != nil {
					t.Error(err)
				} else {
					wantWhole(t, f, src.content)
				}
				var sum time.Duration
				for _, w := range waits {
					sum += w
				}
				if !slices.Equal(waits, test.waits) || time.Since(start) != sum {
					t.Errorf("waits %v, in all %v; want %v", waits, time.Since(start), test.waits)
				}
			})
		})
	}
}

// Downloads that share a rate limit stay below it together.
func TestRateLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const perSecond, size, n = 10_000, 100_000, 4
		limit := rate.NewLimiter(perSecond, 1000)
		start := time.Now()
		done := make(chan error)
		for range n {
			go func() {
				s, f := newSource(octets(size)), place(t)
				c := s.client()
				defer c.Close()
				_, err := Fetch(t.Context(), c, s.request(t), f, Options{Rate: limit})
				done <- err
			}()
		}
		for range n {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if took, want := time.Since(start), n*size/perSecond*time.Second; took < want-time.Second || took > want+time.Second {
			t.Errorf("%d bytes at %d a second took %v, want %v", n*size, perSecond, took, want)
		}
	})
}

// A rate limit that cannot be met before the deadline returns the error of the deadline.
func TestRateLimitAndTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3500*time.Millisecond)
		defer cancel()
		s, f := newSource(octets(100_000)), place(t)
		c := s.client()
		defer c.Close()
		start := time.Now()
		out, err := Fetch(ctx, c, s.request(t), f, Options{Rate: rate.NewLimiter(10_000, 1000), Retries: 3})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 3500*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		if out.Kept < 30_000 || out.Kept > 40_000 {
			t.Errorf("kept %d bytes", out.Kept)
		}
	})
}

// progressWriter reports every byte, by Write and by ReadFrom.
func TestStepWriter(t *testing.T) {
	t.Parallel()
	want := octets(5<<20 + 7)
	for name, copyTo := range map[string]func(io.Writer, io.Reader) (int64, error){
		"ReadFrom":            io.Copy,
		"Write":               func(w io.Writer, r io.Reader) (int64, error) { return io.Copy(struct{ io.Writer }{w}, r) },
		"ReadFrom in steps":   inSteps,
		"ReadFrom of a limit": func(w io.Writer, r io.Reader) (int64, error) { return io.Copy(w, io.LimitReader(r, 100<<20)) },
	} {
		f := place(t)
		h, err := f.Root.Create("name")
		if err != nil {
			t.Fatal(err)
		}
		var told int64
		s := newSource(want)
		res, err := s.Access(t.Context(), nil, s.request(t), scheme.AccessOptions{})
		if err != nil {
			t.Fatal(err)
		}
		n, err := copyTo(&progressWriter{f: h, progress: func(n int) { told += int64(n) }}, struct{ io.Reader }{res.Body})
		if err != nil || n != int64(len(want)) || told != n {
			t.Errorf("%s: %d bytes, reported %d, %v", name, n, told, err)
		}
		h.Close()
		wantWhole(t, f, want)
	}
}

// inSteps is a reader that writes itself in steps.
func inSteps(w io.Writer, r io.Reader) (total int64, err error) {
	for {
		n, err := io.Copy(w, &io.LimitedReader{R: r, N: 3 << 20})
		total += n
		if n < 3<<20 || err != nil {
			return total, err
		}
	}
}

// A quota ends a file whose announced size is over it before its first byte, and any other at the
// first byte over it. What a retry or a later run stores again counts once.
//
// Covers: P6, T85
func TestQuota(t *testing.T) {
	t.Parallel()
	s, f := newSource(octets(1<<20)), place(t)
	if _, err := s.fetch(t, f, Options{Quota: transfer.NewQuota(1<<20 - 1), Retries: 3}); !errors.Is(err, transfer.ErrQuota) || len(s.asked) != 1 {
		t.Errorf("an announced size: %v, after %d requests", err, len(s.asked))
	} else {
		wantCode(t, err, scheme.CodeBroken)
	}
	wantFiles(t, f)

	synctest.Test(t, func(t *testing.T) {
		s, f := newSource(octets(1<<20)), place(t)
		s.turns = []turn{{cut: 900 << 10}, {cut: 950 << 10}}
		if _, err := s.fetch(t, f, Options{Quota: transfer.NewQuota(1 << 20), Retries: 2}); err != nil {
			t.Errorf("a file that just fits, in three parts: %v", err)
		}
		wantWhole(t, f, s.content)
	})

	s, f = newSource(octets(1<<20)), place(t)
	s.turns = []turn{{cut: 900 << 10}}
	s.fetch(t, f, Options{})
	if _, err := s.fetch(t, f, Options{Resume: true, Quota: transfer.NewQuota(1<<20 - 1)}); !errors.Is(err, transfer.ErrQuota) {
		t.Errorf("a part of an earlier run does not count: %v", err)
	}
}

// Mirror begins no file after its quota has refused a byte, and deletes nothing.
//
// Covers: P6, T85
func TestQuotaOfMirror(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tr := fixedTree{
		"/":  {entries: []scheme.Entry{entry(t, "/c"), entry(t, "/a"), entry(t, "/b"), entry(t, "/d")}},
		"/a": {body: "1234"}, "/b": {body: "5678"}, "/c": {body: "9"}, "/d": {body: "0"},
	}
	c, r := newTreeClient(t, tr), scheme.Request{URL: parse(t, "x-tree://h/")}
	err := Mirror(t.Context(), c, r, openFolder(t, dir), MirrorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "d"} {
		if err := os.Remove(dir + "/" + name); err != nil {
			t.Fatal(err)
		}
	}
	tr["/"] = node{entries: tr["/"].entries[1:]} // c is gone
	err = Mirror(t.Context(), c, r, openFolder(t, dir), MirrorOptions{Delete: true, Options: Options{Quota: transfer.NewQuota(6), Existing: Sync}})
	if !errors.Is(err, transfer.ErrQuota) {
		t.Errorf("%v, want %v", err, transfer.ErrQuota)
	}
	got := files(t, dir)
	delete(got, IndexName)
	if got["a"] != "1234" || got["b.part"] != "56" || got["c"] != "9" || len(got) != 3 {
		t.Errorf("files %q", got)
	}
}

// Empty files count too: their names are in the index and in folders. Files of an earlier run do
// not count again.
//
// Covers: P6, T114
func TestQuotaOfNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, tr := node{}, fixedTree{}
	for i := range 20 {
		path := fmt.Sprintf("/%02d", i)
		root.entries = append(root.entries, entry(t, path))
		tr[path] = node{body: ""}
	}
	tr["/"] = root
	c, r := newTreeClient(t, tr), scheme.Request{URL: parse(t, "x-tree://h/")}
	mirror := func(names int64) error {
		q := quotaOf(t, 1000, names)
		to := openFolder(t, dir)
		if err := to.UseIndex(); err != nil {
			t.Fatal(err)
		}
		return Mirror(t.Context(), c, r, to, MirrorOptions{Options: Options{Quota: q, Existing: Sync}})
	}
	err := mirror(3000)
	wantCode(t, err, scheme.CodeBroken)
	if got := len(files(t, dir)); !errors.Is(err, transfer.ErrQuota) || got < 5 || got > 13 {
		t.Errorf("%v, %d files", err, got)
	}
	if err := mirror(6000); err != nil {
		t.Error(err)
	}
	if err := mirror(100); err != nil {
		t.Errorf("nothing is new: %v", err)
	}
}

// quotaOf returns a quota of limit bytes that has so many bytes left for names, each of which costs
// 256 more.
func quotaOf(t *testing.T, limit, names int64) *transfer.Quota {
	t.Helper()
	q := transfer.NewQuota(limit)
	if err := q.AddName(int(limit + 32<<20 - names - 256)); err != nil {
		t.Error(err)
	}
	return q
}

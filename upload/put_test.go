package upload

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"

	"locator"
	"locator/client"
	"locator/scheme"
)

// target is a scheme that takes uploads. Each attempt reads as much as its turn says and then
// fails.
type target struct {
	turns []turn
	got   []string // what each attempt read
}

// turn is one attempt: read bytes are read, -1 is all; then it fails with err, unless that is nil.
type turn struct {
	read int64
	err  error
}

func (t *target) Syntax() *locator.Syntax { return &locator.Syntax{Name: "x-target"} }

func (t *target) Access(context.Context, *scheme.Env, scheme.Request, scheme.AccessOptions) (*scheme.Resource, error) {
	return nil, scheme.Fail(scheme.CodeUnsupported, "write only")
}

func (t *target) Replace(ctx context.Context, _ *scheme.Env, r scheme.Request, b scheme.Body, _ scheme.WriteOptions) (*scheme.Resource, error) {
	now := turn{read: -1}
	if len(t.turns) > 0 {
		now, t.turns = t.turns[0], t.turns[1:]
	}
	var from io.Reader = b.Source(ctx)
	if now.read >= 0 {
		from = io.LimitReader(from, now.read)
	}
	text, err := io.ReadAll(from)
	t.got = append(t.got, string(text))
	if err == nil {
		err = now.err
	}
	if err != nil {
		return nil, err
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject}, nil
}

func (t *target) Update(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	return t.Replace(ctx, env, r, b, o)
}

func (t *target) put(ctx context.Context, tb testing.TB, r io.Reader, o Options) (Outcome, error) {
	tb.Helper()
	registry := scheme.NewRegistry(t)
	c := client.New(client.Options{Registry: registry})
	defer c.Close()
	return Put(ctx, c, scheme.Request{URL: locator.MustParse("x-target:x")}, scheme.Body{Reader: r}, o)
}

// An upload that fails for a reason that may pass is tried again, from the beginning of the data,
// if that does no harm.
//
// Covers: K2
func TestRetries(t *testing.T) {
	t.Parallel()
	broken, doubt := scheme.Fail(scheme.CodeBroken, "broken"), scheme.Fail(scheme.CodeInDoubt, "in doubt")
	unavailable := scheme.Fail(scheme.CodeUnavailable, "come back later")
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	const s = time.Second
	for name, tt := range map[string]struct {
		turns  []turn
		pipe   bool // the data can be read once only
		large  bool
		append bool
		waits  []time.Duration
		code   scheme.Code
	}{
		"at once":                 {code: scheme.CodeOK},
		"broken":                  {turns: []turn{{4, broken}, {0, unavailable}, {4, refused}}, waits: []time.Duration{s, 2 * s, 4 * s}, code: scheme.CodeOK},
		"broken for good":         {turns: []turn{{1, broken}, {1, broken}, {1, broken}, {1, broken}}, waits: []time.Duration{s, 2 * s, 4 * s}, code: scheme.CodeBroken},
		"in doubt":                {turns: []turn{{-1, doubt}}, waits: []time.Duration{s}, code: scheme.CodeOK},
		"nobody there":            {turns: []turn{{0, refused}}, code: scheme.CodeUnreachable},
		"not found":               {turns: []turn{{4, scheme.Fail(scheme.CodeNotFound, "x")}}, code: scheme.CodeNotFound},
		"a pipe":                  {turns: []turn{{4, broken}}, pipe: true, waits: []time.Duration{s}, code: scheme.CodeOK},
		"a pipe with much data":   {turns: []turn{{4, broken}}, pipe: true, large: true, code: scheme.CodeBroken},
		"a pipe that is not read": {turns: []turn{{0, unavailable}}, pipe: true, waits: []time.Duration{s}, code: scheme.CodeOK},
		"append":                  {turns: []turn{{4, broken}}, append: true, code: scheme.CodeBroken},
		"append, nothing sent":    {turns: []turn{{0, broken}}, append: true, waits: []time.Duration{s}, code: scheme.CodeOK},
		"append, in doubt":        {turns: []turn{{-1, doubt}}, append: true, code: scheme.CodeInDoubt},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				to, sum := &target{turns: tt.turns}, 0
				data := strings.NewReader("--the data")
				if tt.large {
					data = strings.NewReader(strings.Repeat("x", 2+aheadSize))
				}
				if _, err := data.Seek(2, io.SeekStart); err != nil {
					t.Fatal(err)
				}
				var r io.Reader = data
				if tt.pipe {
					r = struct{ io.Reader }{data}
				}
				var waits []time.Duration
				out, err := to.put(t.Context(), t, r, Options{Append: tt.append, Retries: 3, Events: Events{
					Progress: func(n int) { sum += n },
					Begin:    func(int64, int64) { sum = 0 },
					Retry:    func(_ error, _ int, wait time.Duration) { waits = append(waits, wait) },
				}})
				if code := client.CodeOf(err); code != tt.code || len(waits) != len(tt.waits) || len(to.got) != len(waits)+1 {
					t.Fatalf("%v after %d attempts and the waits %v; want %v and %v", err, len(to.got), waits, tt.code, tt.waits)
				}
				for i, wait := range tt.waits {
					if waits[i] != wait {
						t.Errorf("waits %v, want %v", waits, tt.waits)
					}
				}
				if last := to.got[len(to.got)-1]; err == nil && (last != "the data" || out.Bytes != 8 || out.Resource == nil || sum != 8) {
					t.Errorf("sent %q, %d bytes, progress %d", last, out.Bytes, sum)
				}
			})
		})
	}
}

// A pipe is read before anything is sent, but not for an upload that cannot begin, and not longer
// than the context lasts.
//
// Covers: P6
func TestReadAhead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		silence, end := io.Pipe()
		defer end.Close()
		late, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		ended, stop := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, stop)
		for name, tt := range map[string]struct {
			ctx  context.Context
			o    Options
			code scheme.Code
		}{
			"late":      {late, Options{}, scheme.CodeBroken},
			"cancelled": {ended, Options{Append: true}, scheme.CodeInterrupted},
			"resumed":   {t.Context(), Options{Resume: true}, scheme.CodeUsage},
		} {
			to := &target{}
			if _, err := to.put(tt.ctx, t, silence, tt.o); client.CodeOf(err) != tt.code || len(to.got) > 0 {
				t.Errorf("%s: %v, sent %q; want %v", name, err, to.got, tt.code)
			}
		}
		c := client.New(client.Options{Registry: scheme.NewRegistry()})
		defer c.Close()
		_, err := Put(t.Context(), c, scheme.Request{URL: locator.MustParse("x-target:x")}, scheme.Body{Reader: silence}, Options{})
		if client.CodeOf(err) != scheme.CodeUnsupported {
			t.Errorf("no such scheme: %v", err)
		}
	})
}

// Options.Rate bounds the bytes per second, and what is sent twice within one attempt counts once
// as progress.
func TestRate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const size = 10_000
		start := time.Now()
		out, err := (&target{}).put(t.Context(), t, strings.NewReader(strings.Repeat("x", size)), Options{Rate: rate.NewLimiter(1000, 1000)})
		if took := time.Since(start); err != nil || out.Bytes != size || took < 9*time.Second || took > 10*time.Second {
			t.Errorf("%d bytes in %v, %v", out.Bytes, took, err)
		}
	})
	at := int64(0)
	s := newSource(strings.NewReader("data"), func(n int) { at += int64(n) })
	a, r, err := s.attempt(t.Context(), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // as after a login
		if _, err := r.(io.Seeker).Seek(1, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(r); err != nil || string(text) != "ata" || at != 3 {
			t.Errorf("%q, %v, progress %d", text, err, at)
		}
	}
	a.end()
	if _, _, err := s.attempt(t.Context(), 0, nil); err != nil { // the data are those of the next attempt
		t.Fatal(err)
	}
	if n, err := r.Read(make([]byte, 1)); n != 0 || !errors.Is(err, errEnded) {
		t.Errorf("read after the end: %d, %v", n, err)
	}
	if _, err := r.(io.Seeker).Seek(0, io.SeekStart); err == nil {
		t.Error("moved after the end")
	}
}

// Data that cannot be positioned again are an error of this machine.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	h, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	s := newSource(h, nil)
	h.Close()
	if _, _, err := s.attempt(t.Context(), 0, nil); err == nil {
		t.Error("a closed file")
	}
	if out, err := (&target{}).put(t.Context(), t, nil, Options{}); err != nil || out.Bytes != 0 {
		t.Errorf("no data: %v, %v", out, err)
	}
}

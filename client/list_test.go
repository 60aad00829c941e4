package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/scheme"
	"locator/scheme/bulk"
	"locator/scheme/message"
)

// closed counts the calls of Close.
type closed int

func (c *closed) Close() error { *c++; return nil }

// menus lists the lines of a host: "!" is an error, and each other line is copied and is an entry.
type menus struct {
	fake
	hosts  map[string]string
	closed closed
}

func (m *menus) List(_ context.Context, _ *scheme.Env, r scheme.Request, o scheme.ListOptions) (*scheme.Resource, error) {
	entries := func(yield func(scheme.Entry, error) bool) {
		for line := range strings.FieldsSeq(m.hosts[r.URL.Host()]) {
			if line == "!" {
				yield(scheme.Entry{}, scheme.Fail(scheme.CodeUnavailable, "busy"))
				return
			}
			if o.Copy != nil {
				io.WriteString(o.Copy, line)
			}
			if line != "#" && !yield(scheme.Entry{Name: line}, nil) {
				return
			}
		}
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindListing, Entries: entries, Closer: &m.closed}, nil
}

// An error before the first entry is one of List, for which a mirror is asked, whose bytes replace
// those of the first server. A later one ends the entries. The resource is closed when the loop
// ends, or by Close alone.
func TestListStart(t *testing.T) {
	t.Parallel()
	m := &menus{fake: fake{name: "x-test"}, hosts: map[string]string{"busy": "# !", "late": "a b !", "up": "# a b"}}
	c := New(Options{Registry: scheme.NewRegistry(m), Policy: &asked{}})
	if _, err := c.List(t.Context(), scheme.Request{URL: parse("x-test://busy/")}, nil); CodeOf(err) != scheme.CodeUnavailable || m.closed != 1 {
		t.Errorf("%v, closed %d times", err, m.closed)
	}
	for text, want := range map[string]string{"x-test://busy/": "#ab a b", "x-test://late/": "ab a b unavailable now", "x-test://up/": "#ab a b"} {
		var page bytes.Buffer
		r := scheme.Request{URL: parse(text), Mirrors: []locator.URL{parse("x-test://up/")}}
		var got []string
		for e, err := range Entries(c.List(t.Context(), r, &scheme.ListOptions{Copy: &page})) {
			if err != nil {
				e.Name = CodeOf(err).String()
			}
			got = append(got, e.Name)
		}
		if got := page.String() + " " + strings.Join(got, " "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	m.closed = 0
	list, err := c.List(t.Context(), scheme.Request{URL: parse("x-test://up/")}, nil)
	if err != nil || m.closed != 0 {
		t.Fatal(err, m.closed)
	}
	list.Close()
	if m.closed != 1 {
		t.Errorf("closed %d times", m.closed)
	}
	for range list.Entries {
		t.Error("an entry after Close")
	}
}

func TestHopTo(t *testing.T) {
	t.Parallel()
	user := &scheme.Resource{URL: parse("x-test://a/"), Public: true}
	other := &scheme.Resource{URL: parse("x-test://b/"), Via: []scheme.Hop{{Kind: scheme.HopMenuItem, From: parse("x-test://a/"), FromPublic: true}}}
	for want, list := range map[string]*scheme.Resource{"x-test://a/ 2 1 public true foreign false": user, "x-test://b/ 2 1 public true foreign true": other} {
		if h := HopTo(list); fmt.Sprintf("%s %d %d public %v foreign %v", h.From.Text(), h.Kind, h.N, h.FromPublic, h.Foreign) != want {
			t.Errorf("%+v, want %s", h, want)
		}
	}
}

// known has attributes, and a body that the client reads only by Access.
type known struct {
	fake
	attr scheme.Attr
}

func (k known) Attributes(context.Context, *scheme.Env, scheme.Request, scheme.AttributesOptions) (*scheme.Resource, error) {
	if k.attr.ETag == "" {
		return nil, errors.New("no attributes")
	}
	return &scheme.Resource{Kind: scheme.KindObject, Attr: k.attr}, nil
}

// A check says whether the caller's copy is up to date, and opens the resource only if it is asked
// to.
func TestCheckOptions(t *testing.T) {
	t.Parallel()
	changed := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	opened := 0
	c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(known{fake{"x-test", func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) {
		opened++
		return text("body"), nil
	}}, scheme.Attr{ETag: `"1"`, Modified: changed}})})
	for _, tt := range []struct {
		o        *scheme.CheckOptions
		upToDate bool
		opened   int
	}{
		{nil, false, 0},
		{&scheme.CheckOptions{If: scheme.Conditions{NoneMatch: `"1"`}}, true, 0},
		{&scheme.CheckOptions{If: scheme.Conditions{NoneMatch: `"2"`, ModifiedSince: changed}}, false, 0},
		{&scheme.CheckOptions{If: scheme.Conditions{ModifiedSince: changed}}, true, 0},
		{&scheme.CheckOptions{If: scheme.Conditions{ModifiedSince: changed.Add(-time.Second)}}, false, 0},
		{&scheme.CheckOptions{Body: true}, false, 1},
	} {
		opened = 0
		res, err := c.Check(t.Context(), scheme.Request{URL: parse("x-test:a")}, tt.o)
		if err != nil || res.NotModified != tt.upToDate || opened != tt.opened {
			t.Errorf("%+v: %+v, %v, opened %d times", tt.o, res, err, opened)
		}
	}
}

// full is a writer that fails.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space") }

// What a listing holds is free when the loop ends, however the loop is written; a copy that cannot
// be written is a local error, and a filter that the scheme cannot apply an error.
func TestListEnds(t *testing.T) {
	t.Parallel()
	m := &menus{fake: fake{name: "x-test"}, hosts: map[string]string{"up": "a b", "notes": "# #"}}
	c := New(Options{Registry: scheme.NewRegistry(m), Policy: &asked{}})
	r := scheme.Request{URL: parse("x-test://up/")}
	list, err := c.List(t.Context(), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range list.Entries {
		break
	}
	if m.closed != 1 {
		t.Errorf("closed %d times after the loop", m.closed)
	}
	var own closed
	for range Entries(&scheme.Resource{Kind: scheme.KindListing, Entries: func(func(scheme.Entry, error) bool) {}, Closer: &own}, nil) {
	}
	if own != 1 {
		t.Errorf("closed %d times by Entries", own)
	}
	for _, host := range []string{"up", "notes"} {
		var last error
		for _, err := range Entries(c.List(t.Context(), scheme.Request{URL: parse("x-test://" + host + "/")}, &scheme.ListOptions{Copy: full{}})) {
			last = err
		}
		if CodeOf(last) != scheme.CodeLocal {
			t.Errorf("%s: a copy that cannot be written: %v", host, last)
		}
	}
	filter := message.Filter{Since: time.Now()}
	if _, err := c.List(t.Context(), r, &scheme.ListOptions{Filter: filter}); CodeOf(err) != scheme.CodeUnsupported {
		t.Errorf("a filter: %v", err)
	}
	hop := HopTo(&scheme.Resource{URL: parse("x-test://a/"), Via: []scheme.Hop{{Kind: scheme.HopRedirect, From: parse("x-test://a/"), Foreign: true}}})
	if !hop.Foreign {
		t.Error("a hop back to the first server is not foreign any more")
	}
}

// archived has one message and then an error.
type archived struct{ fake }

func (archived) AccessAll(context.Context, *scheme.Env, scheme.Request, bulk.Options) (*scheme.Resource, error) {
	return &scheme.Resource{Kind: scheme.KindListing, Members: func(yield func(*scheme.Resource, error) bool) {
		if yield(text("a message"), nil) {
			yield(nil, errors.New("broken"))
		}
	}}, nil
}

// The members of a listing are completed as any resource, and their errors are those of the
// operation.
func TestMembers(t *testing.T) {
	t.Parallel()
	c := New(Options{Registry: scheme.NewRegistry(archived{fake{name: "x-test"}}), Policy: &asked{}, Limits: scheme.Limits{Body: 4}})
	r := scheme.Request{URL: parse("x-test://h/")}
	list, err := c.AccessAll(t.Context(), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	for m, err := range list.Members {
		if err != nil {
			if e, ok := errors.AsType[*scheme.Error](err); !ok || e.Op != scheme.OpAccessAll || e.URL != "x-test://h/" {
				t.Errorf("%#v", err)
			}
			continue
		}
		if _, err := io.ReadAll(m.Body); m.URL.IsZero() || CodeOf(err) != scheme.CodeBroken {
			t.Errorf("%v: the limit of a body: %v", m, err)
		}
	}
	if _, err := c.AccessAll(t.Context(), r, &bulk.Options{Filter: message.Filter{Since: time.Now()}}); CodeOf(err) != scheme.CodeUnsupported {
		t.Errorf("a filter: %v", err)
	}
}

// List follows a referral of a scheme that is not a Lister.
func TestListReferral(t *testing.T) {
	t.Parallel()
	f := fake{"x-test", func(_ context.Context, _ *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
		if r.URL.Host() == "old" {
			return refer("x-test://new/"), nil
		}
		return &scheme.Resource{URL: r.URL, Kind: scheme.KindListing, Entries: func(yield func(scheme.Entry, error) bool) { yield(scheme.Entry{Name: "a"}, nil) }}, nil
	}}
	c := New(Options{Registry: scheme.NewRegistry(f), Policy: &asked{}})
	defer c.Close()
	list, err := c.List(t.Context(), scheme.Request{URL: parse("x-test://old/")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	names := ""
	for e, err := range Entries(list, err) {
		if err != nil {
			t.Error(err)
		}
		names += e.Name
	}
	if names != "a" || list.URL.Host() != "new" || len(list.Via) != 1 {
		t.Errorf("%q at %s by %d hops", names, list.URL, len(list.Via))
	}
}

// A resource that is not a listing is an error of List.
//
// Covers: A15
func TestListNoListing(t *testing.T) {
	t.Parallel()
	c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(lists{fake{name: "x-list"}})})
	for _, err := range Entries(c.List(t.Context(), scheme.Request{URL: parse("x-list:a")}, nil)) {
		wantCode(t, err, scheme.CodeUnsupported)
	}
}

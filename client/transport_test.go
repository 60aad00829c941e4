package client

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"locator/scheme"
)

// store is a scheme with every ability, over one text.
type store struct {
	fake
	text string
	seen scheme.AccessOptions
	head []string
}

func (s *store) Access(_ context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	s.seen, s.head = o, r.Header
	switch part := r.URL.SchemePart(); {
	case part == "moved":
		res := refer("x-store:here")
		res.Permanent = true
		return res, nil
	case part == "missing":
		return nil, scheme.Fail(scheme.CodeNotFound, "no such thing")
	case part == "form":
		return &scheme.Resource{Kind: scheme.KindForm}, nil
	case part == "list":
		return &scheme.Resource{Kind: scheme.KindListing, Entries: func(yield func(scheme.Entry, error) bool) {
			_ = yield(scheme.Entry{Name: "a", URL: parse("x-store:a")}, nil) &&
				yield(scheme.Entry{Name: "a note", Kind: scheme.KindNote}, nil) && yield(scheme.Entry{URL: parse("x-store:b")}, nil)
		}}, nil
	case !o.If.ModifiedSince.IsZero():
		return &scheme.Resource{Kind: scheme.KindObject, NotModified: true}, nil
	}
	res := text(s.text[o.Range.Offset:])
	res.Range = o.Range
	res.Attr = scheme.Attr{Size: scheme.Known(int64(len(s.text))), Type: "text/plain", ETag: `"e"`}
	return res, nil
}

func (s *store) Attributes(context.Context, *scheme.Env, scheme.Request, scheme.AttributesOptions) (*scheme.Resource, error) {
	return &scheme.Resource{Kind: scheme.KindObject, Attr: scheme.Attr{Size: scheme.Known(int64(len(s.text))), Modified: time.Unix(786240000, 0)}}, nil
}

func (s *store) Replace(_ context.Context, _ *scheme.Env, _ scheme.Request, b scheme.Body, _ scheme.WriteOptions) (*scheme.Resource, error) {
	data, err := io.ReadAll(b)
	s.text = string(data)
	return &scheme.Resource{}, err
}

func (s *store) Update(_ context.Context, _ *scheme.Env, _ scheme.Request, b scheme.Body, _ scheme.WriteOptions) (*scheme.Resource, error) {
	data, err := io.ReadAll(b)
	s.text += string(data)
	return &scheme.Resource{}, err
}

func TestTransport(t *testing.T) {
	t.Parallel()
	s := &store{fake: fake{name: "x-store"}, text: "0123456789"}
	c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(s)})
	h := &http.Client{Transport: c.Transport(), CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	do := func(method, url, body string, header ...string) (*http.Response, string) {
		t.Helper()
		req, err := http.NewRequest(method, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		resp, err := h.Do(req)
		if err != nil {
			t.Fatalf("%s %s: %v", method, url, err)
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp, string(b)
	}
	resp, body := do("GET", "x-store:a", "", "Accept", "text/*", "X-More", "1")
	if resp.StatusCode != 200 || body != s.text || resp.Header.Get("Content-Type") != "text/plain" || resp.Header.Get("ETag") != `"e"` || resp.ContentLength != 10 {
		t.Errorf("GET: %v %q", resp, body)
	}
	if len(s.seen.Accept.Types) != 1 || strings.Join(s.head, ";") != "X-More: 1" {
		t.Errorf("wishes: %+v, header %q", s.seen.Accept, s.head)
	}
	resp, body = do("GET", "x-store:a", "", "Range", "bytes=4-")
	if resp.StatusCode != 206 || body != "456789" || resp.Header.Get("Content-Range") != "bytes 4-9/10" {
		t.Errorf("range: %v %q", resp, body)
	}
	if resp, _ = do("GET", "x-store:a", "", "If-Modified-Since", "Thu, 01 Dec 1994 00:00:00 GMT"); resp.StatusCode != 304 {
		t.Errorf("condition: %v", resp)
	}
	if resp, _ = do("GET", "x-store:moved", ""); resp.StatusCode != 301 || resp.Header.Get("Location") != "x-store:here" {
		t.Errorf("moved: %v", resp)
	}
	if resp, body = do("GET", "x-store:missing", ""); resp.StatusCode != 404 || !strings.Contains(body, "no such thing") {
		t.Errorf("missing: %v %q", resp, body)
	}
	if resp, body = do("GET", "x-store:list", ""); body != "x-store:a\r\nx-store:b\r\n" || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/uri-list") {
		t.Errorf("list: %v %q", resp, body)
	}
	if resp, body = do("HEAD", "x-store:a", ""); body != "" || resp.ContentLength != 10 || resp.Header.Get("Last-Modified") != "Thu, 01 Dec 1994 00:00:00 GMT" {
		t.Errorf("HEAD: %v", resp)
	}
	if do("PUT", "x-store:a", "new"); s.text != "new" {
		t.Errorf("PUT: %q", s.text)
	}
	if do("POST", "x-store:a", "er"); s.text != "newer" {
		t.Errorf("POST: %q", s.text)
	}
	for url, code := range map[string]scheme.Code{"x-store:form": scheme.CodeUnsupported, "x-other:a": scheme.CodeUnsupported} {
		_, err := h.Get(url)
		wantCode(t, err, code)
	}
	req, _ := http.NewRequest("DELETE", "x-store:a", nil)
	_, err := h.Do(req)
	wantCode(t, err, scheme.CodeUnsupported, "DELETE")
}

func TestParseRange(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]scheme.Range{
		"bytes=0-": {}, "bytes=5-": {Offset: 5}, "bytes=5-9": {Offset: 5, Length: 5}, "bytes=0-0": {Length: 1},
		"": {}, "bytes=-5": {}, "bytes=9-5": {}, "bytes=1-2,4-5": {}, "lines=1-": {}, "bytes=x-": {},
	} {
		if got := parseRange(in); got != want {
			t.Errorf("%q: %+v", in, got)
		}
	}
}

// A part of a body is never a whole one, also where its size is not known.
//
// Covers: A6, T62
func TestTransportPart(t *testing.T) {
	t.Parallel()
	c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(fake{name: "x-part", access: func(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
		res := text("45")
		res.Range = scheme.Range{Offset: 4, Length: 2}
		return res, nil
	}})})
	req, _ := http.NewRequest("GET", "x-part:a", nil)
	req.Header.Set("Range", "bytes=4-5")
	resp, err := (&http.Client{Transport: c.Transport()}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != 206 || resp.Header.Get("Content-Range") != "bytes 4-5/*" {
		t.Errorf("%v", resp)
	}
}

// An http.Client does not take the GET of a redirect for the success of a PUT.
//
// Covers: A15
func TestTransportPutMoved(t *testing.T) {
	t.Parallel()
	got := false
	c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(move{fake{name: "x-move", access: func(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
		got = true
		return text("old"), nil
	}}})})
	req, _ := http.NewRequest("PUT", "x-move:a", strings.NewReader("new"))
	resp, err := (&http.Client{Transport: c.Transport()}).Do(req)
	if err == nil {
		resp.Body.Close()
	}
	if err == nil || got {
		t.Errorf("the redirect of a PUT was followed by a GET: %v, %v", got, err)
	}
}

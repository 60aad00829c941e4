package client

import (
	"context"
	"io"
	"testing"

	"locator/scheme"
)

// Open closes the whole resource, and opens files only.
func TestOpen(t *testing.T) {
	t.Parallel()
	closed := 0
	var res *scheme.Resource
	c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(fake{name: "x-a", access: func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) {
		res.Closer = closing(func() { closed++ })
		return res, nil
	}})})
	defer c.Close()
	res = text("body")
	f, err := c.Open(t.Context(), "x-a:b")
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(f); string(b) != "body" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	if err := f.Close(); err != nil || closed != 1 {
		t.Errorf("closed %d times: %v", closed, err)
	}
	res = &scheme.Resource{Kind: scheme.KindListing, Entries: func(func(scheme.Entry, error) bool) {}}
	_, err = c.Open(t.Context(), "x-a:b")
	wantCode(t, err, scheme.CodeUnsupported, "not a file but a listing")
	if closed != 2 {
		t.Error("the listing is open")
	}
	_, err = c.Open(t.Context(), "no URL")
	wantCode(t, err, scheme.CodeMalformed)
}

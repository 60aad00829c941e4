package client

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"testing"
	"time"

	"locator/policy"
	"locator/scheme"
)

// drip is a body that sends a byte now and then, for ever. It stops with its context.
type drip struct{ ctx context.Context }

func (d drip) Read(p []byte) (int, error) {
	select {
	case <-d.ctx.Done():
		return 0, d.ctx.Err()
	case <-time.After(5 * time.Millisecond):
		p[0] = 'x'
		return 1, nil
	}
}

func (d drip) Close() error { return nil }

// An operation ends after Limits.Time, however steadily data arrives: in the request, in the body,
// in a listing, in a chain of redirects, and by an http.Client.
//
// Covers: P6, T120
func TestLimitTime(t *testing.T) {
	t.Parallel()
	var contexts []context.Context
	serve := func(ctx context.Context, _ *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
		contexts = append(contexts, ctx)
		switch path, _ := r.URL.Path(); path {
		case "body":
			return &scheme.Resource{Kind: scheme.KindObject, Body: drip{ctx}}, nil
		case "list":
			return &scheme.Resource{Kind: scheme.KindListing, Entries: iter.Seq2[scheme.Entry, error](func(yield func(scheme.Entry, error) bool) {
				for b := make([]byte, 1); ; {
					_, err := drip{ctx}.Read(b)
					if !yield(scheme.Entry{Name: "x"}, err) || err != nil {
						return
					}
				}
			})}, nil
		case "wait":
			<-ctx.Done()
			return nil, ctx.Err()
		case "hops":
			time.Sleep(20 * time.Millisecond)
			return refer(fmt.Sprintf("http://h%d/hops", len(contexts))), nil
		}
		return text("done"), nil
	}
	for _, where := range []string{"policy", "client", "request"} {
		contexts = nil
		limit, o, r := scheme.Limits{Time: 100 * time.Millisecond, Hops: 1000}, Options{Registry: scheme.NewRegistry(fake{"http", serve})}, scheme.Request{}
		switch where {
		case "policy":
			o.Policy = policy.New(policy.Options{Limits: limit})
		case "client":
			o.Limits = limit
			o.Policy = policy.New(policy.Options{Limits: scheme.Limits{Time: time.Hour, Hops: 2}})
		default:
			r.Limits = limit
		}
		c := New(o)
		for path, do := range map[string]func(scheme.Request) error{
			"body": func(r scheme.Request) error { _, err := read(t, c, r); return err },
			"wait": func(r scheme.Request) error { _, err := read(t, c, r); return err },
			"hops": func(r scheme.Request) error { _, err := read(t, c, r); return err },
			"list": func(r scheme.Request) error {
				for _, err := range Entries(c.List(t.Context(), r, nil)) {
					if err != nil {
						return err
					}
				}
				return nil
			},
			"list/access": func(r scheme.Request) error {
				r.URL = parse("http://h/list")
				res, err := c.Access(t.Context(), r, nil)
				if err != nil {
					return err
				}
				defer res.Close()
				for _, err := range res.Entries {
					if err != nil {
						return err
					}
				}
				return nil
			},
			"wait/do": func(r scheme.Request) error {
				return c.Do(t.Context(), r, func(ctx context.Context, _ *scheme.Env, _ scheme.Scheme) error { <-ctx.Done(); return ctx.Err() })
			},
		} {
			r.URL = parse("http://h/" + path)
			began := time.Now()
			err := do(r)
			wantCode(t, err, scheme.CodeBroken, "limit of 100ms")
			if took := time.Since(began); took > 30*time.Second {
				t.Errorf("%s, %s: it took %v", where, path, took)
			}
		}
		r.URL = parse("http://h/")
		if body, err := read(t, c, r); err != nil || body != "done" {
			t.Errorf("%s: %q, %v", where, body, err)
		}
		if where != "request" { // an http.Client has no limits of its own here
			web := &http.Client{Transport: c.Transport(), CheckRedirect: func(*http.Request, []*http.Request) error { return nil }}
			for _, path := range []string{"body", "list", "wait", "hops"} {
				resp, err := web.Get("http://h/" + path)
				if err == nil {
					_, err = io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
				if err == nil || !strings.Contains(err.Error(), "limit of 100ms") {
					t.Errorf("%s, http.Client, %s: %v", where, path, err)
				}
				if late, ok := err.(interface{ Timeout() bool }); !ok || !late.Timeout() {
					t.Errorf("%s, http.Client, %s: %v is no timeout", where, path, err)
				}
			}
		}
		for _, ctx := range contexts {
			if ctx.Err() == nil {
				t.Errorf("%s: the context of an operation that has ended is open", where)
			}
		}
		c.Close()
	}
}

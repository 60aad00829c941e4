package tree

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"locator/client"
	"locator/scheme"
)

// wide is a tree whose folders have folders without end.
type wide struct{ fake }

func (wide) List(_ context.Context, _ *scheme.Env, r scheme.Request, _ scheme.ListOptions) (*scheme.Resource, error) {
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindListing, Entries: func(yield func(scheme.Entry, error) bool) {
		for i := range 1_000_000 {
			name := strconv.Itoa(i)
			u, err := r.URL.JoinPath(name, "")
			if !yield(scheme.Entry{Name: name, URL: u, Kind: scheme.KindListing}, err) {
				return
			}
		}
	}}, nil
}

// A server chooses how many folders there are. Those that are still to be listed take bounded memory.
//
// Covers: P6, T90
func TestWalkWide(t *testing.T) {
	t.Parallel()
	c := client.New(client.Options{Registry: scheme.NewRegistry(wide{fake{name: "ftp"}})})
	defer c.Close()
	n := 0
	for v := range Walk(t.Context(), c, scheme.Request{URL: parse("ftp://192.0.2.1/")}, WalkOptions{}) {
		if v.Err != nil {
			if client.CodeOf(v.Err) != scheme.CodeBroken || !strings.Contains(v.Err.Error(), "too many folders") {
				t.Error(v.Err)
			}
			break
		}
		n++
	}
	if n < 10_000 || n > 200_000 {
		t.Errorf("%d folders before the limit", n)
	}
}

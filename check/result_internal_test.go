package check

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"locator"
	"locator/scheme"
)

// A URL is asked for with its password, but no result has one: neither of the URL, nor of one that
// it leads to, nor of the page where it stands.
func TestNoPassword(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		path    string
		results int
	}{{"there", 1}, {"gone", 1}, {"moved", 1}, {"limit", 2}, {"page", 2}, {"bad host", 1}, {"%zz", 1}, {"nosuch", 1}} {
		synctest.Test(t, func(t *testing.T) {
			c := fake(func(_ context.Context, u locator.URL) (*scheme.Resource, error) {
				if !strings.Contains(u.Text(), "u:secret@") {
					t.Errorf("asked for %s without the password", u)
				}
				path, _ := u.Path()
				switch {
				case path == "moved":
					to, err := locator.Current.Parse("http://u:secret@a.example/there")
					if err != nil {
						return nil, err
					}
					return &scheme.Resource{URL: u, Kind: scheme.KindReferral, Permanent: true, Next: []scheme.Entry{{URL: to}}}, nil
				case path == "gone":
					return nil, scheme.Fail(scheme.CodeGone, "%s is gone", u)
				case strings.HasPrefix(path, "limit"):
					return nil, &scheme.Error{Code: scheme.CodeLimited, RetryAfter: time.Hour}
				case path == "page":
					return &scheme.Resource{
						URL: u, Kind: scheme.KindObject, Attr: scheme.Attr{Type: "text/html"},
						Body: io.NopCloser(strings.NewReader(`<a href="there">x</a>`)),
					}, nil
				}
				return there(u)
			}).client(t)
			base := "http://u:secret@a.example/"
			urls := []string{base + tt.path}
			switch tt.path {
			case "limit":
				urls = append(urls, base+"limit2")
			case "bad host":
				urls = []string{"http://u:secret@bad host/"}
			case "nosuch":
				urls = []string{"nosuch://u:secret@a.example/"}
			}
			r, err := NewMemory(nil).Begin(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			in := &Input{Run: r, Checker: &Checker{Client: c}, Depth: 1}
			for _, u := range urls {
				if err := in.Add(t.Context(), u, Place{}); err != nil {
					t.Fatal(err)
				}
			}
			if err := in.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := r.Seal(t.Context()); err != nil {
				t.Fatal(err)
			}
			w := &Worker{Checker: &Checker{Client: c, Scope: Scope{"http://u:****@a.example/"}, RetryAfter: -1}}
			if err := w.Run(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			list := resultsOf(t, r)
			text, err := json.Marshal(list)
			if err != nil {
				t.Fatal(err)
			}
			if len(list) != tt.results || strings.Contains(string(text), "secret") {
				t.Errorf("%s: %d results, want %d: %s", tt.path, len(list), tt.results, text)
			}
		})
	}
}

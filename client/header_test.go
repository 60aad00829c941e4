package client

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"locator/scheme"
)

// Header lines that may be meant for one server are not sent to another one, unless they are in
// Options.HeaderAll.
//
// Covers: P3, T65
func TestHeaderAcrossHops(t *testing.T) {
	t.Parallel()
	const first, second = "http://" + public + "/", "http://192.88.98.2/"
	for _, test := range []struct {
		location string
		from     *scheme.Hop
		want     string // the header at the last server
	}{
		{first + "x", nil, "accept: */*|authorization: Basic x|cookie: a=b|host: inner.example|x-all: c|x-key: secret"},
		{second, nil, "accept: */*|x-all: c"},
		{"http://" + public + ":8080/", nil, "accept: */*|x-all: c"},
		{"https://" + public + "/", nil, "accept: */*|x-all: c"},
		{first + "x", &scheme.Hop{Kind: scheme.HopMenuItem, From: parse(second), N: 1}, "accept: */*|x-all: c"},
	} {
		for _, way := range []string{"access", "request", "http.Client"} {
			var got []string
			serve := func(_ context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
				got = slices.Clone(r.Header)
				if r.URL.Text() == first {
					return refer(test.location), nil
				}
				return text(""), nil
			}
			lines := []string{"X-Key: secret", "authorization: Basic x", "Cookie: a=b", "HOST: inner.example", "Accept: */*"}
			o := Options{Policy: &asked{}, Registry: scheme.NewRegistry(fake{"http", serve}, fake{"https", serve}), HeaderAll: []string{"X-All: c"}}
			if way == "access" {
				o.Header = lines
			}
			c := New(o)
			var err error
			switch {
			case way == "http.Client" && test.from != nil:
				continue
			case way == "http.Client":
				req, _ := http.NewRequestWithContext(t.Context(), "GET", first, nil)
				for _, line := range lines {
					name, value, _ := strings.Cut(line, ": ")
					req.Header.Set(name, value)
				}
				var resp *http.Response
				if resp, err = (&http.Client{Transport: c.Transport()}).Do(req); err == nil {
					resp.Body.Close()
				}
				got = slices.DeleteFunc(got, func(line string) bool { return fieldName(line) == "referer" })
			default:
				r := scheme.Request{URL: parse(first), From: test.from}
				if way == "request" {
					r.Header = lines
				}
				_, err = read(t, c, r)
			}
			for i, line := range got {
				name, value, _ := strings.Cut(line, ":")
				got[i] = strings.ToLower(name) + ":" + value
			}
			slices.Sort(got)
			want := test.want
			if way == "http.Client" { // it takes Accept for AccessOptions
				want = strings.ReplaceAll(want, "accept: */*|", "")
			}
			if err != nil || strings.Join(got, "|") != want {
				t.Errorf("%s, then %s: %q, %v; want %q", way, test.location, strings.Join(got, "|"), err, want)
			}
		}
	}
}

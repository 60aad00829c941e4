package http_test

import (
	"io"
	nethttp "net/http"
	nethttptest "net/http/httptest"
	"testing"

	"locator/client"
	"locator/scheme"
	"locator/scheme/http"
)

// BenchmarkKeepAlive gets 1 KB over one connection, with net/http, with an http.Client over the
// transport, and with Access.
func BenchmarkKeepAlive(b *testing.B) {
	page := make([]byte, 1<<10)
	s := nethttptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, _ *nethttp.Request) { w.Write(page) }))
	defer s.Close()
	c := client.New(client.Options{Registry: scheme.NewRegistry(http.New("http"))})
	defer c.Close()
	fetch := func(web *nethttp.Client) func() error {
		return func() error {
			resp, err := web.Get(s.URL)
			if err != nil {
				return err
			}
			defer resp.Body.Close()
			_, err = io.Copy(io.Discard, resp.Body)
			return err
		}
	}
	u, err := c.Parse(s.URL)
	if err != nil {
		b.Fatal(err)
	}
	for _, bench := range []struct {
		name string
		get  func() error
	}{
		{"net/http", fetch(s.Client())},
		{"Transport", fetch(&nethttp.Client{Transport: c.Transport()})},
		{"Access", func() error {
			res, err := c.Access(b.Context(), scheme.Request{URL: u}, nil)
			if err != nil {
				return err
			}
			defer res.Close()
			_, err = io.Copy(io.Discard, res.Body)
			return err
		}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := bench.get(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

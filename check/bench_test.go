package check_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"locator"
	"locator/check"
	"locator/client"
	"locator/scheme"
	httpscheme "locator/scheme/http"
)

// BenchmarkRun checks URLs of one host in memory. BenchmarkHead is a bare loop of HEAD requests
// with as many connections.
func BenchmarkRun(b *testing.B) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("ETag", `"1"`) }))
	defer srv.Close()
	c := client.New(client.Options{Registry: scheme.NewRegistry(httpscheme.New("http")), Pool: client.PoolOptions{PerKey: 32, Total: 64}})
	defer c.Close()
	run, err := check.NewMemory(nil).Begin(b.Context(), nil)
	if err != nil {
		b.Fatal(err)
	}
	var links []check.Link
	for i := range b.N {
		links = append(links, check.NewLink(c, locator.Current.Parse, fmt.Sprintf("%s/%d", srv.URL, i), check.Place{}, false))
	}
	if _, err := run.Add(b.Context(), links); err != nil {
		b.Fatal(err)
	}
	if err := run.Seal(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	w := &check.Worker{Checker: &check.Checker{Client: c}, Parallel: 32}
	if err := w.Run(b.Context(), run); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkHead(b *testing.B) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("ETag", `"1"`) }))
	defer srv.Close()
	c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}}
	defer c.CloseIdleConnections()
	b.SetParallelism(16)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			res, err := c.Head(fmt.Sprintf("%s/%d", srv.URL, i))
			if err != nil {
				b.Error(err)
				return
			}
			res.Body.Close()
		}
	})
}

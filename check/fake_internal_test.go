package check

import (
	"context"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
	httpscheme "locator/scheme/http"
)

// fake is the scheme http without a network: a function answers its requests.
type fake func(ctx context.Context, u locator.URL) (*scheme.Resource, error)

func (fake) Syntax() *locator.Syntax { return httpscheme.New("http").Syntax() }

func (f fake) Access(ctx context.Context, _ *scheme.Env, r scheme.Request, _ scheme.AccessOptions) (*scheme.Resource, error) {
	return f(ctx, r.URL)
}

func (f fake) Check(ctx context.Context, _ *scheme.Env, r scheme.Request, _ scheme.CheckOptions) (*scheme.Resource, error) {
	return f(ctx, r.URL)
}

// there is the answer of a resource that is there.
func there(u locator.URL) (*scheme.Resource, error) {
	return &scheme.Resource{URL: u, Kind: scheme.KindObject}, nil
}

func (f fake) client(t *testing.T) *client.Client {
	c := client.New(client.Options{Registry: scheme.NewRegistry(f)})
	t.Cleanup(func() { c.Close() })
	return c
}

// runOf begins a run of URLs in memory.
func runOf(t *testing.T, c *client.Client, urls ...string) Run {
	t.Helper()
	r, err := NewMemory(nil).Begin(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var links []Link
	for _, u := range urls {
		links = append(links, NewLink(c, locator.Current.Parse, u, Place{}, false))
	}
	if _, err := r.Add(t.Context(), links); err != nil {
		t.Fatal(err)
	}
	if err := r.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r
}

// resultsOf returns the results of a run, in the order of its URLs.
func resultsOf(t *testing.T, r Run) (list []*Result) {
	t.Helper()
	for res, err := range r.Results(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, res)
	}
	return list
}

package client_test

import (
	"testing"

	"locator"
	"locator/client"
	"locator/scheme/all"
)

// Covers: T41
func TestFileName(t *testing.T) {
	t.Parallel()
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()
	for text, want := range map[string]string{
		"ftp://h/a/b;type=i": "b", "ftps://h/a/b%2Fc;type=a": "b/c", "ftps://h/a/;type=d": "a", "ftps://h": "", "http://h/a/b;type=i": "b;type=i", "gopher://h/0/x%20y": "x y",
	} {
		u, err := locator.Current.Parse(text)
		if got := c.FileName(u, false); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", text, got, err, want)
		}
	}
}

// With --decode a file has the name of its decoded content, in both syntaxes.
func TestUnwrapped(t *testing.T) {
	t.Parallel()
	for _, syntax := range []*locator.Parser{locator.RFC1738, locator.Current} {
		c := client.New(client.Options{Registry: all.Registry(), Syntax: syntax})
		defer c.Close()
		for text, want := range map[string]string{
			"gopher://h/4/a.hqx": "a", "gophers://h/6/a.uu": "a", "gophers://h/0/a.uu": "a.uu", "gophers://h/6/.uu": ".uu", "ftps://h/a.uu": "a.uu",
		} {
			u, err := locator.Current.Parse(text)
			if got := c.FileName(u, true); err != nil || got != want {
				t.Errorf("%s: %s: %q, %v; want %q", syntax.Name(), text, got, err, want)
			}
		}
	}
}

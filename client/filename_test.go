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

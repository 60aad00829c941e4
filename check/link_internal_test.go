package check

import (
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme/all"
)

// A fragment makes another URL only if it is asked for, and never another request for the host.
func TestLinkKey(t *testing.T) {
	t.Parallel()
	c := fake(nil).client(t)
	for _, tt := range []struct {
		url  string
		keep bool
		key  string
		host string
	}{
		{"http://a.example/x#y", false, "http://a.example/x", "a.example"},
		{"http://a.example/x#y", true, "http://a.example/x#y", "a.example"},
		{"HTTP://A.Example:80/x", true, "http://a.example/x", "a.example"},
		{"http://u:secret@a.example/", true, "http://u:****@a.example/", "a.example"},
	} {
		l := NewLink(c, locator.Current.Parse, tt.url, Place{}, tt.keep)
		if l.Key != tt.key || l.Host != tt.host || l.URL != tt.url || l.Done != nil {
			t.Errorf("%s: %+v, want key %s, host %s", tt.url, l, tt.key, tt.host)
		}
	}
}

// What a rule of the user skips, and files outside the folders that are checked, are not asked; the
// files not even if another program added them to the run.
func TestLinkSkipped(t *testing.T) {
	t.Parallel()
	here, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := Settings{Hosts: []HostRule{{Host: "*.b.example", Skip: true}}, Folders: []string{here}}
	c, err := s.Checker()
	if err != nil {
		t.Fatal(err)
	}
	c.Client = client.New(client.Options{Registry: all.Registry()})
	defer c.Client.Close()
	at := "file://" + filepath.ToSlash(here)
	if runtime.GOOS == "windows" {
		at = "file:///" + filepath.ToSlash(here)
	}
	for text, want := range map[string]bool{"http://a.example/": false, "http://x.B.example:81/": true, "http://b.example/": false} {
		l, ok := c.link(text, Place{}, nil)
		if got := l.Done != nil && l.Done.Verdict == Skipped && l.Done.Why == WhyExcluded; !ok || got != want {
			t.Errorf("%s: %+v", text, l.Done)
		}
	}
	for text, want := range map[string]bool{at + "/x": false, at + "/../x": true, "file:///etc/passwd": true} {
		r := c.Check(t.Context(), Task{URL: text})
		if got := r.Verdict == Skipped && r.Why == WhyExcluded; got != want {
			t.Errorf("%s: %+v", text, r)
		}
		if l, _ := c.link(text, Place{}, nil); (l.Done != nil && l.Done.Why == WhyExcluded) != want { // so that no other machine judges it
			t.Errorf("%s is added as %+v", text, l.Done)
		}
	}
	c.Folders = nil
	if r := c.Check(t.Context(), Task{URL: at + "/../x"}); r.Verdict == Skipped {
		t.Errorf("all files: %+v", r)
	}
}

// A target is checked instead of the URL, by the rules for it. What has none is skipped.
func TestLinkTarget(t *testing.T) {
	t.Parallel()
	c := &Checker{Client: fake(nil).client(t), Schemes: []string{"http"}}
	l, ok := c.link("http://a.example/x", Place{}, func(u locator.URL) (locator.URL, bool) {
		return locator.Current.MustParse("http://b.example" + u.Text()[len("http://a.example"):]), true
	})
	if !ok || l.URL != "http://b.example/x" || l.Host != "b.example" || l.Done != nil {
		t.Errorf("%+v", l)
	}
	if l, ok := c.link("http://a.example/x", Place{}, func(u locator.URL) (locator.URL, bool) { return u, false }); !ok || l.Done == nil || l.Done.Verdict != Skipped || l.Done.Note == "" {
		t.Errorf("%+v", l)
	}
}

// An input knows only so many links at once, and a link by its text, reference and folder.
func TestInputKnown(t *testing.T) {
	t.Parallel()
	in := &Input{Checker: &Checker{Client: fake(nil).client(t)}}
	for i := range maxKnown + 10 {
		in.link("mailto:user"+strconv.Itoa(i)+"@a.example", Place{}, nil)
	}
	if n := len(in.known); n != 10 {
		t.Errorf("%d links are known", n)
	}
}

// Only what stands nowhere, which the user named, is followed.
func TestInputDepth(t *testing.T) {
	t.Parallel()
	in := &Input{Checker: &Checker{Client: fake(nil).client(t)}, Depth: 3}
	for at, want := range map[Place]int{{}: 3, {File: "list", Line: 1}: 0} {
		in.links = nil
		if err := in.Add(t.Context(), "http://a.example/", at); err != nil {
			t.Fatal(err)
		}
		if got := in.links[0].Depth; got != want {
			t.Errorf("at %+v: depth %d, want %d", at, got, want)
		}
	}
}

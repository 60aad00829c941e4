package client_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"locator/client"
	"locator/internal/peers"
	"locator/scheme"
	"locator/tree"
)

// squid is an http proxy for http and ftp.
//
// Covers: A14
func TestSquid(t *testing.T) {
	t.Parallel()
	e := peers.Start(t, "squid", "nginx", "proftpd", "vsftpd")
	s := start(t)
	c, trace := s.through(t, "http://"+e.Addr(t, "squid"))
	text, err := os.ReadFile(filepath.Join(e.Tree, "text.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, url := range []string{
		"http://" + e.Addr(t, "nginx") + "/text.txt", "https://" + strings.TrimPrefix(s.secure.URL("etc", "motd").Text(), "https://"),
		"ftp://" + e.Addr(t, "vsftpd") + "/text.txt;type=i", "ftp://alice:secret@" + e.Addr(t, "proftpd") + "/text.txt;type=i",
	} {
		want := text
		got, err := get(t, c, url)
		if strings.HasPrefix(url, "https:") {
			want = []byte(motd)
		}
		if err != nil || got != string(want) {
			t.Errorf("%s: %q, %v", url, got, err)
		}
	}
	e.WaitLog(t, "squid", "ftp://"+e.Addr(t, "vsftpd")+"/text.txt")
	_, err = get(t, c, "ftp://"+e.Addr(t, "vsftpd")+"/no-such")
	wantCode(t, "no such file", err, scheme.CodeNotFound)
	_, err = get(t, c, "ftp://alice:wr0ng@"+e.Addr(t, "proftpd")+"/text.txt")
	wantCode(t, "wrong password", err, scheme.CodeLoginNeeded)
	if strings.Contains(trace.String()+err.Error(), "secret") || strings.Contains(trace.String()+err.Error(), "wr0ng") {
		t.Errorf("a password is shown: %s", trace)
	}
	var names []string
	for entry, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: parse(t, "ftp://"+e.Addr(t, "vsftpd")+"/")}, nil)) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, entry.Name+" "+entry.Kind.String())
	}
	for _, want := range []string{"text.txt object", "names listing"} {
		if !slices.Contains(names, want) {
			t.Errorf("there is no %s in %q", want, names)
		}
	}
	paths := 0
	for v := range tree.Walk(t.Context(), c, scheme.Request{URL: parse(t, "ftp://"+e.Addr(t, "vsftpd")+"/")}, tree.WalkOptions{}) {
		if paths++; v.Err != nil {
			t.Log(v.Err)
		}
	}
	if paths < 20 {
		t.Errorf("walked over %d things", paths)
	}
}

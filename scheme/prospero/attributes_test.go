package prospero_test

import (
	"slices"
	"strings"
	"testing"

	"locator/scheme"
	"locator/scheme/prospero/prosperotest"
)

// What a server says about itself is asked for on demand only, and an ID after a link is not an
// entry of its own.
//
// Covers: A13
func TestServerInfo(t *testing.T) {
	t.Parallel()
	s := start(t, prosperotest.MOTD("The server moves\non Monday."),
		prosperotest.Link([]string{"deep"}, "LINK  L FILE motd INTERNET-D HOST ASCII AFTP/etc/motd 0", "ID REMOTE 17", "", "ATTRIBUTE LINK FIELD ID SEQUENCE REMOTE 18"))
	c := newClient(t)
	for _, wanted := range []bool{false, true} {
		res, err := c.Attributes(t.Context(), scheme.Request{URL: s.URL("etc", "motd")}, &scheme.AttributesOptions{ServerInfo: wanted})
		if err != nil {
			t.Fatal(err)
		}
		about := slices.DeleteFunc(res.Attr.More, func(a scheme.Attribute) bool { return a.Block != "server" })
		var want []scheme.Attribute
		if wanted {
			want = []scheme.Attribute{{Block: "server", Name: "Version", Value: "5 locator-test"}, {Block: "server", Name: "Message of the day", Value: "The server moves\non Monday."}}
		}
		if !slices.Equal(about, want) {
			t.Errorf("server info %v: %q, want %q", wanted, about, want)
		}
	}
	if n := strings.Count(strings.Join(s.Lines(), "\n"), "PARAMETER GET MOTD"); n != 1 {
		t.Errorf("the message of the day was asked for %d times", n)
	}
	entries, err := list(t, c, s.URL("deep", ""))
	if want := "object motd " + s.URL("etc", "motd").Text(); err != nil || !slices.Contains(entries, want) || slices.ContainsFunc(entries, func(e string) bool { return strings.HasPrefix(e, "note") }) {
		t.Errorf("%q, %v", entries, err)
	}
	old := start(t, prosperotest.Packets(func(p [][]byte) [][]byte {
		if strings.Contains(string(p[0]), "PARAMETER") {
			return [][]byte{append(p[0][:3:3], "FAILURE UNIMPLEMENTED\n"...)}
		}
		return p
	}))
	res, err := c.Attributes(t.Context(), scheme.Request{URL: old.URL("etc", "motd")}, &scheme.AttributesOptions{ServerInfo: true})
	if err != nil || len(res.Attr.More) == 0 {
		t.Errorf("a server that knows no parameters: %v, %v", res, err)
	}
}

package nntp_test

import (
	"io"
	"net"
	"net/textproto"
	"strconv"
	"strings"
	"testing"

	"locator"
	"locator/internal/peers"
	"locator/scheme/nntp"
	"locator/scheme/nntp/nntptest"
	"locator/schemetest"
	"locator/schemetest/peer"
)

// TestConformancePeers runs the suite against INN, to which the tree is posted.
//
// Covers: S12, A9, P2, P5, P6
func TestConformancePeers(t *testing.T) {
	e := peers.Start(t, "inn")
	const noNUL = "INN accepts no article with NUL bytes"
	for _, name := range []string{"inn", "nnrpd"} {
		t.Run(name, func(t *testing.T) {
			addr := e.Addr(t, name)
			tree := postTree(t, addr)
			schemetest.Run(t, schemetest.Harness{
				Scheme: nntp.New(),
				Start: func(t *testing.T) schemetest.Server {
					r, err := peers.NewRelay(addr, "nntp")
					if err != nil {
						t.Fatal(err)
					}
					return &posted{r, tree}
				},
				Hostile: []string{"nntp://HOST/a%0D%0AQUIT/1", "nntp://HOST/a%20b/1"},
				Stored:  func(f schemetest.File) string { return tree[strings.Join(f.Path, "/")].text },
				Flat:    true,
				Titles:  true,
				Except:  map[string]string{"wishes": noNUL, "half a body": noNUL, "limit body": noNUL, "late close": noNUL},
			})
		})
	}
}

// stored is an article at the server.
type stored struct {
	number int64
	text   string
}

// posted is INN with the tree, behind a relay.
type posted struct {
	*peers.Relay
	tree map[string]stored
}

// URL implements peer.Server. Files that INN does not accept have none, nor have folders without a
// group.
func (p *posted) URL(path ...string) (u locator.URL) {
	v := &locator.NNTP{Group: nntptest.Group(path[:len(path)-1]...)}
	v.Host, v.Port, _ = net.SplitHostPort(p.Addr())
	a, ok := p.tree[strings.Join(path, "/")]
	switch last := path[len(path)-1]; {
	case ok:
		v.Article = locator.Some(strconv.FormatInt(a.number, 10))
	case last == "no such file":
		v.Article = locator.Some("999999")
	case last != "" || len(path) > 2:
		return u
	}
	u, _ = locator.Build(v)
	return u
}

// Misbehave implements peer.Server. INN does not.
func (*posted) Misbehave(peer.Fault) {}

// File implements peer.Server.
func (p *posted) File(path ...string) ([]byte, bool) {
	a, ok := p.tree[strings.Join(path, "/")]
	return []byte(a.text), ok
}

// postTree posts the files of three folders of the tree, unless INN has them from an earlier run,
// and returns what it then serves. It has its own client.
func postTree(t *testing.T, addr string) map[string]stored {
	t.Helper()
	c, err := textproto.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ask := func(want int, line string) string {
		if line != "" {
			if err := c.PrintfLine("%s", line); err != nil {
				t.Fatal(err)
			}
		}
		_, text, err := c.ReadCodeLine(want)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		return text
	}
	ask(20, "")
	ask(20, "MODE READER")
	tree := make(map[string]stored)
	for _, f := range peer.Tree() {
		// The overview of dots.txt counts the dots that are added to lines on the wire (see
		// parseOverview).
		if f.Content == "" || f.Path[0] == "dots.txt" || strings.Contains(f.Content, "\x00") || len(f.Path) > 2 || len(f.Path) == 2 && f.Path[0] == "deep" {
			continue
		}
		ask(340, "POST")
		w := c.DotWriter()
		if _, err := io.WriteString(w, nntptest.Text(f)); err != nil {
			t.Fatal(err)
		}
		w.Close()
		c.ReadCodeLine(240) // 441 if it is there already
		group := nntptest.Group(f.Path[:len(f.Path)-1]...)
		ask(211, "GROUP "+group)
		ask(224, "OVER 1-")
		lines, err := c.ReadDotLines()
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			if words := strings.Split(line, "\t"); words[4] == "<"+nntptest.ID(f.Path...)+">" {
				ask(220, "ARTICLE "+words[0])
				text, err := c.ReadDotBytes()
				if err != nil {
					t.Fatal(err)
				}
				number, _ := strconv.ParseInt(words[0], 10, 64)
				tree[strings.Join(f.Path, "/")] = stored{number, strings.ReplaceAll(string(text), "\n", "\r\n")}
			}
		}
	}
	if len(tree) < 10 {
		t.Fatalf("INN has %d articles of the tree", len(tree))
	}
	return tree
}

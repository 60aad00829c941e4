package main

import (
	"fmt"
	"strings"
	"testing"

	"locator/scheme/ftp/ftptest"
	"locator/scheme/gopher/gophertest"
	"locator/schemetest/peer"
)

// On a terminal a menu has numbers, types and texts, with the notes as they are; --urls adds the
// URLs that every client understands.
//
// Covers: A15
func TestListMenuOnATerminal(t *testing.T) {
	t.Parallel()
	const drawing = `  /\_/\  \\`
	s, err := gophertest.Start(peer.Tree(), gophertest.Reply("/menu", "i"+drawing+"\tx\tnull.host\t1\r\ni\t\tnull.host\t1\r\n"+
		"1Folder\t/dir\th.dom\t70\t+\r\n0Text\t/text.txt\th.dom\t70\t+\r\n+Text\t/copy.txt\tm.dom\t70\r\n7Search\t/s\th.dom\t70\r\nhWeb\tURL:http://w.dom/\th.dom\t70\r\nIMap\t/map.gif\th.dom\t70\r\n"+
		"0a\x1b[2Jb\t/x\th.dom\t70\r\n.\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	u := "gopher://" + s.Addr() + "/1/menu"
	const menu = "          " + drawing + "\n\n   1 DIR  Folder\n   2 TEXT Text\n   3 FIND Search\n   4 LINK Web\n   5 IMG  Map\n   6 TEXT a\uFFFD[2Jb\n"
	for _, verb := range []string{"list", "get"} {
		if shown, status := onTerminal(t, nil, verb, u); status != 0 || unfold(shown) != menu {
			t.Errorf("%s: status %d, shows\n%s\nwant\n%s", verb, status, unfold(shown), menu)
		}
	}
	shown, _ := onTerminal(t, nil, "list", "--urls", u)
	for _, want := range []string{"   1 DIR  Folder\n          gopher://h.dom/1/dir\n", "   2 TEXT Text\n          gopher://h.dom/0/text.txt\n          gopher://m.dom/0/copy.txt\n"} {
		if !strings.Contains(unfold(shown), want) {
			t.Errorf("--urls shows\n%s\nwithout\n%s", unfold(shown), want)
		}
	}
	// several listings have headings
	shown, _ = onTerminal(t, nil, "list", u, u)
	if want := u + ":\n" + menu + "\n" + u + ":\n" + menu; unfold(shown) != want {
		t.Errorf("two URLs show\n%s\nwant\n%s", unfold(shown), want)
	}
}

// On a terminal a directory has the names first, and sizes for people.
//
// Covers: A15
func TestListDirectoryOnATerminal(t *testing.T) {
	t.Parallel()
	s, err := ftptest.Start(peer.Tree())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	u := fmt.Sprintf("ftp://127.0.0.1:%d/", s.Port())
	shown, status := onTerminal(t, nil, "list", u)
	rows := strings.Split(unfold(shown), "\n")
	for _, want := range []string{"big.bin     256.0 KiB  1994-12-01 00:00", "text.txt     29 bytes  1994-12-01 00:00", "names/"} {
		found := false
		for _, row := range rows {
			found = found || row == want || strings.HasSuffix(want, "/") && strings.HasPrefix(row, want)
		}
		if !found {
			t.Errorf("status %d, no row %q in\n%s", status, want, unfold(shown))
		}
	}
	shown, _ = onTerminal(t, nil, "list", "--urls", u)
	if want := "1994-12-01 00:00\n    " + u + "text.txt\n"; !strings.Contains(unfold(shown), want) {
		t.Errorf("no %q in\n%s", want, unfold(shown))
	}
	// a tree: the names are paths
	shown, _ = onTerminal(t, nil, "list", "-r", u)
	if !strings.Contains(unfold(shown), "\ndeep/1/2/3/4/5/6/7/8/leaf.txt  ") {
		t.Errorf("-r shows\n%s", unfold(shown))
	}
}

// unfold returns what a terminal shows with plain line ends.
func unfold(shown string) string { return strings.ReplaceAll(shown, "\r\n", "\n") }

package prospero_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/internal/capture"
	"locator/scheme/prospero/internal/ardp"
	"locator/scheme/prospero/internal/text"
)

// commands returns the tokens of a request, a line each, without those that introduce the client.
func commands(request []byte) string {
	var lines []string
	in := text.NewScanner(bytes.NewReader(request), 64<<10)
	for {
		line, err := in.Line()
		if err != nil {
			return strings.Join(lines, "\n")
		}
		if line[0] != "VERSION" && line[0] != "AUTHENTICATE" {
			lines = append(lines, strings.Join(line, "\x00"))
		}
	}
}

// recorded starts a server that gives the recorded responses to requests of one packet, and
// NONE-FOUND to any other request. It returns its address.
func recorded(t *testing.T) string {
	t.Helper()
	all, err := capture.ReadDir(os.DirFS("../../internal/capture/testdata"), "prospero")
	if err != nil {
		t.Fatal(err)
	}
	known := make(map[string][][]byte)
	for _, x := range all {
		var response [][]byte
		for _, m := range x.Messages[1:] {
			response = append(response, m.Data)
		}
		if _, data, err := ardp.Parse(x.Messages[0].Data); err == nil {
			known[commands(data)] = response
		}
	}
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	go func() {
		b := make([]byte, 64<<10)
		for {
			n, from, err := c.ReadFromUDPAddrPort(b)
			if err != nil {
				return
			}
			h, data, err := ardp.Parse(b[:n])
			if err != nil || h.Number == 0 {
				continue
			}
			response, ok := known[commands(data)]
			if !ok {
				response = [][]byte{append([]byte{3, 0, 0}, "NONE-FOUND\n"...)}
			}
			for _, p := range response {
				c.WriteToUDPAddrPort(slices.Concat(p[:1], b[1:3], p[3:]), from)
			}
		}
	}()
	return c.LocalAddr().String()
}

// TestReplay lists and reads what servers of 1994 had, from their recorded responses.
//
// Covers: A13
func TestReplay(t *testing.T) {
	t.Parallel()
	at := recorded(t)
	c := newClient(t, func(o *client.Options) {
		o.Dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, at)
		}
		o.Resolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("no names") }}
	})
	const base = "prospero://127.0.0.1:21525/"
	for name, want := range map[string][]string{
		"/usr/local/prospero/private2": {"note sym3 ", "object wgw wais://127.0.0.1:12210/mix/TEXT/%03$0%20660%20%2Ftmp%2Fx", "listing gdir gopher://127.0.0.1:7070/11/sub", "query gsearch gopher://127.0.0.1:7070/77/idx",
			"session tn tn3270://h.example:992/", "note nfs (none of the access methods can be used: NFS) ", "object loc file:///etc/hostname", "object textftp ftp://h.example/dir/a%20b%3Bc?d%23e;type=a",
			"listing dirftp ftp://h.example/pub/dir;type=d", "unknown both " + base + "AFTP/docs", "unknown obj " + base + "AFTP/hello.txt", "object name with/slash " + base + "AFTP/hello.txt", "object dest " + base + "AFTP/hello.txt"},
		"/usr/local/prospero/private": {"object hello " + base + "AFTP/hello.txt", "listing pub " + base + "AFTP", "object it's here " + base + "AFTP/it's%20here.txt", "object ver3 " + base + "AFTP/hello.txt;OBJECT-VERSION=3",
			"object ext-ftp ftp://127.0.0.1:2121/pub/file.txt;type=i", "session ext-telnet telnet://telnet.example.org:23/", "object ext-gopher gopher://127.0.0.1:7070/00/hello.txt",
			"note ext-wais (none of the access methods can be used: WAIS) ", "note ext-odd (none of the access methods can be used: STRANGE) ", "listing nohost prospero://nosuch.invalid:191//pub/x", "note sym ", "note sym2 ",
			"note prospero://nosuch.invalid:191//u"},
	} {
		got, err := list(t, c, locator.MustParse(base+name))
		for i := range got {
			if before, _, ok := strings.Cut(got[i], ", which is a part of the directory, cannot be read: "); ok { // the reason is the system's
				got[i] = before
			}
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	got, res, err := get(t, c, locator.MustParse(base+"AFTP/moved.txt;TARGET=FILE"))
	if err != nil || got != "hello prospero\n" || res.URL.Text() != base+"AFTP/hello.txt" {
		t.Errorf("forwarded: %q, %v, %v", got, res, err)
	}
}

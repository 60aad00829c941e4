package prospero_test

import (
	"net"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/prospero/prosperotest"
)

// A server cannot put commands into the request to another one, by any part of a place that it names.
//
// Covers: S16, P6
func TestCommandsOfServer(t *testing.T) {
	t.Parallel()
	other := start(t)
	at := func(words string) string {
		return strings.ReplaceAll(words, "OTHER", "127.0.0.1("+other.Named("").Port()+")")
	}
	s := start(t,
		prosperotest.Forward("AFTP/type", at("INTERNET-D OTHER 'ASCII\rDELETE-LINK x' AFTP/text.txt 0")),
		prosperotest.Forward("AFTP/nul", at("INTERNET-D OTHER 'ASCII\x00x' AFTP/text.txt 0")),
		prosperotest.Forward("AFTP/name", at("INTERNET-D OTHER ASCII 'AFTP/text.txt\rDELETE-LINK x' 0")),
		prosperotest.Forward("AFTP/version", at("INTERNET-D OTHER ASCII AFTP/text.txt '0\rDELETE-LINK x'")),
		prosperotest.Link([]string{"dir"}, at("LINK  U DIRECTORY + INTERNET-D OTHER ASCII AFTP 0"), "UNRESOLVED 'x\rDELETE-LINK x'"))
	c := newClient(t)
	for _, name := range []string{"type", "nul", "name", "version"} {
		if _, _, err := get(t, c, s.Named("AFTP/"+name)); client.CodeOf(err) != scheme.CodeRefused {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, _ = list(t, c, s.Named("AFTP/dir")) // it shows what cannot be read
	for _, l := range other.Lines() {
		if strings.ContainsAny(l, "\r\x00") {
			t.Errorf("the other server got %q", l)
		}
	}
}

// Warnings without end need no memory, and a response without the content is no empty object.
//
// Covers: P6
func TestHostileContent(t *testing.T) {
	t.Parallel()
	method := "ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE PROSPERO-CONTENTS '' '' '' ''\n"
	s := start(t, prosperotest.Object("AFTP/warns", strings.Repeat("WARNING x\n", 5000)+method+"ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA abc\n"),
		prosperotest.Object("AFTP/nothing", method),
		prosperotest.Object("AFTP/torn", "ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE PROSPERO-CONTENTS INTERNET-D HOST ASCII AFTP/rest\n"),
		prosperotest.Object("AFTP/unclosed", "ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE PROSPERO-CONTENTS INTERNET-D HOST ASCII AFTP/quote\n"),
		prosperotest.Object("AFTP/quote", "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA 'abc\ndef\n"),
		prosperotest.Object("AFTP/long", "ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE PROSPERO-CONTENTS INTERNET-D HOST ASCII AFTP/endless\n"),
		prosperotest.Object("AFTP/endless", strings.Repeat("ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA "+strings.Repeat("x", 1000)+"\n", 3000)),
		prosperotest.Object("AFTP/rest", "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA abc"))
	c := newClient(t)
	got, res, err := get(t, c, s.Named("AFTP/warns"))
	if err != nil || got != "abc" || len(res.Notes) == 0 || len(res.Notes) > 100 {
		t.Errorf("%q, %d notes, %v", got, len(res.Notes), err)
	}
	if got, _, err := get(t, c, s.Named("AFTP/torn")); client.CodeOf(err) != scheme.CodeBroken || got != "abc" {
		t.Errorf("a response that ends within a line: %q, %v", got, err)
	}
	if got, _, err := get(t, c, s.Named("AFTP/unclosed")); client.CodeOf(err) != scheme.CodeBroken || got != "abc\ndef\n" {
		t.Errorf("a quote that is never closed: %q, %v", got, err)
	}
	limited := newClient(t, func(o *client.Options) { o.Limits.Body = 1 << 20 })
	if got, _, err := get(t, limited, s.Named("AFTP/long")); client.CodeOf(err) != scheme.CodeBroken || len(got) == 0 || len(got) > 1<<20 {
		t.Errorf("an object beyond the limit: %d bytes, %v", len(got), err)
	}
	if got, _, err := get(t, c, s.Named("AFTP/nothing")); client.CodeOf(err) != scheme.CodeBroken {
		t.Errorf("no content: %q, %v", got, err)
	}
}

// A response from another address or port is not taken, even if it has the id of the request.
//
// Covers: A13, P6
func TestOtherAddresses(t *testing.T) {
	t.Parallel()
	server, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	var others []*net.UDPConn
	for _, ip := range []net.IP{net.IPv4(127, 0, 0, 1), net.IPv4(127, 0, 0, 2)} {
		c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: ip})
		if err != nil {
			t.Log(err) // a system with one address of its own
			continue
		}
		defer c.Close()
		others = append(others, c)
	}
	go func() {
		b := make([]byte, 2048)
		for {
			_, from, err := server.ReadFromUDPAddrPort(b)
			if err != nil {
				return
			}
			reply := func(name string) []byte {
				return append([]byte{3, b[1], b[2]}, "LINK  L FILE "+name+" INTERNET-D h ASCII x 0\n"...)
			}
			for _, c := range others {
				for range 3 {
					c.WriteToUDPAddrPort(reply("forged"), from)
				}
			}
			server.WriteToUDPAddrPort(reply("true"), from)
		}
	}()
	got, err := list(t, newClient(t), locator.MustParse("prospero://"+server.LocalAddr().String()+"/x"))
	if want := []string{"object true prospero://h/x"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

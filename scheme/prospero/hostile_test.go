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
	"locator/tree"
)

// A server cannot put commands into the request to another one, by any part of a place that it
// names.
//
// Covers: S16, P6, T107
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

// Warnings without end need no memory, and a response without the content is not an empty object.
//
// Covers: P6, T105, T108, PR15, PR16
func TestHostileContent(t *testing.T) {
	t.Parallel()
	method := "ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE PROSPERO-CONTENTS '' '' '' ''\n"
	sized := "ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE '4 bytes'\nATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE PROSPERO-CONTENTS INTERNET-D HOST ASCII AFTP/three\n"
	s := start(t, prosperotest.Object("AFTP/warns", strings.Repeat("WARNING x\n", 5000)+method+"ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA abc\n"),
		prosperotest.Object("AFTP/nothing", method),
		prosperotest.Object("AFTP/short", sized), prosperotest.Object("AFTP/three", "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA abc\n"),
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
	if got, _, err := get(t, c, s.Named("AFTP/short")); client.CodeOf(err) != scheme.CodeBroken || got != "abc" {
		t.Errorf("less content than announced: %q, %v", got, err)
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
// Covers: A13, P6, PR10
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

// The attributes of a link, and of an object, need bounded memory: a token of three bytes on the
// wire takes ten times as much.
//
// Covers: P6, T105
func TestManyAttributes(t *testing.T) {
	t.Parallel()
	empty := "ATTRIBUTE O F a" + strings.Repeat(" ''", 1300)
	method := "ATTRIBUTE LINK FIELD ACCESS-METHOD AFTP '' '' '' '' BINARY"
	for name, line := range map[string]string{"empty tokens": empty, "access methods": method} {
		lines := append([]string{"LINK  L EXTERNAL x INTERNET-D ftp.example.org ASCII '/x' 0"}, slices.Repeat([]string{line}, 5000/(1+len(line)/80))...)
		s := start(t, prosperotest.Link([]string{"dir"}, lines...), prosperotest.Object("AFTP/object", strings.Repeat(empty+"\n", 50)))
		c := newClient(t)
		if got, err := list(t, c, s.Named("AFTP/dir")); client.CodeOf(err) != scheme.CodeBroken || len(got) != 0 {
			t.Errorf("%s of a link: %d entries, %v", name, len(got), err)
		}
		if _, err := c.Attributes(t.Context(), scheme.Request{URL: s.Named("AFTP/object")}, nil); client.CodeOf(err) != scheme.CodeBroken {
			t.Errorf("%s of an object: %v", name, err)
		}
	}
	many := slices.Concat([]string{"LINK  L FILE a INTERNET-D HOST ASCII a 0"}, slices.Repeat([]string{method}, 500), []string{"LINK  L FILE b INTERNET-D HOST ASCII b 0"}, slices.Repeat([]string{method}, 500))
	s := start(t, prosperotest.Link([]string{"dir"}, slices.Repeat(many, 10)...))
	if got, err := list(t, newClient(t), s.Named("AFTP/dir")); err != nil || len(got) != 20 {
		t.Errorf("500 attributes for each link: %d entries, %v", len(got), err)
	}
}

// A line of an unknown kind is a warning, wherever it stands: it ends neither a link, nor the
// search for what the name means.
//
// Covers: A13, T105, PR19
func TestUnknownLines(t *testing.T) {
	t.Parallel()
	method := "ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE PROSPERO-CONTENTS '' '' '' ''\n"
	s := start(t,
		prosperotest.Link([]string{"dir"}, "FROB a b", "LINK  L EXTERNAL x INTERNET-D ftp.example.org ASCII '/x' 0", "FROB c", "ATTRIBUTE LINK FIELD ACCESS-METHOD AFTP '' '' '' '' BINARY", "FROB d"),
		prosperotest.Link([]string{"odd"}, "FROB only"),
		prosperotest.Object("AFTP/text.txt", "FROB e\n"+method+"FROB f\n"),
		prosperotest.Packets(func(p [][]byte) [][]byte { // the answer to LIST of a file
			p[0] = []byte(strings.Replace(string(p[0]), "FAILURE NOT-A-DIRECTORY", "FROB g\nFAILURE NOT-A-DIRECTORY", 1))
			return p
		}))
	c := newClient(t)
	got, err := list(t, c, s.Named("AFTP/dir"))
	if want := []string{"object x ftp://ftp.example.org/x;type=i"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	for v := range tree.Walk(t.Context(), c, scheme.Request{URL: s.Named("AFTP/dir")}, tree.WalkOptions{}) {
		if v.Err != nil {
			t.Errorf("the listing is not complete: %v", v.Err)
		}
	}
	res, err := c.Access(t.Context(), scheme.Request{URL: s.Named("AFTP/dir")}, nil)
	if err != nil || len(res.Notes) == 0 || !strings.Contains(res.Notes[0], "FROB a b") {
		t.Errorf("notes %q, %v", res.Notes, err)
	}
	res.Close()
	res, err = c.Access(t.Context(), scheme.Request{URL: s.Named("AFTP/text.txt")}, nil)
	if err != nil || res.Kind != scheme.KindObject {
		t.Fatalf("a file is %+v, %v", res, err)
	}
	res.Close()
	if got, err := list(t, c, s.Named("AFTP/odd")); client.CodeOf(err) != scheme.CodeProtocol {
		t.Errorf("a response of unknown lines: %q, %v", got, err)
	}
}

// A name that an earlier directory of a union has is listed once; two links of one directory with
// the same name both are.
//
// Covers: A13, PR20
func TestUnionRepeats(t *testing.T) {
	t.Parallel()
	s := start(t, prosperotest.Link([]string{"first"},
		"LINK  L FILE same INTERNET-D HOST ASCII 1 0", "LINK  U DIRECTORY + INTERNET-D HOST ASCII AFTP/second 0", "LINK  L FILE twice INTERNET-D HOST ASCII 2 0", "LINK  L FILE twice INTERNET-D HOST ASCII 3 0"),
		prosperotest.Link([]string{"second"}, "LINK  L FILE same INTERNET-D HOST ASCII 4 0", "LINK  I FILE new INTERNET-D HOST ASCII 5 0", "LINK  U DIRECTORY + INTERNET-D HOST ASCII AFTP/third 0", "LINK  L FILE other INTERNET-D HOST ASCII 6 0"),
		prosperotest.Link([]string{"third"}, "LINK  L FILE other INTERNET-D HOST ASCII 7 0", "LINK  L FILE new INTERNET-D HOST ASCII 8 0"))
	got, err := list(t, newClient(t), s.Named("AFTP/first"))
	var names []string
	for _, e := range got {
		fields := strings.Fields(e)
		names = append(names, fields[1]+fields[2][strings.LastIndexByte(fields[2], '/'):])
	}
	if want := []string{"same/1", "twice/2", "twice/3", "other/6", "new/8"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("listed %q, want %q, %v", names, want, err)
	}
}

package prospero_test

import (
	"strings"
	"testing"

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
		prosperotest.Object("AFTP/rest", "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA abc"))
	c := newClient(t)
	got, res, err := get(t, c, s.Named("AFTP/warns"))
	if err != nil || got != "abc" || len(res.Notes) == 0 || len(res.Notes) > 100 {
		t.Errorf("%q, %d notes, %v", got, len(res.Notes), err)
	}
	if got, _, err := get(t, c, s.Named("AFTP/torn")); client.CodeOf(err) != scheme.CodeBroken || got != "abc" {
		t.Errorf("a response that ends within a line: %q, %v", got, err)
	}
	if got, _, err := get(t, c, s.Named("AFTP/nothing")); client.CodeOf(err) != scheme.CodeBroken {
		t.Errorf("no content: %q, %v", got, err)
	}
}

package gopher

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"locator/scheme"
)

// An item that is listed as a text and whose selector says that it is binary loses an end mark
// unless it has a NUL.
//
// Covers: A7
func TestUnmarked(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a line of PostScript\r\n", 5000)
	for _, tt := range []struct{ sent, want string }{
		{"%!PS\n.\r\n", "%!PS\n"},
		{"%!PS\r\n.\r\n", "%!PS\r\n"},
		{".\r\n", ""},
		{"", ""},
		{"a", "a"},
		{"%!PS\r\n", "%!PS\r\n"},
		{"%!PS.\r\n", "%!PS.\r\n"},       // the dot is not alone
		{"%!PS\n.\n", "%!PS\n.\n"},       // UMN's mark has a CR
		{"a\n.\r\nb\n", "a\n.\r\nb\n"},   // not at the end
		{"a\n.\r\n.\r\n", "a\n.\r\n"},    // one mark
		{"a\n..\r\n.\r\n", "a\n..\r\n"},  // no dots are doubled
		{"\x00a\n.\r\n", "\x00a\n.\r\n"}, // binary
		{long + "\n.\r\n", long + "\n"},  // in several pieces
		{long + "\x00\n.\r\n", long + "\x00\n.\r\n"},
	} {
		for name, in := range map[string]io.Reader{"whole": strings.NewReader(tt.sent), "bytes": iotest.OneByteReader(strings.NewReader(tt.sent)),
			"EOF with data": iotest.DataErrReader(strings.NewReader(tt.sent))} {
			got, err := io.ReadAll(&unmarked{in: in})
			if string(got) != tt.want || err != nil {
				t.Errorf("%.40q, %s: %.40q, %v, want %.40q", tt.sent, name, got, err, tt.want)
			}
		}
		for typ, want := range map[string]string{"gopher://h/09/doc.ps": tt.want, "gopher://h/05/doc.zip": tt.want, "gopher://h/99/doc.ps": tt.sent} {
			res, err := say(tt.sent).access(t, request1(t, typ))
			if err != nil {
				t.Errorf("%s: %v", typ, err)
				continue
			}
			got, err := io.ReadAll(res.Body)
			if string(got) != want || err != nil {
				t.Errorf("%.40q as %s: %.40q, %v, want %.40q", tt.sent, typ, got, err, want)
			}
			res.Close()
		}
	}
	broken := errors.New("broken")
	got, err := io.ReadAll(&unmarked{in: io.MultiReader(strings.NewReader("a\n.\r\n"), iotest.ErrReader(broken))})
	if string(got) != "a\n.\r\n" || err != broken {
		t.Errorf("an error after the mark: %q, %v", got, err)
	}
	res, err := say("%!PS\n.\r\n").access(t, request1(t, "gopher://h/09/doc.ps"), scheme.AccessOptions{Raw: scheme.RawAll})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := io.ReadAll(res.Body); string(got) != "%!PS\n.\r\n" {
		t.Errorf("raw: %q", got)
	}
}

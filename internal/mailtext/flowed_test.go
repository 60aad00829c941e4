package mailtext_test

import (
	"strings"
	"testing"

	"locator/internal/mailtext"
)

// A paragraph of format=flowed becomes a line (RFC 3676), with its quotation marks, and without the
// blanks that only belong to the form.
//
// Covers: A9
func TestFlowed(t *testing.T) {
	t.Parallel()
	const flowed, delSp = "Content-Type: text/plain; charset=utf-8; format=flowed", "Content-Type: text/plain; format=Flowed; delsp=YES"
	long := strings.Repeat("é", 50_000)
	for _, c := range []struct{ name, header, body, want string }{
		{"a paragraph", flowed, "one \ntwo \nthree\nfour\n", "one two three\nfour\n"},
		{"DelSp", delSp, "日 \n本 \n語 x\nfour\n", "日本語 x\nfour\n"},
		{"an empty line ends it", flowed, "one \n\ntwo\n", "one\n\ntwo\n"},
		{"space-stuffing", flowed, " From me\n  two\n > no quotation \n  end\n>\n", "From me\n two\n> no quotation  end\n>\n"},
		{"quotation marks", flowed, "> one \n> two\n>> three \n>>four\n>five \n>> six \nseven\n", "> one two\n>> three four\n> five\n>> six\nseven\n"},
		{"a signature", flowed, "one \n-- \nAnn \nhome\n", "one\n-- \nAnn home\n"},
		{"a quoted signature", flowed, "> one \n> -- \n> Ann\n", "> one\n> -- \n> Ann\n"},
		{"no end", flowed, "one \ntwo ", "one two \n"},
		{"it ends in a flowed line", flowed, "one \n", "one\n"},
		{"a blank alone", flowed, "one\n \ntwo\n", "one\n\ntwo\n"},
		{"a long line", flowed, long + " \n" + long + "\n", long + " " + long + "\n"},
		{"a file", flowed, "one \n" + uu + "two \n", "one\n[file hello.gif, application/octet-stream, 3 bytes]\ntwo\n"},
		{"quoted-printable", flowed + "\nContent-Transfer-Encoding: quoted-printable", "one =\nmore=20\ntwo\n", "one more two\n"},
		{"not flowed", "Content-Type: text/plain", "one \ntwo\n>  x\n", "one \ntwo\n>  x\n"},
		{"fixed", "Content-Type: text/plain; format=fixed", "one \ntwo\n", "one \ntwo\n"},
		{"HTML", "Content-Type: text/html; format=flowed", "one \ntwo\n", "one \ntwo\n"},
	} {
		for _, message := range []string{c.header + "\n\n" + c.body, crlf(c.header + "\n\n" + c.body),
			"Content-Type: multipart/mixed; boundary=b\n\n--b\n" + c.header + "\n\n" + c.body + "\n--b--\n"} {
			if text, _, err := decode(message, mailtext.Options{Flow: true}); err != nil || text != "\n"+c.want {
				t.Errorf("%s: %.100q, %v, want %.100q", c.name, text, err, "\n"+c.want)
			}
		}
	}
	if text, _, err := decode(flowed+"\n\none \ntwo\n", mailtext.Options{}); err != nil || text != "\none \ntwo\n" {
		t.Errorf("not asked for: %q, %v", text, err)
	}
}

package mailtext_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"locator/internal/mailtext"
)

// Messages as programs write them, and as nobody should: what can be read is read, and what is lost
// is said.
//
// Covers: A9, P6, T92
func TestParts(t *testing.T) {
	t.Parallel()
	const mixed = "Content-Type: multipart/mixed; boundary=b\n\n"
	long := strings.Repeat("x", 100_000)
	for _, c := range []struct {
		name, message, text string
		parts               string // as fmt prints the map
		damaged             bool
	}{
		{"a long line before the first part", mixed + long + "\n--b\n\none\n--b--\n", "\none\n", "", false},
		{"a long line after the last part", mixed + "--b\n\none\n--b--\n" + long + "\n--b\n\ntwo\n", "\none\n", "", false},
		{"a form feed", mixed + "--b\nContent-Transfer-Encoding: quoted-printable\n\none\n\f\ntw=6F\x7f\n--b--\n", "\none\n\f\ntwo\x7f\n", "", false},
		{"a header line without a name", mixed + "--b\nContent-Type: text/plain\nnonsense\n\none\n--b\n\ntwo\n--b--\n", "\none\ntwo\n", "", false},
		{"a long header line", mixed + "--b\nX: " + long + "\nContent-Type: image/gif\n\nGIF\n--b--\n", "\n[the header of a part is damaged: a line is longer than 65536 bytes]\n[file part-2, image/gif, 3 bytes]\n", "map[part-2 image/gif:GIF]", true},
		{"a long header", mixed + "--b\nContent-Type: image/gif\n" + strings.Repeat("X: y\n", 100_000) + "\nGIF\n--b--\n", "\n[the header of a part is damaged: it is longer than 262144 bytes]\n[file part-2, image/gif, 3 bytes]\n", "map[part-2 image/gif:GIF]", true},
		{"LF alone", mixed + "--b\x00\nContent-Type: text/plain\x00\n\x00\none\x00\n--b\n\ntwo\n--b--\x00\n", "\none\ntwo\n", "", false},
		{"a boundary that begins like another", "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=bb\n\n--bb\n\none\n--bb--\n--b\n\ntwo\n--b--\n", "\none\ntwo\n", "", false},
		{"lines that begin like a boundary", mixed + "--b\n\n--bx\n--b-\n--b--x\n --b\n-b\n--\n--b--\n", "\n--bx\n--b-\n--b--x\n --b\n-b\n--\n", "", false},
		{"white space after a boundary", mixed + "--b \t\n\none\n--b" + strings.Repeat(" ", 100_000) + "\n\ntwo\n--b-- \n--b\n\nthree\n", "\none\ntwo\n", "", false},
		{"a long line that begins like a boundary", mixed + "--b\n\none\n--b" + long + "\ntwo\n--b--\n", "\none\n--b" + long + "\ntwo\n", "", false},
		{"a part within that does not end", mixed + "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\none\n--b\n\ntwo\n--b--\n", "\none\n[the text is damaged: unexpected EOF]\ntwo\n", "", true},
		{"empty parts", mixed + "--b\n--b\n\n--b\nContent-Type: image/gif\n--b\nContent-Type: image/gif\n\n--b--", "\n[file part-4, image/gif, 0 bytes]\n[file part-5, image/gif, 0 bytes]\n", "map[part-4 image/gif: part-5 image/gif:]", false},
		{"no last line end", mixed + "--b\n\none\n--b--", "\none\n", "", false},
		{"line ends that stay", mixed + "--b\nContent-Type: image/gif\n\n\n\nGIF\n\n\n--b--\n", "\n[file part-2, image/gif, 11 bytes]\n", "map[part-2 image/gif:\r\n\r\nGIF\r\n\r\n]", false},
		{"no boundary at all", mixed + "one\n", "\n[a part is damaged: a boundary is missing]\none\n", "", true},
		{"another boundary", mixed + "--c\n\none\n--c--\n", "\n[a part is damaged: a boundary is missing]\n--c\n\none\n--c--\n", "", true},
		{"only the last boundary", mixed + "one\n--b--\n", "\n[a part is damaged: a boundary is missing]\n", "", true},
		{"no boundary is named", "Content-Type: multipart/mixed\n\n--b\n\none\n", "\n[a part is damaged: a boundary is missing]\n--b\n\none\n", "", true},
		{"an alternative within", mixed + "--b\nContent-Type: multipart/alternative; boundary=c\n\n--c\n\none\n--c\nContent-Type: text/html\n\n<b>\n--c--\n--b\nContent-Type: image/gif; name=a.gif\n\nGIF\n--b--\n", "\none\n[file a.gif, image/gif, 3 bytes]\n", "map[a.gif image/gif:GIF]", false},
		{"a message in base64", "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nU3ViamVjdDogaW5uZXIKCmJvZHkK\n", "\n---- message ----\nSubject: inner\n\nbody\n", "", false},
		{"a message with parts within", "Content-Type: message/rfc822\n\nSubject: inner\n" + mixed + "--b\n\none\n--b--\n", "\n---- message ----\nSubject: inner\n\none\n", "", false},
		{"encoded parts", "Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: quoted-printable\n\n--b\n\na=3D\n--b--\n", "\na=3D\n", "", false},
		{"an unknown encoding", "Content-Type: text/plain\nContent-Transfer-Encoding: x-own\n\none\n", "\none\n", "", false},
		{"an unknown character set", "Content-Type: text/plain; charset=x-own\n\ncaf\xe9\n", "\ncafé\n", "", false},
		{"base64 with other lines", "Content-Type: image/gif\nContent-Transfer-Encoding: base64\n\n R0l\n\n-- !\nGOA\n==\n", "\n[file part-1, image/gif, 4 bytes]\n", "map[part-1 image/gif:GIF8]", false},
		{"base64 that ends early", "Content-Type: image/gif\nContent-Transfer-Encoding: base64\n\nR0lGR0\n", "\n[file part-1, image/gif, after 3 bytes, is damaged: unexpected EOF]\n", "map[part-1 (damaged) image/gif:GIF]", true},
		{"a soft line end at the end", "Content-Transfer-Encoding: quoted-printable\n\none =\n", "\none \n", "", false},
		{"not quite quoted-printable", "Content-Transfer-Encoding: quoted-printable\n\n1 = 1, =zz, =3d  \nend=", "\n1 = 1, =zz, =\nend\n", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text, parts, err := decode(strings.ReplaceAll(crlf(c.message), "\x00\r\n", "\n"), mailtext.Options{})
			if text != c.text || c.damaged != errors.Is(err, mailtext.ErrForm) || !c.damaged && err != nil {
				t.Errorf("%.300q, %v; want %.300q", text, err, c.text)
			}
			if c.parts == "" {
				c.parts = "map[]"
			}
			if fmt.Sprint(parts) != c.parts {
				t.Errorf("parts %q, want %q", parts, c.parts)
			}
		})
	}
}

// Names of attachments, with what RFC 2045 forbids and programs write.
//
// Covers: A9
func TestParameters(t *testing.T) {
	t.Parallel()
	for field, want := range map[string]string{
		`image/gif; name=a.gif`:                                                     "a.gif image/gif",
		`IMAGE/GIF;NAME="a b;c.gif" ; x`:                                            "a b;c.gif image/gif",
		`image/gif; name=my file.gif`:                                               "my file.gif image/gif",
		`image/gif; name="a \"b\" c.gif"`:                                           `a "b" c.gif image/gif`,
		`image/gif; name="C:\dir\a.gif"`:                                            `C:\dir\a.gif image/gif`,
		`image/gif; name=a.gif (a comment)`:                                         "a.gif image/gif",
		`image/gif (a comment); name=a.gif`:                                         "a.gif image/gif",
		`image/gif; name=a.gif; name=b.gif`:                                         "a.gif image/gif",
		`image/gif; =; ;name="open`:                                                 "open image/gif",
		"image/gif; name=\"caf\xe9.gif\"":                                           "café.gif image/gif",
		`image/gif; name*=utf-8''%e2%82%ac.gif; name=x.gif`:                         "€.gif image/gif",
		`image/gif; name*=iso-8859-1'en'caf%E9.gif`:                                 "café.gif image/gif",
		`image/gif; name*0*=iso-2022-jp''%1B%24B; name*1*=%25F%1B(B; name*2=".gif"`: "テ.gif image/gif",
		`image/gif; name*0=a; name*1=b; name*3=d`:                                   "ab image/gif",
		`image/gif; name*=x-own''a%2`:                                               "a%2 image/gif",
		`image/gif; name==?iso-8859-1?q?caf=E9?=`:                                   "café image/gif",
		`image`: "",
	} {
		_, parts, err := decode("Content-Type: "+field+"\r\n\r\nGIF", mailtext.Options{})
		got := ""
		for name := range parts {
			got = name
		}
		if err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", field, got, err, want)
		}
	}
	for _, boundary := range []string{"----=_b.1", `"=_b (1)"`, "b; charset=x y", "b (it is)"} {
		b, _, _ := strings.Cut(strings.Trim(boundary, `"`), ";")
		b = strings.TrimSuffix(b, " (it is)")
		text, _, err := decode(crlf("Content-Type: multipart/mixed; boundary="+boundary+"\n\n--"+b+"\n\none\n--"+b+"--\n"), mailtext.Options{})
		if text != "\none\n" || err != nil {
			t.Errorf("%s: %q, %v", boundary, text, err)
		}
	}
}

package format_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"locator/find/format"
)

// crlf makes the line ends those of mail.
func crlf(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }

// Covers: F5
func TestMailHeader(t *testing.T) {
	source := "From: a@host\nSubject: =?utf-8?Q?see_http=3A//host/a=5Fb?=\n =?iso-8859-1?q?c=E9_x?= http://host/d\nMessage-ID: <news:x@host>\n" +
		"List-Unsubscribe: <mailto:leave@host>,\n\t<http://host/leave>\nX: =?utf-8?B?aHR0cDovL2hvc3QvYjY0?=\nY: =?x? =?broken?q http://host/y\n\nhttp://host/body\n"
	check(t, "mail", crlf(source), `bare http://host/a_bc "http=3A//host/a=5Fb?=\r\n =?iso-8859-1?q?c"`, `bare http://host/d "http://host/d"`,
		`angled mailto:leave@host "<mailto:leave@host>"`, `angled http://host/leave "<http://host/leave>"`,
		`bare http://host/b64 "aHR0cDovL2hvc3QvYjY0" around`, `bare http://host/y "http://host/y"`, `bare http://host/body "http://host/body"`)
}

// Covers: F5
func TestMailQuotedPrintable(t *testing.T) {
	head := "Content-Transfer-Encoding: quoted-printable\nContent-Type: text/plain; charset="
	check(t, "mail", crlf(head+"utf-8\n\n<URL:http://host/a=3Db=\nc=  \nd> =?= =zz =3d =\n"), `wrapped http://host/a=bcd "<URL:http://host/a=3Db=\r\nc=  \r\nd>"`)
	check(t, "mail", head+"utf-8\n\nhttp://host/a=3\n=", `bare http://host/a=3 "http://host/a=3"`)
	check(t, "mail", head+"koi8-r\n\n=C1 http://host/a=C1 =C1\n", `bare http://host/a "http://host/a"`)
	check(t, "mail", head+"utf-8; format=flowed; delsp=yes\n\nx=20 \nhttp://host/a=20\nb \nc\n", `bare http://host/abc "http://host/a=20\nb \nc"`)
}

// Covers: F5
func TestMailBase64(t *testing.T) {
	text := base64.StdEncoding.EncodeToString([]byte("see <URL:http://host/abc> and http://host/\xe9"))
	source := "Content-Transfer-Encoding: base64\nContent-Type: text/plain; charset=iso-8859-1\n\n" + text[:20] + "\n" + text[20:] + "\n"
	check(t, "mail", source, `wrapped http://host/abc "IDxVUkw6aHR0cDov\nL2hvc3QvYWJjPiBh" around`, `bare http://host/ "aHR0cDovL2hvc3Qv" around`)
}

// Covers: F5
func TestMailFlowed(t *testing.T) {
	head := "Content-Type: text/plain; format=flowed\n\n"
	check(t, "mail", crlf(head+">> <URL:http://host/a \n>> b> \n> http://host/c\n http://host/d \nhttp://host/e\n-- \nhttp://host/f"),
		`wrapped http://host/ab "<URL:http://host/a \r\n>> b>"`, `bare http://host/c "http://host/c"`, `bare http://host/d "http://host/d"`,
		`bare http://host/e "http://host/e"`, `bare http://host/f "http://host/f"`)
	check(t, "mail", "Content-Type: text/plain; format=flowed; delsp=yes\n\n> http://host/a \n> b\n> c \nhttp://host/d \n",
		`bare http://host/ab "http://host/a \n> b"`, `bare http://host/d "http://host/d"`)
}

// Covers: F5
func TestMailParts(t *testing.T) {
	source := `Subject: parts
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="outer"

preamble http://host/preamble
--outer
Content-Type: multipart/alternative; boundary=inner

--inner

plain http://host/plain
--inner
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable

<a href=3D"http://host/ht=
ml?a&amp;b">http://host/text</a><script type=3D"application/json">"http:\/\/host\/j"</script>
--inner--
--outer
Content-Type: message/rfc822

Subject: http://host/inside

http://host/forwarded
--outer
Content-Type: application/json

{"a":"http:\/\/host\/json"}
--outer
Content-Type: image/png
Content-Transfer-Encoding: base64

aHR0cDovL2hvc3QvaW1hZ2U=
--outer-- ` + `
http://host/epilogue
`
	check(t, "mail", source, `bare http://host/preamble "http://host/preamble"`, `bare http://host/plain "http://host/plain"`,
		`attr http://host/html?a&b "http://host/ht=\nml?a&amp;b"`, `bare http://host/text "http://host/text"`, `bare http://host/j "http:\\/\\/host\\/j"`,
		`bare http://host/inside "http://host/inside"`, `bare http://host/forwarded "http://host/forwarded"`, `bare http://host/json "http:\\/\\/host\\/json"`,
		`bare http://host/epilogue "http://host/epilogue"`)
	check(t, "mail", "Content-Type: multipart/digest; boundary=b\n\n--b\n\nSubject: http://host/s\n\nhttp://host/t\n--b\n\nSubject: =?utf-8?q?http=3A//host/2?=\n\n--b--\n", `bare http://host/s "http://host/s"`,
		`bare http://host/t "http://host/t"`, `bare http://host/2 "http=3A//host/2"`)
	check(t, "mail", "Content-Type: multipart/mixed; boundary=b\n\nno part http://host/a\n", `bare http://host/a "http://host/a"`)
}

// Covers: F5
func TestMbox(t *testing.T) {
	source := "From a@host Sat Jan  1 00:00:00 1994\nSubject: http://host/s\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nFrom here\n>From <URL:http://host/\n>From a>\n\n" +
		"From b@host Sat Jan  1 00:00:00 1994\nSubject: x\n\n--b\nContent-Type: image/png\n\nhttp://host/second\n"
	check(t, "mbox", source, `bare http://host/s "http://host/s"`, `wrapped http://host/Froma "<URL:http://host/\n>From a>"`, `bare http://host/second "http://host/second"`)
	for _, c := range []struct{ head, want string }{
		{source, "mbox"}, {source[strings.Index(source, "\n")+1:], "mail"}, {"Path: a!b\nFrom: a@b\nNewsgroups: x\nSubject: y\n\nbody", "mail"},
		{"From: here\nto there: x\n", "text"}, {"From us to you\n", "text"}, {"Subject: x\nDate: y\n\nz", "mail"},
	} {
		if got := format.Detect("", []byte(c.head)).Name(); got != c.want {
			t.Errorf("Detect(%q) is %s, want %s", c.head, got, c.want)
		}
	}
}

package format_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"locator/find"
	"locator/find/format"
)

// fuzz reads hostile sources of a format: each find has its place in the source, and chunks of any
// size give the same.
func fuzz(f *testing.F, name string, seeds ...string) {
	for _, seed := range seeds {
		f.Add(seed)
		f.Add(strings.Repeat(seed, 3) + seed[:len(seed)/2])
	}
	f.Add(utf16("<URL:http://host/ü>", binary.LittleEndian))
	row := format.Lookup(name)
	o := format.Options{Finder: &find.Finder{Web: true, Mail: true, IRI: true, MaxWrapper: 100}}
	f.Fuzz(func(t *testing.T, source string) {
		var first string
		for i, r := range []*strings.Reader{strings.NewReader(source), strings.NewReader(source)} {
			var b strings.Builder
			for u, err := range row.Read(t.Context(), [...]any{r, iotest.OneByteReader(r)}[i].(interface{ Read([]byte) (int, error) }), o) {
				if err != nil {
					t.Fatal(err)
				}
				if u.Offset < 0 || u.Length < 0 || u.Offset+u.Length > int64(len(source)) || u.Length == 0 && u.URL != "" {
					t.Fatalf("%v stands at %d, %d bytes, of %d", u, u.Offset, u.Length, len(source))
				}
				before := source[:u.Offset]
				if line, column := strings.Count(before, "\n")+1, len(before)-strings.LastIndex(before, "\n"); u.Line != line || u.Column != column {
					t.Fatalf("%v is at %d:%d", u, line, column)
				}
				fmt.Fprintln(&b, u)
			}
			if i == 1 && b.String() != first {
				t.Fatalf("read byte by byte:\n%sat once:\n%s", b.String(), first)
			}
			first = b.String()
		}
	})
}

func FuzzText(f *testing.F) {
	fuzz(f, "text", "see <URL:http://host/a\n b> www.host.example a@host.example")
}

func FuzzMarkdown(f *testing.F) {
	fuzz(f, "markdown", "[a](http://host/ \"t http://host/\") <http://b/> ![c](<ftp://d/e f>)\n[a]: http://x/\n\n> `http://y/` <b c='http://z'>\n- \\* &amp; **http://w**\n",
		"| a | b |\n|---|:--|\n| http://a/ | [b](http://c) |\n\n```\nhttp://x/\n```\n<div>\nhttp://y/\n</div>\n")
}

func FuzzHTML(f *testing.F) {
	fuzz(f, "html", `<!DOCTYPE html><base href="http://a/b/"><a href="../c?d&amp;e#f">g</a><img srcset="http://a/ 1x, h 2x"><meta http-equiv=refresh content="1;url='http://x'">`,
		`<p>http&#58;//a/<b>c</b><br>&lt;URL:<a href=http://d>http://d</a>&gt;<!-- http://e --><script type=json>"http:\/\/f"</script><title>http://g&amp;</title>`, "<meta charset=iso-2022-jp>\x1b$Bhttp://a/<>\x1b(B")
}

func FuzzPaged(f *testing.F) {
	fuzz(f, "paged", "<URL:http://host/a\n\n\nAuthor    [Page 1]\n\fRFC 1738    Title    December 1994\n\n b>\n")
}

func FuzzMail(f *testing.F) {
	fuzz(f, "mail", "Subject: =?utf-8?q?http=3A//a?= =?x?b?aHR0cDovL2E=?=\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<a href=3Dhttp://a/=\nb>c\n--b--\n",
		"Content-Type: text/plain; format=flowed; delsp=yes; charset=shift_jis\nContent-Transfer-Encoding: base64\n\naHR0cDovL2hvc3QvYSAKYiAK\n",
		"Content-Type: text/plain; format=flowed\n\n> http://a \n> b\n-- \n\n")
}

func FuzzMbox(f *testing.F) {
	fuzz(f, "mbox", "From a@host Sat Jan  1 00:00:00 1994\nContent-Type: multipart/digest; boundary=b\n\n--b\n\nSubject: http://a\n\n>From http://b/\n\n")
}

func FuzzJSON(f *testing.F) {
	fuzz(f, "json", `{"a":"http:\/\/a\u002fb","c":["\ud83d\ude00\ud83d http://d",1]}`+"\n// http://e\n\"http://f\n\\")
}

func FuzzRoff(f *testing.F) {
	fuzz(f, "roff", `\fBhttp://h/\-a\(ti\[ti]\fP`, `\`, `\fhttp://a\(`)
}

func FuzzTeX(f *testing.F) {
	fuzz(f, "tex", `{\_}\~{}http://h/\_{\`, `{{\{\~{`)
}

func FuzzCalendar(f *testing.F) {
	fuzz(f, "calendar", "http\\:\n //h\\,\r\n\t\\n\r", "\r\r\n\n \\\n ")
}

func FuzzProperties(f *testing.F) {
	fuzz(f, "properties", "http\\://h\\u0061\\\r\n  b", "\\u00\\")
}

func FuzzPO(f *testing.F) {
	fuzz(f, "po", "msgid \"\"\n\"http://h/a.\"\r\n\"b\\n\\\"\"\n", "\"")
}

func FuzzCSV(f *testing.F) {
	fuzz(f, "csv", "a;b\n\"http://a/\"\"b\";http://c,d\n\"<URL:http://e\nf>\"x\n")
}

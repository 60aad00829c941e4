package mailtext_test

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"

	"locator/internal/mailtext"
)

// decode returns the text of a message, and its attachments by name.
func decode(message string, o mailtext.Options) (text string, parts map[string]string, err error) {
	parts = make(map[string]string)
	o.Part = func(name, media string, body io.Reader) error {
		b, err := io.ReadAll(body)
		if err != nil {
			name += " (damaged)"
		}
		parts[name+" "+media] = string(b)
		return nil
	}
	r := mailtext.NewReader(strings.NewReader(message), o)
	defer r.Close()
	b, err := io.ReadAll(r)
	return string(b), parts, err
}

// crlf returns text with CR LF as line ends.
func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

const uu = "begin 644 hello.gif\n#1TE&\n`\nend\n"

// Covers: A9
func TestDecode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, message, text string
		parts               map[string]string
		damaged             bool
	}{
		{"plain", "Path: x\nSubject: =?iso-8859-1?q?caf=E9?=\nFrom: a@b\n\nHello.\n", "Subject: café\nFrom: a@b\n\nHello.\n", nil, false},
		{"no header", "\nHello.", "\nHello.\n", nil, false},
		{"no body", "Subject: x\n", "Subject: x\n\n", nil, false},
		{"quoted-printable", "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\ncaf=E9 =\nau lait\n", "\ncafé au lait\n", nil, false},
		{"base64", "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\nY2Fmw6kK\n", "\ncafé\n", nil, false},
		{"broken base64", "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\nY2Fm=w6kK\n", "\ncaf\n[the text is damaged: illegal base64 data at input byte 4]\n", nil, true},
		{"Shift_JIS", "Content-Type: text/plain; charset=shift_jis\n\n\x83e\x83X\x83g\n", "\nテスト\n", nil, false},
		{"ISO-2022-JP", "Content-Type: text/plain; charset=iso-2022-jp\n\n\x1b$B%F%9%H\x1b(B.\n", "\nテスト.\n", nil, false},
		{"a long line", "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\nx" + strings.Repeat("é", 100_000) + "\n", "\nx" + strings.Repeat("é", 100_000) + "\n", nil, false},
		{"a long line in Shift_JIS", "Content-Type: text/plain; charset=shift_jis\n\nx" + strings.Repeat("\x83e", 100_000) + "\n", "\nx" + strings.Repeat("テ", 100_000) + "\n", nil, false},
		{"long quoted-printable", "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Transfer-Encoding: quoted-printable\n\n" + strings.Repeat("x", 10_000) + "=41\n--b--\n", "\n" + strings.Repeat("x", 10_000) + "A\n", nil, false},
		{"a line end in an encoded word", "Subject: =?utf-8?q?a=0D=0AFrom:_boss=00?=\n\nHello.\n", "Subject: a  From: boss \n\nHello.\n", nil, false},
		{"a line end in a file name", "Content-Type: image/gif\nContent-Disposition: attachment; filename=\"=?utf-8?q?a=0A[file_b?=\"\n\nGIF", "\n[file a [file b, image/gif, 3 bytes]\n", map[string]string{"a [file b image/gif": "GIF"}, false},
		{"UTF-16", "Content-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: base64\n\n/v8AYQDpAAo=\n", "\naé\n", nil, false},
		{"UTF-16LE without a byte order mark", "Content-Type: text/plain; charset=UTF-16LE\nContent-Transfer-Encoding: base64\n\nYQDpAAoA\n", "\naé\n", nil, false},
		{"UTF-16 by another name", "Content-Type: text/plain; charset=unicode\nContent-Transfer-Encoding: base64\n\nYQDpAAoA\n", "\naé\n", nil, false},
		{"a charset that cannot be decoded", "Content-Type: text/plain; charset=iso-2022-kr\n\nHello.\n", "\nHello.\n", nil, false},
		{"encoded words in UTF-16", "Subject: =?utf-16?b?AGEA6Q==?= =?utf-16?b?/v8AYg==?= =?UTF-16LE?b?YwA=?=\n\n", "Subject: aébc\n\n", nil, false},
		{"no charset, Latin-1", "\ncaf\xe9\n", "\ncafé\n", nil, false},
		{"ASCII that is UTF-8", "Content-Type: text/plain; charset=us-ascii\n\ncafé\n", "\ncafé\n", nil, false},
		{
			"mixed", "Content-Type: multipart/mixed; boundary=\"b\"\n\npreamble\n--b\n\none\n--b\nContent-Type: image/gif; name=\"=?utf-8?q?h=C3=A9.gif?=\"\nContent-Transfer-Encoding: base64\n\nR0lG\n--b\nContent-Disposition: attachment; filename*=utf-8''%e2%82%ac.txt\n\nmoney\n--b--\nepilogue\n",
			"\none\n[file hé.gif, image/gif, 3 bytes]\n[file €.txt, text/plain, 5 bytes]\n", map[string]string{"hé.gif image/gif": "GIF", "€.txt text/plain": "money"}, false,
		},
		{"one byte", "Content-Type: image/gif; name=a.gif\n\nG", "\n[file a.gif, image/gif, 1 byte]\n", map[string]string{"a.gif image/gif": "G"}, false},
		{"alternative", "Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\ntext\n--b\nContent-Type: text/html\n\n<b>text</b>\n--b--\n", "\ntext\n", nil, false},
		{"a message within", "Content-Type: multipart/digest; boundary=b\n\n--b\n\nSubject: inner\n\nbody\n--b--\n", "\n---- message ----\nSubject: inner\n\nbody\n", nil, false},
		{"no last boundary", "Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n", "\none\n[the text is damaged: unexpected EOF]\n", nil, true},
		{"uuencoded", "\nSee:\n" + uu + "Bye.\n", "\nSee:\n[file hello.gif, application/octet-stream, 3 bytes]\nBye.\n", map[string]string{"hello.gif application/octet-stream": "GIF"}, false},
		{"truncated uuencode", "\nbegin 644 a\n#1TE&\n", "\n[file a, application/octet-stream, after 3 bytes, is damaged: unexpected EOF]\n", map[string]string{"a (damaged) application/octet-stream": "GIF"}, true},
		{"begin in prose", "\nbegin 2000 years ago\nWe begin 100 miles away.\nbegin 644 is not\nthe start of a file, since this line is too long\n", "\nbegin 2000 years ago\nWe begin 100 miles away.\nbegin 644 is not\nthe start of a file, since this line is too long\n", nil, false},
		{"yEnc", "\n=ybegin line=128 size=3 name=a.bin\n\x8b\x8c\x8d\n=yend size=3 crc32=352441c2\nBye.\n", "\n[file a.bin, application/octet-stream, 3 bytes]\nBye.\n", map[string]string{"a.bin application/octet-stream": "abc"}, false},
		{"a part by yEnc", "\n=ybegin part=2 total=2 line=128 size=6 name=a.bin\n=ypart begin=4 end=6\n\x8b\x8c\x8d\n=yend size=3 pcrc32=352441c2\n", "\n[file a.bin.002, application/octet-stream, 3 bytes]\n", map[string]string{"a.bin.002 application/octet-stream": "abc"}, false},
		{"wrong CRC", "\n=ybegin line=128 size=3 name=a.bin\n\x8b\x8c\x8d\n=yend size=3 crc32=1\nBye.\n", "\n[file a.bin, application/octet-stream, after 3 bytes, is damaged: yEnc file: damaged, or not in the expected format: its CRC-32 is 352441c2, not 1]\nBye.\n", map[string]string{"a.bin (damaged) application/octet-stream": "abc"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text, parts, err := decode(crlf(c.message), mailtext.Options{})
			if text != c.text || c.damaged != errors.Is(err, mailtext.ErrForm) || !c.damaged && err != nil {
				t.Errorf("%q, %v; want %q", text, err, c.text)
			}
			if fmt.Sprint(parts) != fmt.Sprint(c.parts) {
				t.Errorf("parts %q, want %q", parts, c.parts)
			}
		})
	}
}

// A message cannot nest parts deeply, nor have any number of them.
//
// Covers: P6, T92
func TestBounds(t *testing.T) {
	t.Parallel()
	var deep strings.Builder
	for i := range 200 {
		fmt.Fprintf(&deep, "Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n", i, i)
	}
	text, _, err := decode(deep.String(), mailtext.Options{})
	if !errors.Is(err, mailtext.ErrForm) || !strings.Contains(text, "nested more than 10 deep") {
		t.Errorf("%q, %v", text, err)
	}
	many := "Content-Type: multipart/mixed; boundary=b\r\n\r\n" + strings.Repeat("--b\r\n\r\nx\r\n", 100_000)
	text, _, err = decode(many, mailtext.Options{})
	if !errors.Is(err, mailtext.ErrForm) || strings.Count(text, "x\n") > 1000 || !strings.HasPrefix(text, "\nx\nx\n") {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	text, _, err = decode("Subject: kept\r\nX-Long: "+strings.Repeat("x", 1<<20)+"\r\n\r\nbody\r\n", mailtext.Options{})
	if !errors.Is(err, mailtext.ErrForm) || !strings.Contains(text, "Subject: kept\n") || !strings.HasSuffix(text, "\nbody\n") {
		t.Errorf("%.200q, %v", text, err)
	}
	rfc822 := strings.Repeat("Content-Type: message/rfc822\r\n\r\n", 10_000)
	if text, _, err = decode(rfc822, mailtext.Options{}); !errors.Is(err, mailtext.ErrForm) || len(text) > 10_000 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

// A line of quoted-printable that is longer than the buffer is damage: it does not stop the decoder
// for ever.
//
// Covers: P6, T92
func TestEndlessQuotedPrintable(t *testing.T) {
	t.Parallel()
	long := "Content-Transfer-Encoding: quoted-printable\r\n\r\nSubject: a\r\n" + strings.Repeat("x", 1<<20) + "\r\n"
	for _, kind := range []string{"text/plain", "message/rfc822", "image/gif"} {
		done := make(chan error, 1)
		go func() {
			_, _, err := decode("Content-Type: "+kind+"\r\n"+long, mailtext.Options{})
			done <- err
		}()
		select {
		case err := <-done:
			if !errors.Is(err, mailtext.ErrForm) {
				t.Errorf("%s: %v", kind, err)
			}
		case <-time.After(5 * time.Second):
			t.Fatalf("%s: it goes on", kind)
		}
	}
}

// The headers of nested parts are not all in memory.
//
// Covers: P6
func TestPartHeaders(t *testing.T) {
	var deep strings.Builder
	for i := range 8 {
		fmt.Fprintf(&deep, "Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n", i, i)
		if i < 7 {
			deep.WriteString("X-Long: " + strings.Repeat("x", 5<<20) + "\r\n")
		}
	}
	deep.WriteString("Content-Type: image/gif\r\n\r\nGIF")
	message := deep.String()
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before, used := heap(), int64(-1)
	r := mailtext.NewReader(strings.NewReader(message), mailtext.Options{Part: func(string, string, io.Reader) error {
		used = heap() - before
		return nil
	}})
	defer r.Close()
	if _, err := io.Copy(io.Discard, r); !errors.Is(err, mailtext.ErrForm) || used < 0 || used > 12<<20 {
		t.Errorf("%d bytes in use, %v", used, err)
	}
}

// The error of the connection is returned as it is, after the text before it, and closing early
// ends everything.
//
// Covers: P6
func TestBrokenSource(t *testing.T) {
	t.Parallel()
	odd := errors.New("odd")
	for _, begin := range []string{"Subj", "Subject: x\r\n\r\nhal", "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nhal", "Content-Transfer-Encoding: base64\r\n\r\naGFs", "\r\n=ybegin size=3 name=x\r\nhal", "\r\n" + crlf(uu[:30])} {
		r := mailtext.NewReader(io.MultiReader(strings.NewReader(begin), iotest.ErrReader(odd)), mailtext.Options{})
		b, err := io.ReadAll(r)
		if !errors.Is(err, odd) {
			t.Errorf("%q: %q, %v", begin, b, err)
		}
		r.Close()
	}
	r := mailtext.NewReader(strings.NewReader("Subject: x\r\n\r\n"+strings.Repeat("line\r\n", 1000)), mailtext.Options{})
	if _, err := io.ReadFull(r, make([]byte, 20)); err != nil {
		t.Error(err)
	}
	r.Close()
	if _, err := r.Read(make([]byte, 1)); err == nil {
		t.Error("a closed reader reads")
	}
	full := errors.New("full")
	r = mailtext.NewReader(strings.NewReader(crlf("\n"+uu)), mailtext.Options{Part: func(string, string, io.Reader) error { return full }})
	if _, err := io.ReadAll(r); !errors.Is(err, full) {
		t.Error(err)
	}
	r.Close()
}

// A failure of the source is an error wherever it comes, also behind the last boundary.
//
// Covers: A9
func TestSourceFails(t *testing.T) {
	t.Parallel()
	const message = "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ntext\r\n--b--\r\n"
	gone := errors.New("gone")
	texts := []string{strings.Replace(message, "text", strings.Repeat("text\r\n", 20_000), 1)} // more than is read ahead
	for at := 0; at <= len(message); at++ {
		texts = append(texts, message[:at])
	}
	for _, text := range texts {
		r := mailtext.NewReader(io.MultiReader(strings.NewReader(text), iotest.ErrReader(gone)), mailtext.Options{})
		if _, err := io.ReadAll(r); !errors.Is(err, gone) {
			t.Errorf("after %d bytes: %v", len(text), err)
		}
		r.Close()
	}
}

// Close ends the coroutine of a reader that was not read to its end.
func TestCloseEarly(t *testing.T) {
	const n = 200
	before := runtime.NumGoroutine()
	for range n {
		r := mailtext.NewReader(strings.NewReader("Subject: x\r\n\r\n"+strings.Repeat("line\r\n", 100)), mailtext.Options{})
		if _, err := io.ReadFull(r, make([]byte, 20)); err != nil {
			t.Fatal(err)
		}
		r.Close()
	}
	if now := runtime.NumGoroutine(); now > before+n/2 {
		t.Errorf("%d goroutines, %d before", now, before)
	}
}

// FuzzDecode checks that a message always ends, as valid text that is not much longer than the
// message.
//
// Covers: P6
func FuzzDecode(f *testing.F) {
	f.Add("Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Transfer-Encoding: base64\r\n\r\naGFsbG8=\r\n--b--\r\n", 7)
	f.Add("Subject: =?utf-8?q?=C3=A9?=\r\n\r\n"+crlf(uu), 1)
	f.Add("\r\n=ybegin part=1 size=3 name=a\r\n=ypart begin=1 end=3\r\nabc\r\n=yend size=3\r\n", 100)
	f.Add("Content-Type: message/rfc822\r\n\r\nContent-Type: text/plain; charset=iso-2022-jp\r\n\r\n\x1b$B%F\r\n", 3)
	f.Add("Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\n> one \r\n> two\r\n-- \r\nx \r\n", 3)
	f.Fuzz(func(t *testing.T, message string, size int) {
		r := mailtext.NewReader(strings.NewReader(message), mailtext.Options{Flow: true})
		defer r.Close()
		var text strings.Builder
		_, err := io.CopyBuffer(struct{ io.Writer }{&text}, struct{ io.Reader }{r}, make([]byte, max(1, min(size, 4096))))
		if text.Len() > 4096+len(message)*40 || !utf8.ValidString(text.String()) {
			t.Fatalf("%q: %d bytes, %q", message, text.Len(), text.String())
		}
		if err != nil && !errors.Is(err, mailtext.ErrForm) {
			t.Fatalf("%q: %v", message, err)
		}
	})
}

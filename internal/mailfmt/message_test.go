package mailfmt_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"locator/client"
	"locator/internal/hint"
	"locator/internal/mailfmt"
	"locator/internal/mailtext"
	"locator/scheme"
	"locator/scheme/message"
)

// noon is the date of messages in tests.
func noon() time.Time { return time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC) }

func group(name string) *message.Draft {
	return &message.Draft{News: true, Header: []message.Field{{Name: "Newsgroups", Value: name}}}
}

func complete(t *testing.T, text string, o mailfmt.Options) (*mailfmt.Message, string) {
	t.Helper()
	o.Now = noon()
	m, err := mailfmt.Complete(strings.NewReader(text), o)
	if err != nil {
		t.Fatal(err)
	}
	return m, written(t, m)
}

func written(t testing.TB, m *mailfmt.Message) string {
	t.Helper()
	var b bytes.Buffer
	if n, err := m.WriteTo(&b); err != nil || n != int64(b.Len()) {
		t.Fatal(n, err)
	}
	return b.String()
}

// The name of an author in another character set is converted, since the message says UTF-8.
func TestAuthorCharset(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"=?ISO-8859-1?Q?J=F6rg?=":       "=?utf-8?q?J=C3=B6rg?=",
		"=?windows-1252?B?SvZyZw==?=":   "=?utf-8?q?J=C3=B6rg?=",
		"=?koi8-r?B?8PLJ18XU?=":         "=?utf-8?b?0J/QoNC40LLQtdGC?=",
		"=?UTF-8?Q?J=C3=B6rg?=":         "=?utf-8?q?J=C3=B6rg?=",
		"=?x-unknown?Q?J=F6rg?=":        "=?utf-8?q?J=EF=BF=BDrg?=",
		"=?windows-1252?Q?plain_name?=": "plain name",
	} {
		_, text := complete(t, "Subject: x\n\ntext\n", mailfmt.Options{Draft: group("local.test"), Fields: []mailfmt.Field{{"From", name + " <a@example.org>", "--from"}}})
		if want := "From: " + want + " <a@example.org>\r\n"; !strings.Contains(text, want) {
			t.Errorf("%s: %q, want %q", name, text, want)
		}
		whole := "From: " + name + " <a@example.org>\nSubject: x\n\ntext\n"
		if _, text := complete(t, whole, mailfmt.Options{Draft: group("local.test")}); !strings.Contains(text, "From: "+name+" <a@example.org>\r\n") {
			t.Errorf("%s in the message itself: %q", name, text)
		}
	}
}

// Covers: A8, A9
func TestComplete(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		o          mailfmt.Options
		want       string // without Message-ID
	}{
		{
			"an article", "Subject: Hello\n\nfirst\n.dot\n\nlast\n\n", mailfmt.Options{Draft: group("local.test"), Mail: "alice@example.org"},
			"Subject: Hello\r\nNewsgroups: local.test\r\nFrom: alice@example.org\r\nDate: Sun, 22 Nov 2026 12:00:00 +0000\r\n\r\nfirst\r\n.dot\r\n\r\nlast\r\n\r\n",
		},
		{
			"without header lines", "Hello: this is text\nno end", mailfmt.Options{
				Draft:  &message.Draft{To: []string{"bob@example.com"}},
				Fields: []mailfmt.Field{{"Subject", "Grüße", "--subject"}, {"From", "Älice <alice@example.org>", "--from"}},
			},
			"Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nFrom: =?utf-8?q?=C3=84lice?= <alice@example.org>\r\nTo: bob@example.com\r\nDate: Sun, 22 Nov 2026 12:00:00 +0000\r\n\r\nHello: this is text\r\nno end\r\n",
		},
		{
			"8bit in an article", "Subject:x\r\nNewsgroups: a.b,\r\n c.d\r\nFrom: a@b.example\r\nDate: Sun, 22 Nov 2026 12:00:00 +0000\r\n\r\nä\r\n", mailfmt.Options{Draft: &message.Draft{News: true}},
			"Subject: x\r\nNewsgroups: a.b,\r\n c.d\r\nFrom: a@b.example\r\nDate: Sun, 22 Nov 2026 12:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\nä\r\n",
		},
		{
			"quoted-printable in mail", "\nä =\n", mailfmt.Options{Draft: &message.Draft{To: []string{"b@c.example"}}, Mail: "a@b.example"},
			"To: b@c.example\r\nFrom: a@b.example\r\nDate: Sun, 22 Nov 2026 12:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=C3=A4 =3D\r\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m, got := complete(t, tt.text, tt.o)
			line := "Message-ID: <" + m.ID + ">\r\n"
			if !strings.Contains(got, line) {
				t.Errorf("no %q in %q", line, got)
			}
			if got = strings.Replace(got, line, "", 1); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// A complete message passes byte for byte, and completing twice is completing once.
//
// Covers: A8, A9
func TestUnchanged(t *testing.T) {
	t.Parallel()
	const text = "From: A <a@b.example>\r\nSUBJECT:  x  y\r\n\tz\r\nMessage-ID: <1@b.example>\r\nNewsgroups:  a.b\r\nDate: Sun, 22 Nov 2026 12:00:00 +0100 (CET)\r\nX-Odd:  \t v\r\n\r\n..\r\n \r\nx\r\n\r\n"
	if _, got := complete(t, text, mailfmt.Options{Draft: group("a.b"), Mail: "other@example.org"}); got != text {
		t.Errorf("%q became %q", text, got)
	}
	file := mailfmt.Attachment{Name: "naïve \"x\".bin", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(strings.Repeat("\x00\xff\r\n", 5000))), nil
	}}
	for _, news := range []bool{false, true} {
		d := &message.Draft{News: news, To: []string{"b@c.example"}}
		if news {
			d = group("a.b")
		}
		m, once := complete(t, "From: Äpfel und Birnen aus dem Garten am See <a@b.example>\nSubject: "+strings.Repeat("日本語 ", 40)+"\n\n"+strings.Repeat("long ä ", 400)+"\n.\n", mailfmt.Options{Draft: d, Attach: []mailfmt.Attachment{file}})
		for i, line := range strings.Split(once, "\r\n") {
			if len(line) > 998 || strings.ContainsAny(line, "\r\n\x00") {
				t.Errorf("line %d: %.80q", i+1, line)
			}
		}
		if _, twice := complete(t, once, mailfmt.Options{Draft: d}); twice != once {
			t.Errorf("news %v: a second Complete changes the message", news)
		}
		if m.Subject != strings.TrimSpace(strings.Repeat("日本語 ", 40)) {
			t.Errorf("subject %q", m.Subject)
		}
		var name string
		var body []byte
		decoded := mailtext.NewReader(strings.NewReader(once), mailtext.Options{Part: func(n, _ string, r io.Reader) (err error) {
			name = n
			body, err = io.ReadAll(r)
			return err
		}})
		defer decoded.Close()
		shown, err := io.ReadAll(decoded)
		if err != nil || name != file.Name || string(body) != strings.Repeat("\x00\xff\r\n", 5000) {
			t.Errorf("attachment %q, %d bytes, %v", name, len(body), err)
		}
		if !strings.Contains(string(shown), strings.Repeat("long ä ", 400)+"\n.\n") || !strings.Contains(string(shown), "Subject: "+m.Subject+"\n") || !strings.Contains(string(shown), "From: Äpfel und Birnen aus dem Garten am See <a@b.example>\n") {
			t.Errorf("shown as %.600q", shown)
		}
	}
}

// Reader reads what WriteTo writes, from any position.
func TestReader(t *testing.T) {
	t.Parallel()
	m, want := complete(t, "\n"+strings.Repeat("text\n", 50_000), mailfmt.Options{Mail: "a@b.example"})
	r := m.Reader()
	defer r.Close()
	for _, at := range []int64{0, 100_000, 7, int64(len(want))} {
		if _, err := r.Seek(at, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != want[at:] {
			t.Errorf("from %d: %d bytes, %v", at, len(got), err)
		}
	}
	if n, err := m.Size(); n != int64(len(want)) || err != nil {
		t.Errorf("size %d, %v", n, err)
	}
}

// Header injection is refused, whatever it comes from, and so is what the rules forbid.
//
// Covers: P2, A8, A9, T121
func TestRefused(t *testing.T) {
	t.Parallel()
	file := func(name string) []mailfmt.Attachment {
		return []mailfmt.Attachment{{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("x")), nil }}}
	}
	const ok = "From: a@b.example\nSubject: s\nNewsgroups: a.b\n"
	for _, tt := range []struct {
		name, text string
		o          mailfmt.Options
		code       scheme.Code
		want       string
	}{
		{"flag", "\nx", mailfmt.Options{Mail: "a@b.example", Fields: []mailfmt.Field{{"Subject", "x\r\nBcc: all@example.org", "--subject"}}}, scheme.CodeUsage, "--subject: a line end"},
		{"NUL in a field", "\nx", mailfmt.Options{Mail: "a@b.example", Fields: []mailfmt.Field{{"Subject", "x\x00y", "--subject"}}}, scheme.CodeUsage, `control character \x00`},
		{"ESC in a field", "\nx", mailfmt.Options{Mail: "a@b.example", Fields: []mailfmt.Field{{"Subject", "x\x1b[2J", "--subject"}}}, scheme.CodeUsage, `control character \x1b`},
		{"the last control character in a field", "\nx", mailfmt.Options{Mail: "a@b.example", Fields: []mailfmt.Field{{"Subject", "x\x1f", "--subject"}}}, scheme.CodeUsage, `control character \x1f`},
		{"DEL in a field", "\nx", mailfmt.Options{Mail: "a@b.example", Fields: []mailfmt.Field{{"Subject", "x\x7f", "--subject"}}}, scheme.CodeUsage, `control character \x7f`},
		{"BEL in a header line", "Subject: x\ay\n\nx", mailfmt.Options{Mail: "a@b.example"}, scheme.CodeUsage, `control character \x07`},
		{"VT in the URL", "\nx", mailfmt.Options{Mail: "a@b.example", Draft: &message.Draft{Header: []message.Field{{Name: "subject", Value: "x\vy"}}}}, scheme.CodeRefused, `control character \x0b`},
		{"CR at the end of the text", "\na\r", mailfmt.Options{Mail: "a@b.example"}, scheme.CodeUsage, "line 1 of the text has a CR that does not end the line; a message is lines of text [Attachment]"},
		{"CR at the end of a piece", "\n" + strings.Repeat("x", 64<<10-1) + "\ry\n", mailfmt.Options{Mail: "a@b.example"}, scheme.CodeUsage, "line 1 of the text has a CR that does not end the line; a message is lines of text [Attachment]"},
		{"CR at the end of a piece and of the text", "\n" + strings.Repeat("x", 64<<10-1) + "\r", mailfmt.Options{Mail: "a@b.example"}, scheme.CodeUsage, "line 1 of the text has a CR that does not end the line; a message is lines of text [Attachment]"},
		{"flag name", "\nx", mailfmt.Options{Mail: "a@b.example", Fields: []mailfmt.Field{{"A: b\nC", "x", "--field"}}}, scheme.CodeUsage, "--field"},
		{"URL field", "\nx", mailfmt.Options{Mail: "a@b.example", Draft: &message.Draft{Header: []message.Field{{Name: "subject", Value: "x\nBcc: y"}}}}, scheme.CodeRefused, "the URL: field subject"},
		{"URL address", "\nx", mailfmt.Options{Mail: "a@b.example", Draft: &message.Draft{To: []string{"a@b\r\nBcc: c@d"}}}, scheme.CodeRefused, "the URL: field To"},
		{"URL body", "", mailfmt.Options{Mail: "a@b.example", Draft: &message.Draft{Body: "x\rBcc: y"}}, scheme.CodeRefused, "line 1 of the URL"},
		{"config", "\nx", mailfmt.Options{Mail: "a@b.example\nBcc: x@y.example"}, scheme.CodeLocal, "the configured mail address"},
		{"attachment", "\nx", mailfmt.Options{Mail: "a@b.example", Attach: file("a\r\nBcc: x")}, scheme.CodeUsage, "attachment"},
		{"no author", "\nx", mailfmt.Options{}, scheme.CodeLocal, "[From]"},
		{"NUL", "\na\nb\x00", mailfmt.Options{Mail: "a@b.example"}, scheme.CodeUsage, "line 2 of the text has a NUL byte; a message is lines of text [Attachment]"},
		{"bare CR", "\na\rb", mailfmt.Options{Mail: "a@b.example"}, scheme.CodeUsage, "line 1 of the text has a CR that does not end the line; a message is lines of text [Attachment]"},
		{"Latin-1", "\na\n\xe4\n", mailfmt.Options{Mail: "a@b.example"}, scheme.CodeUsage, "line 2 of the text is not UTF-8"},
		{"mbox", "From a@b.example Mon Jan  2 15:04:05 2006\nSubject: x\n\ntext", mailfmt.Options{Mail: "a@b.example"}, scheme.CodeUsage, "mbox"},
		{"not a field", "Subject: x\nhello\n", mailfmt.Options{Mail: "a@b.example"}, scheme.CodeUsage, "line 2 of the message is not a header field"},
		{"twice", "Subject: x\nsubject: y\n\nx", mailfmt.Options{Mail: "a@b.example"}, scheme.CodeUsage, "occurs twice"},
		{"not an address", "From: alice\n\nx", mailfmt.Options{}, scheme.CodeUsage, "line 1 of the message: field From: not a mail address"},
		{"no subject", "\nx", mailfmt.Options{Mail: "a@b.example", Draft: group("a.b")}, scheme.CodeUsage, "Subject [Subject]"},
		{"no group", "Subject: x\n\nx", mailfmt.Options{Mail: "a@b.example", Draft: &message.Draft{News: true}}, scheme.CodeUsage, "Newsgroups"},
		{"other group", ok + "\nx", mailfmt.Options{Draft: group("c.d")}, scheme.CodeUsage, "c.d"},
		{"group name", "From: a@b.example\nSubject: s\nNewsgroups: a..b\n\nx", mailfmt.Options{Draft: &message.Draft{News: true}}, scheme.CodeUsage, "name of a newsgroup"},
		{"no text", ok, mailfmt.Options{Draft: group("a.b")}, scheme.CodeUsage, "no text"},
		{"empty field", ok + "Organization: \n\nx", mailfmt.Options{Draft: group("a.b")}, scheme.CodeUsage, "no value"},
		{"Xref", ok + "Xref: a.b:1\n\nx", mailfmt.Options{Draft: group("a.b")}, scheme.CodeUsage, "the server sets"},
		{"Bcc in news", ok + "Bcc: x@y.example\n\nx", mailfmt.Options{Draft: group("a.b")}, scheme.CodeUsage, "public"},
		{"message-id", ok + "Message-ID: <a>b@c>\n\nx", mailfmt.Options{Draft: group("a.b")}, scheme.CodeUsage, "message-id"},
		{"long message-id", ok + "Message-ID: <" + strings.Repeat("a", 250) + "@b>\n\nx", mailfmt.Options{Draft: group("a.b")}, scheme.CodeUsage, "message-id"},
		{"left out", "To: x@y.example\n\nx", mailfmt.Options{Mail: "a@b.example", Draft: &message.Draft{To: []string{"z@y.example"}}}, scheme.CodeUsage, "z@y.example"},
		{"long header", "Subject: x\nX-A: " + strings.Repeat("a", 300<<10), mailfmt.Options{Mail: "a@b.example"}, scheme.CodeUsage, "256 KiB"},
		{"own type", "Content-Type: text/html\n\nx", mailfmt.Options{Mail: "a@b.example", Attach: file("a")}, scheme.CodeUsage, "Content-Type"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.o.Now = noon()
			m, err := mailfmt.Complete(strings.NewReader(tt.text), tt.o)
			if err == nil {
				t.Fatalf("got %q", written(t, m))
			}
			if code := client.CodeOf(err); code != tt.code || !strings.Contains(err.Error()+" ["+hint.Of(err)+"]", tt.want) {
				t.Errorf("%v: %v; want %v with %q", code, err, tt.code, tt.want)
			}
		})
	}
}

// Bcc names recipients, and is not sent.
//
// Covers: A8
func TestBcc(t *testing.T) {
	t.Parallel()
	const text = "To: b@c.example, Group: d@e.example;\nBcc: f@g.example\n\nx\n"
	m, got := complete(t, text, mailfmt.Options{Mail: "a@b.example"})
	if strings.Contains(got, "f@g.example") || strings.Join(m.Recipients, " ") != "b@c.example d@e.example f@g.example" {
		t.Errorf("recipients %q, message %q", m.Recipients, got)
	}
	_, kept := complete(t, text, mailfmt.Options{Mail: "a@b.example", KeepBcc: true})
	if !strings.Contains(kept, "Bcc: f@g.example\r\n") {
		t.Errorf("stored as %q", kept)
	}
	m2, again := complete(t, kept, mailfmt.Options{})
	if strings.Contains(again, "f@g.example") || strings.Join(m2.Recipients, " ") != "b@c.example d@e.example f@g.example" {
		t.Errorf("recipients %q, message %q", m2.Recipients, again)
	}
}

// Attachments have the type of their names or contents, and one that base64 may encode.
//
// Covers: A8, A9
func TestAttachmentTypes(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"a.png": "image/png", "a.txt": "text/plain; charset=utf-8", "README": "text/plain; charset=utf-8", "a.eml": "application/octet-stream", "a.csv": "text/csv; charset=utf-8",
	} {
		o := mailfmt.Options{Mail: "a@b.example", Attach: []mailfmt.Attachment{{Name: name, Open: func() (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("tëxt\n")), nil
		}}}}
		if _, got := complete(t, "", o); !strings.Contains(got, "\r\nContent-Type: "+want+"\r\n") {
			t.Errorf("%s: no type %s in %q", name, want, got)
		}
	}
}

// What is as long as a limit is sent, and what is a byte longer is not.
//
// Covers: P6, A8, A9
func TestLimits(t *testing.T) {
	t.Parallel()
	const own = "From: a@b.example\nContent-Type: text/plain\n"
	from := mailfmt.Options{Mail: "a@b.example"}
	attach := func(n int) mailfmt.Options {
		return mailfmt.Options{Mail: "a@b.example", Attach: []mailfmt.Attachment{{Name: strings.Repeat("a", n), Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("x")), nil }}}}
	}
	for _, tt := range []struct {
		name  string
		most  int
		text  func(n int) string
		o     func(n int) mailfmt.Options
		wrong string
	}{
		{"a line that is not encoded", 998, func(n int) string { return own + "\n" + strings.Repeat("x", n) + "\n" }, nil, "longer than 998 bytes"},
		{"the name of a field", 76, func(n int) string { return "Subject: x\n" + strings.Repeat("X", n) + ": x\n\nx\n" }, nil, "is not the name of a header field"},
		{"a word on a line of its own", 998 - len(" "), func(n int) string { return "Subject: x\nX-Y: a " + strings.Repeat("x", n) + "\n\nx\n" }, nil, "longer than a line may be"},
		{"the first word", 998 - len("X-Y: "), func(n int) string { return "Subject: x\nX-Y: " + strings.Repeat("x", n) + "\n\nx\n" }, nil, "longer than a line may be"},
		{"the name of an attachment", 255, nil, attach, "1 to 255 bytes"},
		{"a message-id in news", 250, func(n int) string {
			return "Subject: x\nNewsgroups: a.b\nMessage-ID: <" + strings.Repeat("a", n-len("<@b>")) + "@b>\n\nx\n"
		}, func(int) mailfmt.Options {
			return mailfmt.Options{Mail: "a@b.example", Draft: &message.Draft{News: true}}
		}, "not a message-id"},
		{"a message-id in mail", 998 - len("Message-ID: "), func(n int) string { return "Message-ID: <" + strings.Repeat("a", n-len("<@b>")) + "@b>\n\nx\n" }, nil, "not a message-id"},
		{"the header", 256<<10 - 1, func(n int) string {
			const first = "Subject: x\n"
			return first + strings.Repeat("X: "+strings.Repeat("x", 60)+"\n", (n-len(first))/64-1) + "X: " + strings.Repeat("x", 64+(n-len(first))%64-5) + "\n\n" + "text\n"
		}, nil, "256 KiB"},
	} {
		for _, n := range []int{tt.most, tt.most + 1} {
			o, text := from, "\nx\n"
			if tt.o != nil {
				o = tt.o(n)
			}
			if tt.text != nil {
				text = tt.text(n)
			}
			m, err := mailfmt.Complete(strings.NewReader(text), o)
			switch {
			case n > tt.most && (client.CodeOf(err) != scheme.CodeUsage || !strings.Contains(err.Error(), tt.wrong)):
				t.Errorf("%s of %d bytes: %v", tt.name, n, err)
			case n == tt.most && err != nil:
				t.Errorf("%s of %d bytes: %v", tt.name, n, err)
			case n == tt.most:
				written(t, m)
			}
		}
	}
	for n, transfer := range map[int]string{998: "", 999: "quoted-printable"} {
		if _, text := complete(t, "\n"+strings.Repeat("x", n)+"\n", from); strings.Contains(text, "quoted-printable") != (transfer != "") {
			t.Errorf("a line of %d bytes: %.400q", n, text)
		}
	}
}

// A field that is made here is folded where its line would be longer than 76 bytes, and not before.
//
// Covers: A8, A9
func TestFold(t *testing.T) {
	t.Parallel()
	for _, subject := range []string{strings.Repeat("words ", 40) + "end", strings.Repeat("x ", 150) + "end", strings.Repeat("xy ", 100) + "end", strings.Repeat("日本語", 40), strings.Repeat("é", 200), strings.Repeat("plain é ", 30) + "end"} {
		_, text := complete(t, "\nx\n", mailfmt.Options{Mail: "a@b.example", Fields: []mailfmt.Field{{"Subject", subject, "--subject"}}})
		_, field, _ := strings.Cut(text, "Subject:")
		lines := strings.Split("Subject:"+field, "\r\n")
		for i, line := range lines[:len(lines)-1] {
			next := ""
			if folded := lines[i+1]; strings.HasPrefix(folded, " ") {
				next, _, _ = strings.Cut(folded[1:], " ")
			}
			if len(line) > 76 {
				t.Errorf("a line of %d bytes: %q", len(line), line)
			}
			if next == "" {
				break
			}
			if len(line)+1+len(next) <= 76 {
				t.Errorf("%q is folded before %q", line, next)
			}
		}
	}
}

// Each pass over a message closes the attachments that it opens: also one that fails, and that of a
// reader that is closed early.
//
// Covers: P6
func TestAttachmentsAreClosed(t *testing.T) {
	open, opened := 0, 0
	file := mailfmt.Attachment{Name: "a", Open: func() (io.ReadCloser, error) {
		open++
		opened++
		return closer{strings.NewReader(strings.Repeat("x", 1<<20)), &open}, nil
	}}
	o := mailfmt.Options{Mail: "a@b.example", Attach: []mailfmt.Attachment{file, file}}
	m, whole := complete(t, "\ntext\n", o)
	check := func(what string, want int) {
		t.Helper()
		if open != 0 || opened != want {
			t.Errorf("%s: %d of %d attachments are open, want %d", what, open, opened, want)
		}
		open, opened = 0, 0
	}
	check("a pass", 2)
	full := errors.New("full")
	if _, err := m.WriteTo(failing{full}); !errors.Is(err, full) {
		t.Error(err)
	}
	before := runtime.NumGoroutine()
	open, opened = 0, 0
	const n = 50
	for range n {
		r := m.Reader()
		if _, err := io.ReadFull(r, make([]byte, len(whole)/4)); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Seek(0, io.SeekStart); err != nil { // a new pass
			t.Fatal(err)
		}
		if _, err := io.ReadFull(r, make([]byte, len(whole)/4)); err != nil {
			t.Fatal(err)
		}
		r.Close()
	}
	check("readers that are closed early", 2*n)
	if now := runtime.NumGoroutine(); now > before+n/2 {
		t.Errorf("%d goroutines, %d before", now, before)
	}
	for name, r := range map[string]io.Reader{"fails at once": failing{full}, "fails later": io.MultiReader(strings.NewReader("x"), failing{full})} {
		bad := mailfmt.Attachment{Name: "a", Open: func() (io.ReadCloser, error) {
			open++
			opened++
			return closer{r, &open}, nil
		}}
		m, err := mailfmt.Complete(strings.NewReader("\ntext\n"), mailfmt.Options{Mail: "a@b.example", Attach: []mailfmt.Attachment{bad}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.WriteTo(io.Discard); !errors.Is(err, full) {
			t.Errorf("%s: %v", name, err)
		}
		check(name, 1)
	}
}

// closer counts how many files are open.
type closer struct {
	io.Reader
	open *int
}

// Close implements io.Closer.
func (c closer) Close() error { *c.open--; return nil }

// failing is a reader and writer that fails.
type failing struct{ err error }

// Read implements io.Reader.
func (f failing) Read([]byte) (int, error) { return 0, f.err }

// Write implements io.Writer.
func (f failing) Write([]byte) (int, error) { return 0, f.err }

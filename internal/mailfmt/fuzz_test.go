package mailfmt_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"locator/internal/mailfmt"
	"locator/internal/mailtext"
	"locator/scheme/message"
)

// FuzzComplete checks that a message has no line that is too long and no byte that ends a line
// alone, that its fields are those that were given, that a second Complete changes nothing, and
// that package mailtext reads the same text and attachment.
//
// Covers: P2, A8, A9, T121, T122
func FuzzComplete(f *testing.F) {
	f.Add("Subject: x\r\n\r\ntext\n", "subject", "author", "name.bin", "content", true)
	f.Add("hello\n.\n", "Grüße =?utf-8?q?x?=", "Ä \"B\" <b@c.example>", "naïve.txt", "\x00\xff", false)
	f.Add("Content-Type: text/html; charset=utf-8\nX-A: "+strings.Repeat("word ", 400)+"\n\nä\n", strings.Repeat("日本", 300), "a@[127.0.0.1]", "a\"b\\c", "", false)
	f.Add("Newsgroups: a.b\n x\n\n"+strings.Repeat("long", 300), "a\r\nBcc: b", "x\ny <a@b.example>", "..\n", "x", true)
	f.Add("x", "y", "=?utf-8?q?a=0D=0ABcc=3A_b=40c.example?= <a@b.example>", "", "", false)
	f.Fuzz(func(t *testing.T, text, subject, author, name, content string, news bool) {
		o := mailfmt.Options{Draft: group("a.b"), Mail: "a@b.example", Now: noon(), Fields: []mailfmt.Field{{Name: "Subject", Value: subject, Where: "--subject"}}}
		if !news {
			o.Draft = &message.Draft{To: []string{"c@d.example"}}
		}
		if author != "" {
			o.Fields = append(o.Fields, mailfmt.Field{Name: "From", Value: author, Where: "--from"})
		}
		if name != "" {
			o.Attach = []mailfmt.Attachment{{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }}}
		}
		m, err := mailfmt.Complete(strings.NewReader(text), o)
		if err != nil {
			return
		}
		once := written(t, m)
		header, _, _ := strings.Cut(once, "\r\n\r\n")
		for line := range strings.SplitSeq(once, "\r\n") {
			if len(line) > 998 || strings.ContainsAny(line, "\r\n\x00") {
				t.Fatalf("line %.100q of %d bytes in %.1000q", line, len(line), once)
			}
		}
		for field, value := range mailtext.Fields(header) {
			if strings.EqualFold(field, "Bcc") || strings.EqualFold(field, "Subject") && mailtext.Header(value, "") != strings.Trim(strings.ReplaceAll(subject, "\t", " "), " ") {
				t.Fatalf("%s: %q, of the subject %q", field, value, subject)
			}
		}
		again, err := mailfmt.Complete(strings.NewReader(once), mailfmt.Options{Draft: o.Draft, Now: noon().AddDate(1, 0, 0)})
		if err != nil {
			t.Fatalf("%v: %.1000q", err, once)
		}
		if twice := written(t, again); twice != once {
			t.Fatalf("%.1000q became %.1000q", once, twice)
		}
		if name == "" {
			return
		}
		var got []byte
		var gotName string
		decoded := mailtext.NewReader(strings.NewReader(once), mailtext.Options{Part: func(n, _ string, r io.Reader) (err error) {
			gotName = n
			got, err = io.ReadAll(r)
			return err
		}})
		defer decoded.Close()
		shown, err := io.ReadAll(decoded)
		if err != nil || !bytes.Equal(got, []byte(content)) || gotName != name {
			if !strings.Contains(text, "begin") && !strings.Contains(text, "=y") { // a file in the text
				t.Fatalf("%v: attachment %q of %q is %q of %q in %.500q", err, gotName, name, got, content, shown)
			}
		}
	})
}

package mailtext_test

import (
	"strings"
	"testing"

	"locator/internal/mailtext"
)

// Old articles do not name their character set. The hierarchy tells it, and the escape sequences of
// ISO-2022-JP tell it themselves. What is UTF-8, or named, stays as it is.
//
// Covers: A9
func TestCharsetsOfGroups(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ groups, charset, text, want string }{
		{"relcom.comp", "", "\xf0\xd2\xc9\xd7\xc5\xd4", "Привет"},
		{"fido7.su.talk, comp.lang.c", "", "\xf0\xd2\xc9\xd7\xc5\xd4", "Привет"},
		{"relcom.comp", "", "Привет", "Привет"},
		{"relcom.comp", "; charset=windows-1251", "\xcf\xf0\xe8\xe2\xe5\xf2", "Привет"},
		{"relcom.comp", "; charset=us-ascii", "\xf0\xd2\xc9\xd7\xc5\xd4", "Привет"},
		{"comp.lang.c", "", "caf\xe9", "café"},
		{"relcomx.comp", "", "caf\xe9", "café"},
		{"pl.comp", "", "\xb1", "ą"},
		{"tw.bbs", "", "\xa4\xa4\xa4\xe5", "中文"},
		{"cn.bbs", "", "\xd6\xd0\xce\xc4", "中文"},
		{"han.comp", "", "\xc7\xd1\xb1\xdb", "한글"},
		{"fj.test", "", "\x1b$B%F%9%H\x1b(B.", "テスト."},
		{"comp.lang.c", "; charset=us-ascii", "x \x1b$@%F%9%H\x1b(J", "x テスト"},
		{"comp.lang.c", "", "\x1b[2J", "\x1b[2J"},
	} {
		text, _, err := decode("Newsgroups: "+c.groups+"\r\nSubject: "+c.text+"\r\nContent-Type: text/plain"+c.charset+"\r\n\r\n"+c.text+"\r\n", mailtext.Options{})
		subject, body, _ := strings.Cut(text, "\n")
		if !strings.HasSuffix(body, "\n\n"+c.want+"\n") || err != nil {
			t.Errorf("%s%s: %q, %v; want %q", c.groups, c.charset, body, err, c.want)
		}
		if c.charset == "" && subject != "Subject: "+c.want {
			t.Errorf("%s: %q, want %q", c.groups, subject, c.want)
		}
	}
}

// The charset of the options is for texts that name none, or one that is not known or is not true.
//
// Covers: A9
func TestCharsetOfOptions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ charset, text, want string }{
		{"", "caf\xe9", "café"},
		{"; charset=us-ascii", "caf\xe9", "café"},
		{"; charset=x-none", "caf\xe9", "café"},
		{"; charset=utf-8", "caf\xe9", "café"},
		{"; charset=utf-8", "café", "café"},
		{"; charset=koi8-r", "\xf0", "П"},
	} {
		text, _, err := decode("Content-Type: text/plain"+c.charset+"\r\n\r\n"+c.text+"\r\n", mailtext.Options{Charset: "iso-8859-1"})
		if text != "\n"+c.want+"\n" || err != nil {
			t.Errorf("%q%s: %q, %v; want %q", c.text, c.charset, text, err, c.want)
		}
	}
}

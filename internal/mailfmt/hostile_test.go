package mailfmt_test

import (
	"strings"
	"testing"

	"locator/client"
	"locator/internal/mailfmt"
	"locator/scheme"
	"locator/scheme/message"
)

// A name of an address is decoded before its field is encoded anew. A control character in it
// begins no other field, and no text.
//
// Covers: P2, A8, T122
func TestEncodedLineEnd(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"=?utf-8?q?a=0D=0ABcc=3A_c=40d.example?=", "=?utf-8?b?YQ0KDQp0ZXh0?=", "=?utf-8?q?=0A?= b", "=?utf-8?q?=00?=", `"=?utf-8?q?=1B?=" =?utf-8?q?=7F?=`} {
		from := name + " <a@b.example>"
		for _, o := range []mailfmt.Options{
			{Fields: []mailfmt.Field{{"From", from, "--from"}}},
			{Mail: from},
			{Mail: "a@b.example", Draft: &message.Draft{Header: []message.Field{{Name: "Cc", Value: from}}}},
			{Mail: "a@b.example", Draft: &message.Draft{News: true, Header: []message.Field{{Name: "Newsgroups", Value: "a.b"}, {Name: "Subject", Value: "x"}, {Name: "Reply-To", Value: from}}}},
		} {
			m, err := mailfmt.Complete(strings.NewReader("To: b@c.example\n\ntext\n"), o)
			if err == nil {
				t.Errorf("%s: sent as %q", name, written(t, m))
			} else if !strings.Contains(err.Error(), "control character") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// Each address of a message gets it, as it was written: beside an empty group, with quotation marks
// in its local part, as an IPv6 literal. One that is written twice gets it once.
//
// Covers: A8, T123
func TestEachRecipient(t *testing.T) {
	t.Parallel()
	for to, want := range map[string]string{
		"a@b.example, undisclosed:;": "a@b.example", "undisclosed:;, a@b.example": "a@b.example", "undisclosed: ;": "", "x:;,y:;": "",
		`"\"x\""@b.example`: `"\"x\""@b.example`, `"a@b"@c.example`: `"a@b"@c.example`,
		"a@[IPv6:2001:db8::1], b@[192.0.2.1]": "a@[IPv6:2001:db8::1] b@[192.0.2.1]", "N <a@[IPv6:::1]>": "a@[IPv6:::1]",
		"a@B.example, a@b.example, A@b.example": "a@B.example A@b.example",
	} {
		m, _ := complete(t, "From: f@g.example\nTo: "+to+"\nCc: z@g.example\n\nx\n", mailfmt.Options{})
		if got := strings.TrimSpace(strings.TrimSuffix(strings.Join(m.Recipients, " "), "z@g.example")); got != want {
			t.Errorf("%s: %s, want %s", to, got, want)
		}
	}
	o := mailfmt.Options{Mail: "a@b.example", Draft: &message.Draft{To: []string{`"\"x\""@b.example`}}}
	if _, err := mailfmt.Complete(strings.NewReader("To: x@b.example\n\nx\n"), o); client.CodeOf(err) != scheme.CodeUsage {
		t.Errorf("the address of the URL is left out: %v", err)
	}
}

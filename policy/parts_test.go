package policy_test

import (
	"errors"
	"strings"
	"testing"

	"locator"
	"locator/policy"
	"locator/scheme"
	"locator/wire"
)

// Encoded delimiters in each part of each scheme. In the template * is replaced by the byte.
//
// Covers: P2, T12, T142
func TestParts(t *testing.T) {
	t.Parallel()
	const lineEnds, andTab, andBlank = "\r\n\x00", "\r\n\x00\t", "\r\n\x00\t "
	p := policy.New(policy.Options{})
	for _, c := range []struct{ template, what, refused string }{
		{"ftp://a*b@h/", "user", lineEnds},
		{"ftp://u:a*b@h/", "password", lineEnds},
		{"ftp://h/*/x", "directory", lineEnds},
		{"ftp://h/a/b*/c", "directory", lineEnds},
		{"ftp://h/a*", "name", lineEnds},
		{"ftp://h/a/*;type=a", "name", lineEnds},
		{"gopher://h/*x", "type", andTab},
		{"gopher://h/1a*b", "selector", "\r\n\x00"}, // a TAB starts the next part
		{"gopher://h/7a%09b*", "search", "\r\n\x00"},
		{"gopher://h/7a%09b%09+c*", "Gopher+ string", andTab},
		{"gopher://h/7a%09b%09*", "Gopher+ string", andTab},
		{"gophers://h/1a*b", "selector", "\r\n\x00"},
		{"ftps://h/a*b/c", "directory", lineEnds},
		{"mailto:a*b@h", "address", lineEnds},
		{"news:a*b@h", "message-id", andBlank},
		{"telnet://a*b@h/", "user", lineEnds},
		{"telnet://u:a*b@h/", "password", lineEnds},
		{"file:///a*b/c", "file name", "\x00"},
		{"file:///a/*", "file name", "\x00"},
		{"prospero://h/a*b", "name", "\r\x00"},
		{"prospero://h/a;f*f=v", "field name", "\r\x00"},
		{"prospero://h/a;f=v*v", "field value", "\r\x00"},
		{"http://h/a*b?c*d", "", ""},
		{"https://h/a*b?c*d", "", ""},
		{"wais://h/d*b?w*", "", ""},
		{"wais://h/db/t*/p*", "", ""},
		{"x-other:a*b", "", ""},
		{"sftp://u*:p*@h/a*b", "", ""},
	} {
		for n := range 256 {
			octet := string([]byte{byte(n)})
			text := strings.ReplaceAll(c.template, "*", "%"+strings.ToUpper(string("0123456789abcdef"[n>>4])+string("0123456789abcdef"[n&15])))
			err := p.URL(current(t, text), direct)
			if !strings.Contains(c.refused, octet) {
				judge(t, text, err, scheme.CodeOK)
				continue
			}
			judge(t, text, err, scheme.CodeRefused, "the "+c.what+" contains the byte")
			var unsafe *wire.UnsafeError
			if !strings.HasPrefix(text, "file") && (!errors.As(err, &unsafe) || unsafe.Octet != byte(n)) {
				t.Errorf("%s: the cause is %v", text, err)
			}
		}
	}
}

// The parts of ftps and gophers URLs are checked whatever syntax parsed them.
//
// Covers: P2
func TestPartsOfExtraSchemes(t *testing.T) {
	t.Parallel()
	p := policy.New(policy.Options{})
	for text, code := range map[string]scheme.Code{
		"ftps://h/a/b": scheme.CodeOK, "ftps://h/a%0Db/c": scheme.CodeRefused,
		"gophers://h/1a": scheme.CodeOK, "gophers://h/1a%0Ab": scheme.CodeRefused,
	} {
		u, err := locator.RFC1738.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		judge(t, text, p.URL(u, direct), code)
	}
}

// Covers: P3
func TestPartsShowNoText(t *testing.T) {
	t.Parallel()
	p := policy.New(policy.Options{Addresses: policy.PublicOnly})
	for _, text := range []string{
		"ftp://u:hunter2%0D@h/", "telnet://u:hunter2%00@h/", "ftp://u:hunter2@h:25/", "ftp://u:hunter2@300.1.1.1/", "x-y://u:hunter2@h:25/",
		"gopher://h/0ask%09%09+%091%0D%0A+-1%0D%0Ahunter2%0D%0A",
	} {
		err := p.URL(current(t, text), direct)
		judge(t, text, err, scheme.CodeRefused)
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the message shows a secret: %v", err)
		}
	}
}

// The exception of P2: a filled form, and only a valid one (RFC 1738 3.4.9).
//
// Covers: P2, T143
func TestFilledForm(t *testing.T) {
	t.Parallel()
	p := policy.New(policy.Options{})
	escape := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", "\t", "%09", "\x00", "%00", " ", "%20", "/", "/")
	const head = "+\t1\r\n"
	for _, c := range []struct {
		name, plus string
		form       bool
	}{
		{"the form of 3.4.9", head + "+-1\r\nitem one\r\nitem two\r\n.\r\n", true},
		{"a view", "+application/postscript Es_ES\t1\r\n+-1\r\nx\r\n.\r\n", true},
		{"no answers", head + "+-1\r\n.\r\n", true},
		{"an empty answer", head + "+-1\r\n\r\n.\r\n", true},
		{"answers with dots and TABs", head + "+-1\r\n..\r\n.x\r\na\tb\r\n.\r\n", true},
		{"counted", head + "+6\r\na\r\n.\r\n", true},
		{"counted bytes that are no lines", head + "+7\r\na\r\n.\r\n\x00", false},
		{"counted nothing", head + "+0\r\n", true},

		{"not filled", "+", false},
		{"a view alone", "+text/plain", false},
		{"an attribute", "!+ABSTRACT", false},
		{"no data block", "+\t1", false},
		{"an empty data block", head, false},
		{"no plus", "\t1\r\n+-1\r\n.\r\n", false},
		{"flag 0", "+\t0\r\n+-1\r\n.\r\n", false},
		{"flag 11", "+\t11\r\n+-1\r\n.\r\n", false},
		{"two TABs", "+\t\t1\r\n+-1\r\n.\r\n", false},
		{"no end", head + "+-1\r\nx\r\n", false},
		{"torn end", head + "+-1\r\nx\r\n.", false},
		{"a line behind the end", head + "+-1\r\nx\r\n.\r\nDELE x\r\n", false},
		{"octets behind the end", head + "+-1\r\nx\r\n.\r\nx", false},
		{"an end too early", head + "+-1\r\n.\r\n.\r\n", false},
		{"bare LF in an answer", head + "+-1\r\na\nb\r\n.\r\n", false},
		{"bare CR in an answer", head + "+-1\r\na\rb\r\n.\r\n", false},
		{"CR CR LF", head + "+-1\r\na\r\r\n.\r\n", false},
		{"NUL in an answer", head + "+-1\r\na\x00b\r\n.\r\n", false},
		{"bare LF behind the head", "+\t1\n+-1\r\nx\r\n.\r\n", false},
		{"CR in the view", "+a\rb\t1\r\n+-1\r\n.\r\n", false},
		{"NUL in the view", "+\x00\t1\r\n+-1\r\n.\r\n", false},
		{"a line before the head", "\r\n" + head + "+-1\r\n.\r\n", false},
		{"count too small", head + "+3\r\nabcd", false},
		{"count too large", head + "+5\r\nabcd", false},
		{"count out of bounds", head + "+99999999999999999999\r\nabcd", false},
		{"count with a sign", head + "++4\r\nabcd", false},
		{"no count", head + "+\r\nabcd", false},
		{"no plus before the count", head + "4\r\nabcd", false},
		{"to the close", head + "+-2\r\nabcd", false},
		{"a second form", head + "+-1\r\n.\r\n" + head + "+-1\r\n.\r\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := "gopher://h/0ask%09%09" + escape.Replace(c.plus)
			u := current(t, text)
			if v, _ := locator.As[*locator.Gopher](u); v.Plus.Or("") != c.plus {
				t.Fatalf("the Gopher+ string is %q", v.Plus.Or(""))
			}
			code := scheme.CodeOK
			if !c.form && strings.ContainsAny(c.plus, "\r\n\t\x00") {
				code = scheme.CodeRefused
			}
			judge(t, text, p.URL(u, direct), code)
			if !c.form {
				return
			}
			// A form is sent only if the user named its URL.
			for _, kind := range []scheme.HopKind{scheme.HopRedirect, scheme.HopMenuItem, scheme.HopReferral} {
				hop := scheme.Hop{Kind: kind, From: current(t, "gopher://h/1")}
				judge(t, "by a hop", p.URL(u, hop), scheme.CodeRefused, "filled form")
			}
			// The other parts of the URL are checked as usual.
			judge(t, "the selector", p.URL(current(t, strings.Replace(text, "0ask", "0a%0Dsk", 1)), direct), scheme.CodeRefused, "selector")
		})
	}
}

// The threats of RFC 1738 section 6: a message to an SMTP server by gopher, CR and LF in telnet.
//
// Covers: P1, P2, T142
func TestSection6(t *testing.T) {
	t.Parallel()
	p := policy.New(policy.Options{})
	open := policy.New(policy.Options{AllowPorts: []uint16{25}})
	u := current(t, "gopher://mail.example:25/0HELO%20x%0D%0AMAIL%20FROM:%3Ca@b%3E%0D%0ARCPT%20TO:%3Cc@d%3E%0D%0ADATA%0D%0Arude%0D%0A.%0D%0AQUIT")
	judge(t, "by the port", p.URL(u, direct), scheme.CodeRefused, "port 25")
	judge(t, "by the lines", open.URL(u, direct), scheme.CodeRefused, "selector", "%0D")
	judge(t, "telnet", p.URL(current(t, "telnet://a%0D%0Arm%20-r:b@h/"), direct), scheme.CodeRefused, "user", "%0D")
}

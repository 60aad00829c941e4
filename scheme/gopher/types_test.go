package gopher

import (
	"testing"

	"locator"
	"locator/scheme"
)

// TestItemTypes makes an entry of an item of every type.
//
// Covers: A7, T147
func TestItemTypes(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want, media string }{
		{"0T\t/a.txt\th.dom\t70", "object|T|gopher://h.dom/0/a.txt\n", "text/plain"},
		{"0T\t/a.html\th.dom\t70", "object|T|gopher://h.dom/0/a.html\n", "text/plain"},
		{"0T\t/a.md\th.dom\t70", "object|T|gopher://h.dom/0/a.md\n", "text/markdown"},
		{"0T\t9/doc.ps\th.dom\t70", "object|T|gopher://h.dom/09/doc.ps\n", "application/postscript"},
		{"1T\t\th.dom\t70", "listing|T|gopher://h.dom/1\n", mediaMenu},
		{"2T\t\th.dom\t105", "unknown|T|gopher://h.dom:105/2\n", ""},
		{"2T\t\th.dom\t7105\t+", "unknown|T|gopher://h.dom:7105/2%09%09+\n", ""},
		{"3T\t\th.dom\t70", "note|T|\n", ""},
		{"4T\t/a.hqx\th.dom\t70", "object|T|gopher://h.dom/4/a.hqx\n", "application/mac-binhex40"},
		{"5T\t/a.zip\th.dom\t70", "object|T|gopher://h.dom/5/a.zip\n", "application/zip"},
		{"6T\t/a\th.dom\t70", "object|T|gopher://h.dom/6/a\n", "text/x-uuencode"},
		{"7T\t/s\th.dom\t70", "query|T|gopher://h.dom/7/s\n", ""},
		{"7T\t/s\th.dom\t70\t+", "query|T|gopher://h.dom/7/s%09%09+\n", ""},
		{"8T\tguest\th.dom\t23", "session|T|telnet://guest@h.dom/\n", ""},
		{"8T\t\th.dom\t2323", "session|T|telnet://h.dom:2323/\n", ""},
		{"8T\ta:b@c/d\th.dom\t23", "session|T|telnet://a%3Ab%40c%2Fd@h.dom/\n", ""},
		{"9T\t/a\th.dom\t70", "object|T|gopher://h.dom/9/a\n", "application/octet-stream"},
		{"9T\t/a.html\th.dom\t70", "object|T|gopher://h.dom/9/a.html\n", "application/octet-stream"},
		{"9T\t/a.tar.GZ\th.dom\t70", "object|T|gopher://h.dom/9/a.tar.GZ\n", "application/gzip"},
		{"TT\t\th.dom\t23", "session|T|tn3270://h.dom/\n", ""},
		{"gT\t/a\th.dom\t70", "object|T|gopher://h.dom/g/a\n", "image/gif"},
		{"IT\t/a.JPG\th.dom\t70", "object|T|gopher://h.dom/I/a.JPG\n", "image/jpeg"},
		{"IT\t/a.svg\th.dom\t70", "object|T|gopher://h.dom/I/a.svg\n", ""},
		{":T\t/a.bmp\th.dom\t70", "object|T|gopher://h.dom/:/a.bmp\n", "image/bmp"},
		{";T\t/a.mp4\th.dom\t70", "object|T|gopher://h.dom/;/a.mp4\n", "video/mp4"},
		{"<T\t/a\th.dom\t70", "object|T|gopher://h.dom/%3C/a\n", "audio/basic"},
		{"iT\t\t\t", "note|T|\n", ""},
		{"hT\t/a.html\th.dom\t70", "object|T|gopher://h.dom/h/a.html\n", "text/html"},
		{"HT\t/a\th.dom\t70", "object|T|gopher://h.dom/H/a\n", "text/html"},
		{"sT\t/a.wav\th.dom\t70", "object|T|gopher://h.dom/s/a.wav\n", "audio/wav"},
		{"pT\t/a.pdf\th.dom\t70", "object|T|gopher://h.dom/p/a.pdf\n", "application/pdf"},
		{"pT\t/a\th.dom\t70", "object|T|gopher://h.dom/p/a\n", "image/png"},
		{"dT\t/a.doc\th.dom\t70", "object|T|gopher://h.dom/d/a.doc\n", "application/msword"},
		{"PT\t/a\th.dom\t70", "object|T|gopher://h.dom/P/a\n", "application/pdf"},
		{"rT\t/a\th.dom\t70", "object|T|gopher://h.dom/r/a\n", "application/rtf"},
		{"xT\t/a\th.dom\t70", "object|T|gopher://h.dom/x/a\n", "application/xml"},
		{"MT\t/a\th.dom\t70", "object|T|gopher://h.dom/M/a\n", "message/rfc822"},
		{"mT\t/a\th.dom\t70", "object|T|gopher://h.dom/m/a\n", "text/plain"},
		{"cT\t/a\th.dom\t70", "object|T|gopher://h.dom/c/a\n", "text/calendar"},
		{"eT\t/a\th.dom\t70", "object|T|gopher://h.dom/e/a\n", "text/plain"},
		{"vT\t/a.wrl\th.dom\t70", "object|T|gopher://h.dom/v/a.wrl\n", "model/vrml"},
		{"wT\thttp://w.dom/x\th.dom\t70", "unknown|T|http://w.dom/x\n", ""},
		{"wT\t/page\th.dom\t70", "object|T|gopher://h.dom/w/page\n", "text/plain"},
		{"uT\tcomp.x\th.dom\t70", "note|T|\n", ""},
		{"!T\t/a\th.dom\t70", "note|T|\n", ""},
		{"ZT\t/a.pdf\th.dom\t70", "object|T|gopher://h.dom/Z/a.pdf\n", "application/pdf"},
		{"#T\t/a\th.dom\t70", "object|T|gopher://h.dom/%23/a\n", "application/octet-stream"},
		{"\xe9T\t/a\th.dom\t70", "object|T|gopher://h.dom/%E9/a\n", "application/octet-stream"},
		{"0T\t/a?b#c%d e\"\\~\th.dom\t70", "object|T|gopher://h.dom/0/a?b%23c%25d%20e%22%5C%7E\n", "text/plain"},

		// Links that a selector holds.
		{"hT\tURL:http://w.dom/a?b\th.dom\t70", "unknown|T|http://w.dom/a?b\n", ""},
		{"hT\t/url:https://w.dom/\th.dom\t70", "unknown|T|https://w.dom/\n", ""},
		{"hT\tURI:ftp://w.dom/x\th.dom\t70", "unknown|T|ftp://w.dom/x\n", ""},
		{"hT\tURL=gemini://w.dom/\th.dom\t70", "unknown|T|gemini://w.dom/\n", ""},
		{"1T\tURL:gopher://w.dom/0/x\th.dom\t70", "object|T|gopher://w.dom/0/x\n", ""},
		{"hT\tURL:gopher://w.dom\th.dom\t70", "listing|T|gopher://w.dom\n", ""},
		{"hT\tURL:telnet://w.dom/\th.dom\t70", "session|T|telnet://w.dom/\n", ""},
		{"hT\tURL:mailto:a@w.dom\th.dom\t70", "draft|T|mailto:a@w.dom\n", ""},
		{"hT\tURL:http://w.dom/a b\xe9\th.dom\t70", "unknown|T|http://w.dom/a%20b%E9\n", ""},
		{"hT\tURL:javascript:alert(1)\th.dom\t70", "note|T|\n", ""},
		{"hT\tURL:JavaScript:alert(1)\th.dom\t70", "note|T|\n", ""},
		{"hT\tURL:data:text/html,x\th.dom\t70", "note|T|\n", ""},
		{"hT\tURL:file:///etc/passwd\th.dom\t70", "note|T|\n", ""},
		{"hT\tURL:vbscript:x\th.dom\t70", "note|T|\n", ""},
		{"hT\tURL:\th.dom\t70", "note|T|\n", ""},
		{"hT\tURL:no url\th.dom\t70", "note|T|\n", ""},
		{"hT\tGET /a%20b\th.dom\t8080", "unknown|T|http://h.dom:8080/a%20b\n", ""},
		{"hT\tGET /\th.dom\t80", "unknown|T|http://h.dom/\n", ""},
		{"1T\tGET /x y\th.dom\t80", "unknown|T|http://h.dom/x%20y\n", ""},
		{"hT\tGET x\th.dom\t70", "object|T|gopher://h.dom/hGET%20x\n", "text/html"},

		// Hosts.
		{"1T\t\t127.0.0.1\t70", "listing|T|gopher://127.0.0.1/1\n", ""},
		{"1T\t\tno host\t70", "note|T|\n", ""},
		{"1T\t\th.dom/x\t70", "note|T|\n", ""},
		{"1T\t\tu@h.dom\t70", "note|T|\n", ""},
	}
	for _, tt := range tests {
		r := reader{here: server{host: "menu.test", port: 7070}}
		e := r.entry(parseItem(tt.in))
		if got := line(e); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.in, got, tt.want)
		}
		if tt.media != "" && e.Attr.Type != tt.media || e.Kind == scheme.KindNote && e.Attr.Type != "" {
			t.Errorf("%q: media type %q, want %q", tt.in, e.Attr.Type, tt.media)
		}
		if e.Kind == scheme.KindObject && !e.URL.IsZero() {
			if _, err := locator.Parse(e.URL.Text()); err != nil {
				t.Errorf("%q: %s is not a URL of RFC 1738: %v", tt.in, e.URL, err)
			}
		}
	}
}

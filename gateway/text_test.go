package gateway

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"locator/scheme/http/httptest"
	"locator/schemetest/peer"
)

func TestDecode(t *testing.T) {
	for _, tt := range []struct{ body, mediaType, chosen, want string }{
		{"caf\xe9", "text/plain", "", "café"},
		{"caf\xc3\xa9", "text/plain", "", "café"},
		{"caf\xe9", "text/plain; charset=iso-8859-1", "", "café"},
		{"\xc1\xc2", "text/plain; charset=koi8-r", "", "аб"},
		{"\xc1\xc2", "text/plain; charset=iso-8859-1", "koi8-r", "аб"},
		{"\x93a\x94", "text/plain; charset=nonsense", "", "\u201ca\u201d"},
		{"a\xff\xfe", "text/plain", "utf-8", "a\xff\xfe"},
		{"a\xff\xfe", "text/plain; charset=utf-8", "", "aÿþ"},
		{strings.Repeat("x", sniffed-1) + "é", "", "", strings.Repeat("x", sniffed-1) + "é"},
		{"", "", "", ""},
	} {
		b, err := io.ReadAll(decode(strings.NewReader(tt.body), tt.mediaType, tt.chosen))
		if err != nil || string(b) != tt.want {
			t.Errorf("%q as %q, chosen %q: %q, want %q (%v)", tt.body, tt.mediaType, tt.chosen, b, tt.want, err)
		}
	}
}

// A text is text, whatever it contains, and its URLs are links.
//
// Covers: G2
func TestText(t *testing.T) {
	text := "<script>alert(1)</script> \x1b[2J \u202e see <URL:ftp://host.dom/a/\n  b.txt> and gopher://host.dom/1/x. javascript:alert(1)\n</pre>"
	tree := []peer.File{{Path: []string{"a.txt"}, Content: text}, {Path: []string{"big.txt"}, Content: strings.Repeat("line of ftp://host.dom/x\n", 100_000)}, {Path: []string{"p.html"}, Content: text}}
	web, err := httptest.Start(tree)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(web.Close)
	s := serve(t, Options{}, web.URL())
	for _, name := range []string{"a.txt", "p.html"} {
		res := s.page(web.URL(name))
		for _, want := range []string{"&lt;script&gt;", `<a href="/ftp://host.dom/a/b.txt">`, `<a href="/gopher://host.dom/1/x">`, "&lt;/pre&gt;"} {
			if !strings.Contains(res.body, want) {
				t.Errorf("%s lacks %s", name, want)
			}
		}
		for _, bad := range []string{"<script>", "\x1b", "\u202e", `href="javascript`} {
			if strings.Contains(res.body, bad) {
				t.Errorf("%s has %q: %s", name, bad, res.body)
			}
		}
	}
	if res := s.page(web.URL("big.txt")); res.err != nil || strings.Count(res.body, "<a href=\"/ftp://host.dom/x\">") != 100_000 {
		t.Errorf("a long text: %d links, %v", strings.Count(res.body, "<a "), res.err)
	}
	s.cookies[settingsCookie] = "plain=1&width=72"
	if res := s.page(web.URL("a.txt")); strings.Contains(res.body, `<a href="/ftp:`) || !strings.Contains(res.body, `class="text w72"`) || strings.Contains(res.body, "<script>") || res.status != http.StatusOK {
		t.Errorf("without links: %s", res.body)
	}
}

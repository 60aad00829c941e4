package gateway

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"locator/scheme/gopher/gophertest"
	"locator/schemetest/peer"
)

// What a server can say about an entry of a menu is a click away, and the entry is not opened for it.
//
// Covers: G2
func TestInfo(t *testing.T) {
	menus, err := gophertest.Start(peer.Tree(), gophertest.Document("paper", "What the paper <b>says</b>.",
		gophertest.View{Type: "text/plain", Language: "En_US", Content: "the text"}, gophertest.View{Type: "text/plain", Language: "De_DE", Content: "der Text"}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(menus.Close)
	u := menus.URL("")
	s := serve(t, Options{}, u)
	list := s.page(u)
	m := regexp.MustCompile(`<a class="side" href="(/-/view/info=1/gopher://[^"]*paper[^"]*)">Info<span class="hidden"> about paper</span></a>`).FindStringSubmatch(list.body)
	if m == nil {
		t.Fatalf("no link: %s", list.body)
	}
	res := s.get(strings.ReplaceAll(m[1], "&amp;", "&"))
	if res.status != http.StatusOK {
		t.Fatalf("%d: %s", res.status, res.body)
	}
	for _, want := range []string{`>&#43;ABSTRACT</th>`, "What the paper &lt;b&gt;says&lt;/b&gt;.", "En_US", "De_DE", ">Open</a>"} {
		if !strings.Contains(res.body, want) {
			t.Errorf("the page lacks %q: %s", want, res.body)
		}
	}
	if strings.Contains(res.body, "the text") {
		t.Error("the document was opened")
	}
	if head := s.send(http.MethodHead, m[1], ""); head.status != http.StatusOK || head.body != "" {
		t.Errorf("HEAD: %d", head.status)
	}
}

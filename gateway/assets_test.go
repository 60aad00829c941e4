package gateway

import (
	"html/template"
	"testing"
)

// An attribute has the path as it is, and does not end before its end.
func TestPathAttr(t *testing.T) {
	for path, want := range map[string]string{
		"/ftp://host.dom/a(b)'c": `href="/ftp://host.dom/a(b)&#39;c"`, "/http://host.dom/?a=1&lt=2": `href="/http://host.dom/?a=1&amp;lt=2"`, `/"><script>`: `href="/&#34;&gt;&lt;script&gt;"`,
	} {
		if got := string(pathAttr("href", template.URL(path))); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

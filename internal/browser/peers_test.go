package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locator"
	"locator/internal/peers"
)

// A person reads listings, menus and texts of real servers, by clicks from the first page of each.
func TestPeers(t *testing.T) {
	t.Parallel()
	names := []string{"vsftpd", "pygopherd", "gophernicus"}
	e := peers.Start(t, names...)
	text, err := os.ReadFile(filepath.Join(e.Tree, "text.txt"))
	if err != nil {
		t.Fatal(err)
	}
	many, err := os.ReadDir(filepath.Join(e.Tree, "many"))
	if err != nil {
		t.Fatal(err)
	}
	var roots []locator.URL
	for _, name := range names {
		scheme, path := "gopher", "/1/"
		if name == "vsftpd" {
			scheme, path = "ftp", "/"
		}
		roots = append(roots, locator.MustParse(scheme+"://"+e.Addr(t, name)+path))
	}
	at := run(t, optionsFor(roots...))
	tab := Start(t).Tab(t, Look{})
	for i, u := range roots {
		root := at + "/" + u.Text()
		tab.Open(root)
		if tab.Status() != 200 {
			t.Errorf("%s: status %d: %s", names[i], tab.Status(), tab.Text("main"))
			continue
		}
		const link = `[...document.querySelectorAll("main a")].find(a => new RegExp(%q).test(a.pathname)).click(), 0`
		tab.After(Script(link, "/text.txt$"))
		if got := strings.ReplaceAll(tab.Text("pre.text"), "\r", ""); strings.TrimSpace(got) != strings.TrimSpace(string(text)) {
			t.Errorf("%s: the text is %q", names[i], got)
		}
		tab.Open(root)
		tab.After(Script(link, "/many/?$"))
		if got := tab.Eval(`[...document.querySelectorAll("main .list tbody a, main .menu a:not(.side)")].filter(a => /many\/./.test(a.pathname)).length`); got != fmt.Sprint(len(many)) {
			t.Errorf("%s: a folder of %d files has %s links", names[i], len(many), got)
		}
	}
}

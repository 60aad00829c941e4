package browser

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp/kb"

	"locator"
	"locator/scheme/ftp/ftptest"
	"locator/schemetest/peer"
)

// manyRows is a server with a menu of so many rows. It sends the first of them, and the others once more is closed.
func manyRows(t testing.TB, rows, first int, more <-chan bool) locator.URL {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				bufio.NewReader(c).ReadString('\n')
				out := bufio.NewWriter(c)
				defer out.Flush()
				for i := range rows {
					if i == first {
						out.Flush()
						<-more
					}
					if _, err := fmt.Fprintf(out, "0Item %d\t/%d\thost.dom\t70\r\n", i, i); err != nil {
						return
					}
				}
				out.WriteString(".\r\n")
			}()
		}
	}()
	return locator.MustParse("gopher://" + l.Addr().String() + "/")
}

// manyFiles is a server with a folder of so many files.
func manyFiles(t testing.TB, files int) locator.URL {
	t.Helper()
	tree := make([]peer.File, files)
	for i := range tree {
		tree[i] = peer.File{Path: []string{fmt.Sprintf("Item %d", i)}, Content: "x", Modified: time.Date(2024, 3, 14, 9, 26, 0, 0, time.UTC)}
	}
	srv, err := ftptest.Start(tree)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(srv.Close)
	return srv.URL("")
}

// A person sees the first rows of a listing of 100,000 within a second, while the server still sends, and all of them within ten when it
// has ended. Then the page scrolls without delay, and its columns stay aligned.
func TestManyRows(t *testing.T) {
	const rows, first = 100_000, 200
	more := make(chan bool)
	for _, x := range []struct {
		name, row string
		at        locator.URL
	}{{"menu", ".menu .item", manyRows(t, rows, first, more)}, {"table", ".list tbody tr", manyFiles(t, rows)}} {
		t.Run(x.name, func(t *testing.T) {
			at, tab := run(t, optionsFor(x.at)), Start(t).Tab(t, Look{})
			tab.Open(at + "/") // starts the process of the tab
			count := fmt.Sprintf("document.querySelectorAll(%q).length", x.row)
			tab.do(call(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: fmt.Sprintf(
				"requestAnimationFrame(function wait() { if (%s < %d) requestAnimationFrame(wait); else requestAnimationFrame(() => { window.shown = performance.now(); }); })", count, first/2)}))
			began := time.Now()
			tab.do(call(page.Navigate, page.NavigateParams{URL: at + "/" + x.at.Text()}))
			tab.wait("window.shown > 0")
			shown, err := time.ParseDuration(tab.Eval("window.shown") + "ms")
			if err != nil {
				t.Fatal(err)
			}
			if x.name == "menu" {
				close(more)
			}
			tab.wait(`document.readyState === "complete"`)
			tab.Eval(frame)
			all := time.Since(began)
			if got := tab.Eval(count); got != fmt.Sprint(rows) {
				t.Errorf("%s rows, want %d", got, rows)
			}
			began = time.Now()
			for part := range 10 {
				tab.Eval(fmt.Sprintf("scrollTo(0, document.documentElement.scrollHeight * %d / 10), %s", part, frame))
			}
			scrolled := time.Since(began) / 10
			t.Logf("the first rows are shown after %v, all after %v; a jump takes %v", shown, all, scrolled)
			if slow := slowness(); shown > slow*time.Second || all > slow*10*time.Second || scrolled > slow*time.Second/4 {
				t.Error("that is too slow")
			}
			// The keyboard reaches rows that were outside the window.
			tab.Eval(fmt.Sprintf("document.querySelectorAll(%q)[50_199].querySelector('a').focus()", x.row))
			if tab.do(Press(kb.Tab)); !strings.HasSuffix(tab.Name(), "Item 50200") && x.name == "menu" {
				t.Errorf("Tab leads to %s", tab.Name())
			}
			if got := tab.Eval(`new Set([...document.querySelectorAll(".list tr:nth-child(1) > :last-child")].map(e => e.getBoundingClientRect().left)).size`); x.name == "table" && got != "1" {
				t.Errorf("the last column is at %s places", got)
			}
		})
	}
}

// frame is a script that waits until the page is painted.
const frame = `new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))`

// slowness is how many times longer something may take, since the machine has much else to do.
func slowness() time.Duration {
	var load float64
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 5
	}
	if _, err := fmt.Sscan(string(text), &load); err != nil || load > float64(runtime.NumCPU())/2 {
		return 5
	}
	return 1
}

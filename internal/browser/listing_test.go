package browser

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"

	"locator"
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

// A person sees the first rows of a listing of 100,000 within a second, while the server still sends, and all of them when it has ended.
func TestManyRows(t *testing.T) {
	if !long { // it keeps the browser busy for seconds
		return
	}
	const rows, first, count = 100_000, 200, `document.querySelectorAll("main .item").length`
	more := make(chan bool)
	u := manyRows(t, rows, first, more)
	at := run(t, optionsFor(u))
	tab := Start(t).Tab(t, Look{})
	tab.Open(at + "/") // starts the process of the tab
	began := time.Now()
	tab.do(call(page.Navigate, page.NavigateParams{URL: at + "/" + u.Text()}))
	tab.wait(count + fmt.Sprintf(" >= %d", first/2))
	tab.Eval(`new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))`) // painted
	shown := time.Since(began)
	if shown > soon() {
		t.Errorf("the first rows are shown after %v", shown)
	}
	close(more)
	for end := time.Now().Add(5 * stepTime); tab.Eval(`document.readyState`) != "complete"; time.Sleep(200 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s rows are shown after %v", tab.Eval(count), 5*stepTime)
		}
	}
	t.Logf("the first rows are shown after %v, the last after %v", shown, time.Since(began))
	if got := tab.Eval(count); got != fmt.Sprint(rows) {
		t.Errorf("%s rows, want %d", got, rows)
	}
}

// soon is how long the first rows of a listing may take: a second, or more on a machine that has much else to do.
func soon() time.Duration {
	var load float64
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 5 * time.Second
	}
	if _, err := fmt.Sscan(string(text), &load); err != nil || load > float64(runtime.NumCPU())/2 {
		return 5 * time.Second
	}
	return time.Second
}

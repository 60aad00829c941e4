//go:build !race

package gateway

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/scheme"
)

// heap returns how many bytes are in use.
func heap() uint64 {
	least := uint64(math.MaxUint64)
	for range 4 { // others allocate between the collection and the count
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		least = min(least, m.HeapAlloc)
	}
	return least
}

// A listing of 100,000 entries is sent while it comes: its first rows stand on the page while the server waits, and memory is flat.
// A sorted page has all of them.
func TestManyRows(t *testing.T) {
	const rows, first = 100_000, 200
	more := make(chan struct{})
	u := menu(t, func(_ string, w io.Writer) {
		out := bufio.NewWriter(w)
		for i := range rows {
			if i == first {
				out.Flush()
				<-more
			}
			if _, err := out.WriteString(item('0', fmt.Sprintf("n%06d", rows-i), "/x")); err != nil {
				return
			}
		}
		out.WriteString(".\r\n")
		out.Flush()
	})
	s := serve(t, Options{}, u)
	start := time.Now()
	res, err := http.Get("http://" + s.addr + string(pathOf(viewPage, u)))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	in := bufio.NewReader(res.Body)
	n, before, largest := 0, uint64(0), uint64(0)
	for {
		line, err := in.ReadString('\n')
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(line, `class="item"`) {
			continue
		}
		switch n++; {
		case n == first/2:
			if d := time.Since(start); d > soon() {
				t.Errorf("%d rows came after %v", n, d)
			}
			before = heap()
			close(more)
		case n%20_000 == 0:
			largest = max(largest, heap())
		}
	}
	if n != rows {
		t.Errorf("%d rows", n)
	}
	if largest > before+16<<20 {
		t.Errorf("the heap grows from %d to %d bytes", before, largest)
	}
	sorted := s.get(string(pathWith(u, url.Values{"sort": {"name"}})))
	if i, j := strings.Index(sorted.body, ">n000001<"), strings.Index(sorted.body, ">n100000<"); sorted.status != 200 || i < 0 || j < i || strings.Contains(sorted.body, "The listing is longer.") {
		t.Errorf("sorted: %d, %d bytes, rows at %d and %d", sorted.status, len(sorted.body), i, j)
	}
}

// slowFTP is an ftp server with one folder, of which a function sends the listing.
func slowFTP(t *testing.T, list func(w io.Writer)) locator.URL {
	t.Helper()
	listen := func() net.Listener {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		return l
	}
	control, data := listen(), listen()
	_, port, _ := net.SplitHostPort(data.Addr().String())
	replies := map[string]string{"USER": "230 Hello", "CWD": "250 OK", "TYPE": "200 OK", "EPSV": "229 OK (|||" + port + "|)", "PWD": `257 "/"`, "LIST": "150 OK", "QUIT": "221 Bye"}
	serve := func(c net.Conn) {
		defer c.Close()
		io.WriteString(c, "220 Hello\r\n")
		for in := bufio.NewScanner(c); in.Scan(); {
			verb, _, _ := strings.Cut(in.Text(), " ")
			reply, ok := replies[strings.ToUpper(verb)]
			if !ok {
				reply = "502 Not implemented"
			}
			io.WriteString(c, reply+"\r\n")
			if verb != "LIST" {
				continue
			}
			d, err := data.Accept()
			if err != nil {
				return
			}
			list(d)
			d.Close()
			io.WriteString(c, "226 OK\r\n")
		}
	}
	go func() {
		for {
			c, err := control.Accept()
			if err != nil {
				return
			}
			go serve(c)
		}
	}()
	return locator.MustParse("ftp://" + control.Addr().String() + "/")
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

// The first rows of a large listing stand on the page within a second of the first byte that a slow server sends, and memory is flat.
func TestSlowListing(t *testing.T) {
	const rows, first = 100_000, 10
	begun, seen := make(chan time.Time, 1), make(chan struct{})
	u := slowFTP(t, func(w io.Writer) {
		begun <- time.Now()
		out := bufio.NewWriter(w)
		for i, slow := 0, true; i < rows; i++ {
			fmt.Fprintf(out, "-rw-r--r--   1 ftp      ftp          %4d Mar 14  2024 n%06d\r\n", i%1000, i)
			if !slow {
				continue
			}
			if out.Flush() != nil { // one row each 20 ms is 3 kB/s
				return
			}
			select {
			case <-seen:
				slow = false
			case <-time.After(20 * time.Millisecond):
			}
		}
		out.Flush()
	})
	s := serve(t, Options{}, u)
	res, err := http.Get("http://" + s.addr + string(pathOf(viewPage, u)))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	in := bufio.NewReader(res.Body)
	n, before, largest := 0, uint64(0), uint64(0)
	for {
		line, err := in.ReadString('\n')
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(line, `<tr><td>`) {
			continue
		}
		switch n++; {
		case n == first:
			if d := time.Since(<-begun); d > soon() {
				t.Errorf("%d rows came after %v", n, d)
			} else {
				t.Logf("%d rows came after %v", n, d)
			}
			before = heap()
			close(seen)
		case n%20_000 == 0:
			largest = max(largest, heap())
		}
	}
	if n != rows {
		t.Errorf("%d rows", n)
	}
	if largest > before+16<<20 {
		t.Errorf("the heap grows from %d to %d bytes", before, largest)
	}
}

// Only so much of a listing is sorted, and the page says so.
func TestSortedCut(t *testing.T) {
	u := menu(t, func(_ string, w io.Writer) {
		out := bufio.NewWriter(w)
		for i := range maxSorted + 10 {
			if _, err := out.WriteString(item('0', fmt.Sprintf("n%07d", i), "/x")); err != nil {
				return
			}
		}
		out.WriteString(".\r\n")
		out.Flush()
	})
	s := serve(t, Options{}, u)
	res := s.get(string(pathWith(u, url.Values{"filter": {"9999"}})))
	if res.status != 200 || !strings.Contains(res.body, "The listing is longer.") {
		t.Errorf("%d: %d bytes", res.status, len(res.body))
	}
}

// What belongs to a row counts, too: the memory is that of the rows with their views and copies.
func TestSortedViews(t *testing.T) {
	views := make([]scheme.Entry, 64)
	for i := range views {
		views[i] = scheme.Entry{Name: "view", URL: locator.MustParse("gopher://host.dom/0x")}
	}
	n := 0
	res := &scheme.Resource{Entries: func(yield func(scheme.Entry, error) bool) {
		for yield(scheme.Entry{Name: "row", URL: views[0].URL, Alternates: views, Mirrors: views}, nil) {
			n++
		}
	}}
	w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil)
	rows := &rows{x: &exchange{g: serve(t, Options{}).g, w: w, r: r}, out: newPools().newOutput(w, r, http.StatusOK)}
	defer rows.out.Close()
	rows.sorted(res, "name", "")
	if most := maxSortedMemory / (2 * 64 * 40); !rows.cut || n > most { // a link has more than 40 bytes
		t.Errorf("%d rows, want at most %d", n, most)
	}
}

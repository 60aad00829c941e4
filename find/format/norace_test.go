//go:build !race

package format_test

import (
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"locator/find/format"
)

// Sources of any size need constant memory.
//
// Covers: F5, T200
func TestMemory(t *testing.T) { // the memory of tests that run at the same time would count
	size := 512 << 10
	if os.Getenv("LOCATOR_LONG") != "" {
		size = 256 << 20
	}
	for _, c := range []struct{ name, begin, text string }{
		{"html", "", "<p>text http://host/a <a href='http://host/b'>c</a>"}, {"html", "<p>", "a&amp;<b>c</b>"}, {"html", "", "<a href='http://host/b'>"}, {"html", "<!--", "x"}, {"html", "<p>", "<!-- -->"}, {"html", "", "<![CDATA["},
		{"html", "<meta charset=koi8-r>", "<p>\xc1\xc2"}, {"json", "[\"", `\/\u0041`}, {"json", "", "\"http://host/a\","}, {"csv", "\"", `""`}, {"csv", "", "a,"},
		{"mail", "", "x"}, {"mail", "X: ", "=?utf-8?q?=41?= "}, {"mail", "Content-Transfer-Encoding: quoted-printable\n\n", "=41"}, {"mail", "Content-Transfer-Encoding: base64\n\n", "aHR0"},
		{"mail", "Content-Type: text/plain; format=flowed\n\n", "> \n"}, {"mail", "Content-Type: multipart/mixed; boundary=b\n\n", "--b\n\n"}, {"mail", "Content-Type: text/html\n\n", "<p>a"},
		{"mbox", "", "From a Sat Jan  1 00:00:00 1994\n\n\n"}, {"paged", "", "\n"}, {"paged", "", "x [Page 1]\n\f"}, {"text", "\xff\xfe", "a\x00"}, {"roff", "", `\-`}, {"roff", `\[`, "a"}, {"tex", "", `{\`}, {"calendar", "", "\r\n "}, {"properties", "\\\n", " "},
	} {
		r := io.MultiReader(strings.NewReader(c.begin), &repeated{text: strings.Repeat(c.text, 100), n: size / len(c.text) / 100})
		runtime.GC()
		var before, now runtime.MemStats
		runtime.ReadMemStats(&before)
		most := uint64(0)
		n, start := 0, time.Now()
		in := readFunc(func(p []byte) (int, error) {
			m, err := io.ReadFull(r, p)
			if n += m; n > size/3 || err != nil {
				n = 0
				runtime.GC()
				runtime.ReadMemStats(&now)
				most = max(most, now.HeapAlloc)
			}
			if err == io.ErrUnexpectedEOF {
				err = io.EOF
			}
			return m, err
		})
		for _, err := range format.Lookup(c.name).Read(t.Context(), in, format.Options{}) {
			if err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("%s %q: %d MiB, %v", c.name, c.text, int64(most-before.HeapAlloc)>>20, time.Since(start))
		if most > before.HeapAlloc+100<<20 {
			t.Errorf("%s %q needs %d MiB", c.name, c.text, (most-before.HeapAlloc)>>20)
		}
	}
}

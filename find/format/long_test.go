package format_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"locator/find/format"
)

// lengths around which a token of HTML is read in pieces.
const mebibyte = 1 << 20

// Covers: F5
func TestLongTokens(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x\n", mebibyte)
	after := `<a href="http://host/after">b</a>`
	attr := `attr http://host/after "http://host/after"`
	for _, c := range []struct {
		source string
		want   []string
		noted  bool
	}{
		{`<img src="http://host/a" alt="` + long + `" longdesc="http://host/b">` + after, []string{`attr http://host/a "http://host/a"`, `attr http://host/b "http://host/b"`, attr}, true},
		{`<img alt=` + strings.ReplaceAll(long, "\n", "") + ">" + after, []string{attr}, true},
		{`<img ` + long + " src='http://host/a'>" + after, []string{attr}, true},
		{"<!-- http://host/c " + long + "-->" + after, []string{`bare http://host/c "http://host/c"`, attr}, true},
		{"<!-- " + long, nil, true},
		{"<!DOCTYPE " + long + ">" + after, []string{attr}, true},
		{"<script>" + long + "x='http://host/s'</script>" + after, []string{`bare http://host/s "http://host/s"`, attr}, false},
		{"<title>" + long + "http://host/?a&amp;b</title>" + after, []string{`bare http://host/?a&b "http://host/?a&amp;b"`, attr}, false},
		{"</a " + long + ">" + after, []string{attr}, true},
	} {
		notes := 0
		got := readOnce(t, "html", strings.NewReader(c.source), c.source, format.Options{Note: func(error) { notes++ }})
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") || notes > 0 != c.noted {
			t.Errorf("%.40q: %q with %d notes, want %q", c.source, got, notes, c.want)
		}
	}
}

// A short reference is not resolved to a URL of any length.
//
// Covers: F5
func TestLongBase(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{4000: 2, 5000: 1} { // the base, and a reference
		notes := 0
		source := `<base href="http://host/` + strings.Repeat("a", n) + `/"><a href="b">c</a>`
		found := readOnce(t, "html", strings.NewReader(source), source, format.Options{Note: func(error) { notes++ }})
		if len(found) != want || notes != 2-want {
			t.Errorf("a base of %d bytes: %d URLs and %d notes", n, len(found), notes)
		}
	}
}

// A URL at the border of two pieces is one URL.
//
// Covers: F5
func TestBorders(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, text, after, want string }{
		"html":  {"<p>", "&lt;http://host/a&amp;b&gt;", "<a>", `angled http://host/a&b "&lt;http://host/a&amp;b&gt;"`},
		"json":  {`{"a":"`, `http:\/\/host\/a`, `"}`, `bare http://host/a "http:\\/\\/host\\/a"`},
		"mail":  {"Content-Transfer-Encoding: quoted-printable\n\n", "=3Chttp:/=\n/host/a=3E", "", `angled http://host/a "=3Chttp:/=\n/host/a=3E"`},
		"paged": {"", "<http://host/\na>", "", `angled http://host/a "<http://host/\na>"`},
		"roff":  {"", `http:\(sl\(slhost/a\-b`, "", `bare http://host/a-b "http:\\(sl\\(slhost/a\\-b"`},
		"csv":   {`a,"`, `""http://host/a""`, `"`, `bare http://host/a "http://host/a"`},
	} {
		for _, border := range []int{32 << 10, 64 << 10, mebibyte} {
			for shift := 0; shift < len(c.text)+4; shift += 1 + border>>18 {
				source := c.before + strings.Repeat("x ", (border-len(c.before))/2+1)[len(c.before)+shift:] + c.text + c.after
				if got := readOnce(t, name, strings.NewReader(source), source, format.Options{}); len(got) != 1 || got[0] != c.want {
					t.Fatalf("%s, %d before %d: %q, want %q", name, shift, border, got, c.want)
				}
			}
		}
	}
}

// The tags in a section of XML are found wherever a read ends in the characters that begin it.
//
// Covers: F5
func TestSections(t *testing.T) {
	t.Parallel()
	for n := range 40 {
		source := strings.Repeat("x", n) + "<![CDATA[<![CDAT><![CDATA[<a href='http://host/a'>]]> http://host/b<![CDATA["
		r := io.MultiReader(strings.NewReader(source[:20]), strings.NewReader(source[20:]))
		for _, r := range []io.Reader{r, iotest.OneByteReader(strings.NewReader(source)), iotest.DataErrReader(strings.NewReader(source))} {
			got := readOnce(t, "html", r, source, format.Options{})
			if len(got) != 2 || got[0] != `attr http://host/a "http://host/a"` || got[1] != `bare http://host/b "http://host/b"` {
				t.Errorf("after %d bytes: %q", n, got)
			}
		}
	}
}

// readOnce returns a line for each find.
func readOnce(t *testing.T, name string, r io.Reader, source string, o format.Options) (found []string) {
	t.Helper()
	for u, err := range format.Lookup(name).Read(t.Context(), r, o) {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, fmt.Sprintf("%v %s %q", u.Form, u.Text(), source[u.Offset:u.Offset+u.Length]))
		if line := strings.Count(source[:u.Offset], "\n") + 1; u.Line != line {
			t.Errorf("%s is in line %d, want %d", u.URL, u.Line, line)
		}
	}
	return found
}

// repeated reads a text n times.
type repeated struct {
	text string
	n    int
	rest string
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.rest == "" {
		if r.n == 0 {
			return 0, io.EOF
		}
		r.n--
		r.rest = r.text
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

type readFunc func([]byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

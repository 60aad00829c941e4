package locator

import (
	"bytes"
	"database/sql"
	"database/sql/driver"
	"encoding"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
)

var (
	_ encoding.TextMarshaler     = URL{}
	_ encoding.TextAppender      = URL{}
	_ encoding.TextUnmarshaler   = (*URL)(nil)
	_ encoding.BinaryMarshaler   = URL{}
	_ encoding.BinaryUnmarshaler = (*URL)(nil)
	_ flag.Value                 = (*URL)(nil)
	_ driver.Valuer              = URL{}
	_ sql.Scanner                = (*URL)(nil)
	_ slog.LogValuer             = URL{}
)

const wholeText = "ftp://me:s3cret@h/a;type=i"

// A program can store a URL as text, JSON, XML, flag or database value and read the same URL back.
//
// Covers: P3, S17
func TestWholeText(t *testing.T) {
	t.Parallel()
	u := MustParse(wholeText)
	type record struct {
		URL  URL         `json:"url" xml:"url,attr"`
		List []URL       `json:"list" xml:"list"`
		By   map[URL]int `json:"by" xml:"-"`
		None URL         `json:"none" xml:"none"`
	}
	in := record{URL: u, List: []URL{u, {}}, By: map[URL]int{u: 1}}

	text, err := json.Marshal(in)
	if want := `{"url":"` + wholeText + `","list":["` + wholeText + `",""],"by":{"` + wholeText + `":1},"none":""}`; err != nil || string(text) != want {
		t.Errorf("got JSON %s, %v; want %s", text, err, want)
	}
	var out record
	if err := json.Unmarshal(text, &out); err != nil || fmt.Sprintf("%#v", out) != fmt.Sprintf("%#v", in) || out.By[u] != 1 || out.List[0] != u {
		t.Errorf("got %#v, %v from JSON", out, err)
	}

	text, err = xml.Marshal(in)
	out = record{}
	if err != nil || xml.Unmarshal(text, &out) != nil || out.URL != u || out.List[0] != u || !out.None.IsZero() {
		t.Errorf("got %#v, %v from the XML %s", out, err, text)
	}

	var octets bytes.Buffer
	out = record{}
	if err := gob.NewEncoder(&octets).Encode(in); err != nil || gob.NewDecoder(&octets).Decode(&out) != nil || fmt.Sprintf("%#v", out) != fmt.Sprintf("%#v", in) || out.URL != u {
		t.Errorf("got %#v, %v from gob", out, err)
	}

	if text, err := u.AppendText([]byte("to ")); err != nil || string(text) != "to "+wholeText {
		t.Errorf("appended is %q, %v", text, err)
	}
	if v, err := u.Value(); err != nil || v != wholeText {
		t.Errorf("got the database value %v, %v", v, err)
	}
}

// Printed URLs are redacted: in fmt, usage messages and logs.
//
// Covers: P3, T77
func TestShownText(t *testing.T) {
	t.Parallel()
	u := MustParse(wholeText)
	const masked = "ftp://me:****@h/a;type=i"
	var b bytes.Buffer
	set := flag.NewFlagSet("x", flag.ContinueOnError)
	set.SetOutput(&b)
	v := u
	set.Var(&v, "base", "the base URL")
	set.PrintDefaults()
	text := slog.New(slog.NewTextHandler(&b, nil))
	text.Info("seen", "url", u, "list", []URL{u}, slog.Group("in", "url", &u))
	slog.New(slog.NewJSONHandler(&b, nil)).Info("seen", "url", u, slog.Group("in", "url", &u))
	text.With("url", u).Info("seen")
	fmt.Fprintln(&b, u, &u, []any{u}, u.String(), u.LogValue())
	if got := b.String(); strings.Contains(got, "s3cret") || strings.Count(got, masked) != 12 {
		t.Errorf("redacted %d times in\n%s", strings.Count(got, masked), got)
	}
}

// Covers: S17
func TestFlag(t *testing.T) {
	t.Parallel()
	var u URL
	set := flag.NewFlagSet("x", flag.ContinueOnError)
	set.SetOutput(&bytes.Buffer{})
	set.Var(&u, "base", "the base URL")
	if err := set.Parse([]string{"-base", "https://h/~a#b"}); err != nil || u.Text() != "https://h/~a#b" {
		t.Errorf("got the flag %v, %v", u, err)
	}
	if err := set.Parse([]string{"-base", "ftp://h/a b"}); err == nil || !strings.Contains(err.Error(), "at byte 9") || u.Text() != "https://h/~a#b" {
		t.Errorf("an invalid flag returns %v, and the URL is %v", err, u)
	}
	if err := set.Parse([]string{"-base="}); err != nil || !u.IsZero() {
		t.Errorf("an empty flag sets %v, %v", u, err)
	}
}

// Covers: S17
func TestScan(t *testing.T) {
	t.Parallel()
	u := MustParse(wholeText)
	for _, c := range []struct {
		src  any
		want URL
	}{{wholeText, u}, {[]byte(wholeText), u}, {nil, URL{}}, {"", URL{}}, {[]byte{}, URL{}}} {
		got := MustParse("news:*")
		if err := got.Scan(c.src); err != nil || got != c.want {
			t.Errorf("%T %v is %v, %v", c.src, c.src, got, err)
		}
	}
	got := u
	for _, src := range []any{1, 2.5, true, struct{}{}} {
		if err := got.Scan(src); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%T", src)) || got != u {
			t.Errorf("%T returned %v, and %v", src, err, got)
		}
	}
	var bad *SyntaxError
	if err := got.Scan("ftp://me:s3 cret@h/"); !errors.As(err, &bad) || strings.Contains(err.Error(), "cret") || got != u {
		t.Errorf("an invalid column returns %v, and the URL is %v", err, got)
	}

	// The conversion of database/sql.
	if v, err := driver.DefaultParameterConverter.ConvertValue(u); err != nil || v != wholeText {
		t.Errorf("a parameter is %v, %v", v, err)
	}
	if v, err := driver.DefaultParameterConverter.ConvertValue(URL{}); err != nil || v != nil {
		t.Errorf("the zero URL as a parameter is %v, %v", v, err)
	}
	var null sql.Null[URL]
	if err := null.Scan(wholeText); err != nil || !null.Valid || null.V != u {
		t.Errorf("a column is %+v, %v", null, err)
	}
}

// An invalid text leaves the URL unchanged, and the error has the offset.
func TestUnmarshalErrors(t *testing.T) {
	t.Parallel()
	u := MustParse(wholeText)
	var bad *SyntaxError
	for _, text := range []string{"x", "<URL:ftp://h/>", "ftp://me:s3 cret@h/", " "} {
		if err := u.UnmarshalText([]byte(text)); !errors.As(err, &bad) || u.Text() != wholeText {
			t.Errorf("%q returned %v, and %v", text, err, u)
		}
	}
	var out struct{ URL URL }
	err := json.Unmarshal([]byte(`{"URL":"ftp://h/~x y"}`), &out)
	if !errors.As(err, &bad) || bad.Offset != 10 || !out.URL.IsZero() {
		t.Errorf("got %v from JSON, and the URL %v", err, out.URL)
	}
}

// A URL does not share memory with the bytes it is parsed from: changing the bytes does not change the URL.
func TestUnmarshalCopies(t *testing.T) {
	t.Parallel()
	text := []byte(wholeText)
	var a, b URL
	if a.UnmarshalText(text) != nil || b.Scan(text) != nil {
		t.Fatal("cannot unmarshal")
	}
	out, _ := a.MarshalText()
	clear(text)
	clear(out)
	if a.Text() != wholeText || b.Text() != wholeText {
		t.Errorf("the URLs became %v and %v", a, b)
	}
}

// Covers: S17, S18
func TestMarshalRoundTrip(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(17, 18))
	for range 3000 {
		checkMarshal(t, generate(r))
	}
}

// FuzzMarshal checks that a URL of Current survives text, JSON, flags and databases, and that one of RFC 1738 is equal
// afterwards if Current accepts it.
func FuzzMarshal(f *testing.F) {
	for _, s := range []string{wholeText, "https://[::1]/~?a#b", "x:", "news:a@b", "http://h/?&<>\"", "https:a", "file:///c%3A/\u00E9", "\xFF:", "cid:a%20b"} {
		f.Add(s)
	}
	f.Fuzz(checkMarshal)
}

func checkMarshal(t *testing.T, s string) {
	for _, p := range []*Parser{RFC1738, Current} {
		u, err := p.Parse(s)
		if err != nil {
			continue
		}
		var list [4]URL
		text, _ := u.MarshalText()
		quoted, err := json.Marshal(u)
		value, _ := u.Value()
		if _, bad := Current.Parse(s); bad != nil {
			if list[0].UnmarshalText(text) == nil || json.Unmarshal(quoted, &list[1]) == nil || list[2].Scan(value) == nil || list[3].Set(s) == nil {
				t.Fatalf("%q is read back as %v, and Current rejects it: %v", s, list, bad)
			}
			continue
		}
		err = errors.Join(err, list[0].UnmarshalText(text), json.Unmarshal(quoted, &list[1]), list[2].Scan(value), list[3].Set(u.Text()))
		for i, got := range list {
			if err != nil || got.Text() != s || !Equal(got, u) || p == Current && got != u {
				t.Fatalf("%s: %q comes back %q (%d), %v", p.Name(), s, got.Text(), i, err)
			}
		}
	}
}

package jsontext_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"locator/internal/jsontext"
)

var jsonStrings = []struct{ in, want string }{
	{"", `""`},
	{"ftp://h/a b", `"ftp://h/a b"`},
	{`"\/`, `"\"\\/"`},
	{"\r\n\t\x00\x1b\x7f", `"\r\n\t\u0000\u001b\u007f"`},
	{"é日", `"é日"`},
	{"\xe9", `"\udce9"`},
	{"a\xffb\x80", `"a\udcffb\udc80"`},
	{"\xc3", `"\udcc3"`},
	{"\xed\xa0\x80", `"\udced\udca0\udc80"`}, // a surrogate in UTF-8 is no UTF-8
	{"\ufffd", `"` + "\ufffd" + `"`},
	{"\u0085\u202e\u2028\ufeff", `"\u0085\u202e\u2028\ufeff"`},
	{"\U0001F469\U000E0041", `"` + "\U0001F469" + `\udb40\udc41"`},
}

func TestAppendString(t *testing.T) {
	t.Parallel()
	for _, c := range jsonStrings {
		if got := string(jsontext.AppendString(nil, c.in)); got != c.want {
			t.Errorf("%q gives %s, want %s", c.in, got, c.want)
		}
		checkString(t, c.in)
	}
	for c := range 256 {
		checkString(t, string([]byte{byte(c)}))
		checkString(t, string([]byte{'a', byte(c), 0xC3, 0xA9}))
	}
}

// FuzzAppendString decodes the strings with encoding/json, and restores every byte from the
// escapes.
func FuzzAppendString(f *testing.F) {
	for _, c := range jsonStrings {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, s string) { checkString(t, s) })
}

func checkString(t *testing.T, s string) {
	t.Helper()
	b := jsontext.AppendString([]byte("x"), s)[1:]
	if !utf8.Valid(b) || !json.Valid(b) {
		t.Fatalf("%q gives %q, which is no JSON", s, b)
	}
	for _, r := range string(b) {
		if !unicode.IsPrint(r) {
			t.Fatalf("%q gives %q, with %U as it is", s, b, r)
		}
	}
	var got string
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatalf("%q gives %s: %v", s, b, err)
	}
	var want strings.Builder // each byte that is not UTF-8 is a lone surrogate, which decodes to U+FFFD
	for _, r := range s {
		want.WriteRune(r)
	}
	if got != want.String() {
		t.Fatalf("%q gives %s, which reads %q", s, b, got)
	}
	if back := readOctets(t, b); back != s {
		t.Fatalf("%q gives %s, whose octets are %q", s, b, back)
	}
}

// readOctets is the inverse of jsontext.AppendString, like Python's surrogateescape.
func readOctets(t *testing.T, b []byte) string {
	t.Helper()
	b = bytes.TrimSuffix(bytes.TrimPrefix(b, []byte{'"'}), []byte{'"'})
	var out []byte
	var high rune
	for len(b) > 0 {
		if b[0] != '\\' {
			_, size := utf8.DecodeRune(b)
			out = append(out, b[:size]...)
			b = b[size:]
			continue
		}
		if b[1] != 'u' {
			out = append(out, map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', '"': '"', '\\': '\\'}[b[1]])
			b = b[2:]
			continue
		}
		n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
		if err != nil {
			t.Fatal(err)
		}
		b = b[6:]
		switch r := rune(n); {
		case high != 0:
			out = utf8.AppendRune(out, 0x10000+(high&0x3FF)<<10+r&0x3FF)
			high = 0
		case r >= 0xD800 && r < 0xDC00:
			high = r
		case r >= 0xDC80 && r < 0xDD00:
			out = append(out, byte(r))
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return string(out)
}

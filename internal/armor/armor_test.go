package armor

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
)

// note returns the file that the programs of Debian 12 encoded: binhex of macutils 2.0b3, uuencode of sharutils 4.15.2.
func note() string {
	s := "A note for BinHex.\r\x90\x90\x90" + strings.Repeat("z", 300) + strings.Repeat("\x90", 5)
	for c := range 256 {
		s += string([]byte{byte(c)})
	}
	return s + "end"
}

func testdata(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var forms = map[string]struct {
	open func(io.Reader) (*File, error)
	name string
	size int64
	left int64
}{
	"note.hqx":  {BinHex, "A note", 586, 14},
	"note.uu":   {UU, "a note", -1, 0},
	"note64.uu": {UU, "a note", -1, 0},
}

// Covers: A7
func TestNameOfUU(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"begin 644 a": "a", "begin  644 a": "a", "begin 644  two words ": "two words", "begin\t644\ta": "a", "begin-base64  644   a b": "a b",
	} {
		f, err := UU(strings.NewReader(line + "\n"))
		if err != nil || f.Name != want {
			t.Errorf("%q: %+v, %v; want %q", line, f, err, want)
		}
	}
}

// Covers: A7
func TestFiles(t *testing.T) {
	t.Parallel()
	for name, tt := range forms {
		text := testdata(t, name)
		for way, change := range map[string]func(string) io.Reader{
			"whole":     func(s string) io.Reader { return strings.NewReader(s) },
			"by octets": func(s string) io.Reader { return iotest.OneByteReader(strings.NewReader(s)) },
			"CR LF":     func(s string) io.Reader { return strings.NewReader(strings.ReplaceAll(s, "\n", "\r\n")) },
			"no blanks at the ends of lines": func(s string) io.Reader {
				return strings.NewReader(strings.ReplaceAll(strings.ReplaceAll(s, "`\n", "\n"), "end", "`\nend"))
			},
		} {
			if way == "no blanks at the ends of lines" && name != "note.uu" {
				continue
			}
			f, err := tt.open(change(text))
			if err != nil {
				t.Errorf("%s, %s: %v", name, way, err)
				continue
			}
			got, err := io.ReadAll(f)
			if string(got) != note() || err != nil || f.Name != tt.name || f.Size != tt.size || f.LeftOut != tt.left {
				t.Errorf("%s, %s: %d bytes, %v, %+v", name, way, len(got), err, f)
			}
		}
	}
}

// A truncated or changed text is an error, never a short file.
//
// Covers: A7, P6
func TestDamage(t *testing.T) {
	t.Parallel()
	for name, tt := range forms {
		text := testdata(t, name)
		for cut := range len(text) - len("\nA text behind it.\n") {
			f, err := tt.open(strings.NewReader(text[:cut]))
			if err == nil {
				_, err = io.Copy(io.Discard, f)
			}
			if err == nil && !strings.HasSuffix(strings.TrimRight(text[:cut], "\n"), "\nend") && name != "note.hqx" {
				t.Errorf("%s, the first %d bytes: no error", name, cut)
			}
			if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, ErrForm) {
				t.Errorf("%s, the first %d bytes: %v", name, cut, err)
			}
		}
	}
	hqx := testdata(t, "note.hqx")
	begin := strings.IndexByte(hqx, ':') + 1
	for at := begin; at < len(hqx)-60; at++ { // the resource fork is not read
		if hqx[at] == '\n' {
			continue
		}
		changed := []byte(hqx)
		if changed[at] = '!'; hqx[at] == '!' {
			changed[at] = '#'
		}
		f, err := BinHex(bytes.NewReader(changed))
		var got []byte
		if err == nil {
			got, err = io.ReadAll(f)
		}
		if err == nil && string(got) != note() { // a run has two encodings
			t.Errorf("byte %d changed: no error", at)
		}
	}
	for _, text := range []string{
		"", "begin\n", "begin 644\n", "begin end now\n", "(This file\n:\n", strings.Repeat("no begin\n", 20000) + "begin 644 x\n#86)C\n`\nend\n",
		strings.Repeat("x", 5000), "begin 644 x\n" + strings.Repeat("M", 5000), "begin 644 x\n\x01\n", "begin 644 x\n#\x7f\n", "begin-base64 644 x\n!\n",
		"(This file must be converted with BinHex 4.0)\nx:", "(This file must be converted with BinHex 4.0)\n:\x01:", "(This file must be converted with BinHex 4.0)\n::",
	} {
		for form, open := range map[string]func(io.Reader) (*File, error){"BinHex": BinHex, "UU": UU} {
			f, err := open(strings.NewReader(text))
			if err == nil {
				_, err = io.Copy(io.Discard, f)
			}
			if !errors.Is(err, ErrForm) && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%s of %.40q: %v", form, text, err)
			}
		}
	}
	broken := errors.New("broken")
	if f, err := UU(io.MultiReader(strings.NewReader("begin 644 x\n#86)C\n"), iotest.ErrReader(broken))); err != nil {
		t.Error(err)
	} else if got, err := io.ReadAll(f); string(got) != "abc" || !errors.Is(err, broken) {
		t.Errorf("%q, %v; want the error of the reader", got, err)
	}
}

// wrapUU and wrapBinHex encode a file, for fuzzing.
func wrapUU(file []byte) string {
	var b strings.Builder
	b.WriteString("begin 644 x\n")
	char := func(c byte) byte {
		if c &= 0x3F; c == 0 {
			return '`'
		}
		return c + ' '
	}
	for len(file) > 0 {
		n := min(45, len(file))
		line := append(append([]byte(nil), file[:n]...), 0, 0)
		file = file[n:]
		b.WriteByte(char(byte(n)))
		for i := 0; i < n; i += 3 {
			b.Write([]byte{char(line[i] >> 2), char(line[i]<<4 | line[i+1]>>4), char(line[i+1]<<2 | line[i+2]>>6), char(line[i+2])})
		}
		b.WriteByte('\n')
	}
	return b.String() + "`\nend\n"
}

func wrapBinHex(file []byte) string {
	var raw []byte
	part := func(p []byte) {
		sum := &binHex{}
		sum.sum(p)
		raw = append(append(raw, p...), byte(sum.crc>>8), byte(sum.crc))
	}
	n := len(file)
	part([]byte("\x01x\x00TEXTtest\x00\x00" + string([]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}) + "\x00\x00\x00\x00"))
	part(file)
	part(nil)
	var runs []byte
	for i := 0; i < len(raw); {
		end := i
		for end < len(raw) && raw[end] == raw[i] && end-i < 255 {
			end++
		}
		switch {
		case raw[i] == runMark:
			runs = append(runs, runMark, 0)
			end = i + 1
		case end-i > 3:
			runs = append(runs, raw[i], runMark, byte(end-i))
		default:
			runs = append(runs, raw[i:end]...)
		}
		i = end
	}
	var b strings.Builder
	b.WriteString("(This file must be converted with BinHex 4.0)\n\n:")
	bits, have := uint32(0), 0
	for _, c := range append(runs, 0) {
		bits, have = bits<<8|uint32(c), have+8
		for have >= 6 {
			have -= 6
			b.WriteByte(binHexAlphabet[bits>>have&0x3F])
		}
	}
	return b.String() + ":\n"
}

// Decoding an encoded file returns it, and no text decodes to more bytes than it announces.
//
// Covers: A7, P6
func FuzzArmor(f *testing.F) {
	for name := range forms {
		f.Add([]byte(testdata(f, name)))
	}
	f.Add([]byte("\x90\x90\x00zzzzzz"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for form, open := range map[string]func(io.Reader) (*File, error){"BinHex": BinHex, "UU": UU} {
			if file, err := open(bytes.NewReader(data)); err == nil {
				n, err := io.Copy(io.Discard, file)
				if file.Size >= 0 && err == nil && n != file.Size {
					t.Errorf("%s: %d bytes of %d, and no error", form, n, file.Size)
				}
			}
			wrapped := wrapUU(data)
			if form == "BinHex" {
				wrapped = wrapBinHex(data)
			}
			file, err := open(strings.NewReader(wrapped))
			if err != nil {
				t.Fatalf("%s: %v", form, err)
			}
			got, err := io.ReadAll(file)
			if err != nil || !bytes.Equal(got, data) {
				t.Errorf("%s of %d bytes: %d bytes, %v", form, len(data), len(got), err)
			}
		}
	})
}

func ExampleUU() {
	f, err := UU(strings.NewReader("begin 644 greeting\n%:&5L;&\\ \n`\nend\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := io.ReadAll(f)
	fmt.Printf("%s: %s %v\n", f.Name, text, err)
	// Output: greeting: hello <nil>
}

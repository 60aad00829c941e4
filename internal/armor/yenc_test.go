package armor_test

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"locator/internal/armor"
)

// yEncode encodes data as yEnc does: critical bytes after "=", lines of 128.
func yEncode(data string) string {
	var b strings.Builder
	column := 0
	for i := range len(data) {
		c := data[i] + 42
		if c == 0 || c == '\n' || c == '\r' || c == '=' {
			b.WriteByte('=')
			c += 64
			column++
		}
		b.WriteByte(c)
		if column++; column >= 128 {
			b.WriteString("\r\n")
			column = 0
		}
	}
	if column > 0 {
		b.WriteString("\r\n")
	}
	return b.String()
}

// Covers: P6
func TestYEnc(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for i := range 3000 {
		all.WriteByte(byte(i * 7))
	}
	data := all.String()
	crc := fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(data)))
	body := yEncode(data)
	begin, end := "=ybegin line=128 size=3000 name=a b.bin\r\n", "=yend size=3000 crc32="+crc+"\r\n"
	part := "=ybegin part=2 total=3 line=128 size=9000 name=big.bin\r\n=ypart begin=3001 end=6000\r\n"
	for _, c := range []struct {
		name, text, file string
		part             int
		err              error
	}{
		{"whole", "prose\r\n" + begin + body + end + "more\r\n", "a b.bin", 0, nil},
		{"no checksum", begin + body + "=yend size=3000\r\n", "a b.bin", 0, nil},
		{"a part", part + body + "=yend size=3000 part=2 pcrc32=" + crc + "\r\n", "big.bin", 2, nil},
		{"wrong checksum", begin + body + "=yend size=3000 crc32=00000000\r\n", "a b.bin", 0, armor.ErrForm},
		{"wrong size", begin + body + "=yend size=2999\r\n", "a b.bin", 0, armor.ErrForm},
		{"a line lost", begin + body[130:] + end, "a b.bin", 0, armor.ErrForm},
		{"too long", begin + body + body + end, "a b.bin", 0, armor.ErrForm},
		{"truncated", begin + body, "a b.bin", 0, io.ErrUnexpectedEOF},
		{"truncated within a line", begin + body[:1000], "a b.bin", 0, io.ErrUnexpectedEOF},
		{"truncated within the last line", begin + body + "=yend", "a b.bin", 0, armor.ErrForm},
		{"no size at the end", begin + body + "=yend crc32=" + crc + "\r\n", "a b.bin", 0, armor.ErrForm},
		{"no number for a checksum", begin + body + "=yend size=3000 crc32=xyz\r\n", "a b.bin", 0, armor.ErrForm},
		{"a part that ends as another", part + body + "=yend size=3000 part=3 pcrc32=" + crc + "\r\n", "big.bin", 2, armor.ErrForm},
		{"a part with the checksum of another", part + body + "=yend size=3000 part=2 pcrc32=1\r\n", "big.bin", 2, armor.ErrForm},
		{"a part beyond the parts", strings.Replace(part, "part=2", "part=4", 1) + body + "=yend size=3000 part=4\r\n", "big.bin", 4, armor.ErrForm},
		{"part 0", strings.Replace(part, "part=2", "part=0", 1) + body + "=yend size=3000\r\n", "big.bin", 0, armor.ErrForm},
		{"a part beyond the file", strings.Replace(part, "size=9000", "size=5999", 1) + body + "=yend size=3000\r\n", "big.bin", 2, armor.ErrForm},
		{"a part of another size", strings.Replace(part, "end=6000", "end=6001", 1) + body + "=yend size=3000\r\n", "big.bin", 2, armor.ErrForm},
		{"an escape at the end of a line", begin + "abc=\r\n" + end, "a b.bin", 0, armor.ErrForm},
	} {
		f, err := armor.YEnc(strings.NewReader(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got, err := io.ReadAll(f)
		if !errors.Is(err, c.err) || c.err == nil && string(got) != data || f.Name != c.file || f.Part != c.part {
			t.Errorf("%s: %d bytes, name %q, part %d, %v", c.name, len(got), f.Name, f.Part, err)
		}
		if c.name == "truncated" && string(got) != data || len(got) < 900 && c.name != "an escape at the end of a line" {
			t.Errorf("%s: what came is not kept: %d bytes", c.name, len(got))
		}
	}
	for _, text := range []string{"", "=ybegin line=128 name=a\r\n", "=ybegin size=x name=a\r\n", "=ybegin part=1 size=3 name=a\r\nabc\r\n", "=ybegin part=1 size=3 name=a\r\n=ypart begin=3 end=2\r\n", strings.Repeat("=", 10_000)} {
		if _, err := armor.YEnc(strings.NewReader(text)); err == nil {
			t.Errorf("%.40q is accepted", text)
		}
	}
}

// FuzzYEnc checks that decoding ends, and returns no more than the text has.
//
// Covers: P6
func FuzzYEnc(f *testing.F) {
	f.Add("=ybegin line=128 size=3 name=a\r\n\x8b\x8c\x8d\r\n=yend size=3 crc32=352441c2\r\n")
	f.Add("=ybegin part=1 line=128 size=3 name=a\r\n=ypart begin=1 end=3\r\n=}\x8c\x8d\r\n=yend size=3\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := armor.YEnc(strings.NewReader(text))
		if err != nil {
			return
		}
		got, err := io.ReadAll(file)
		if len(got) > len(text) || err == nil && int64(len(got)) != file.Size {
			t.Fatalf("%q: %d bytes, %v", text, len(got), err)
		}
	})
}

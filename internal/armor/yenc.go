package armor

import (
	"bytes"
	"encoding/hex"
	"hash/crc32"
	"io"
	"strconv"
	"strings"
)

const yForm = "yEnc file"

// YEnc decodes the first file of a yEncoded text, or the part of a file that an article of several
// has: the lines between "=ybegin" and "=yend" (yEnc 1.3). It skips lines before it. The length and
// the CRC-32 of the part are verified. Part and Parts of the File say which part it is.
func YEnc(r io.Reader) (*File, error) {
	y := &yenc{lines: newLines(r, yForm), crc: crc32.NewIEEE()}
	line, err := y.lines.find(func(line []byte) bool { return bytes.HasPrefix(line, []byte("=ybegin ")) })
	if err != nil {
		return nil, err
	}
	keys := yKeys(string(line))
	f := &File{Name: strings.TrimSpace(keys["name"]), Size: -1, contents: y}
	if y.size, err = yNumber(keys, "size"); err != nil {
		return nil, err
	}
	f.Size = y.size
	if keys["part"] == "" {
		return f, nil
	}
	if line, err = y.lines.next(); err != nil {
		return nil, early(err)
	}
	part := yKeys(string(line))
	if !bytes.HasPrefix(line, []byte("=ypart ")) {
		return nil, malformed(yForm, "the line =ypart is missing")
	}
	begin, err := yNumber(part, "begin")
	end, err2 := yNumber(part, "end")
	if err != nil || err2 != nil || begin < 1 || end < begin {
		return nil, malformed(yForm, "the line =ypart has no range")
	}
	y.part, y.size = true, end-begin+1
	f.Part, _ = strconv.Atoi(keys["part"])
	f.Parts, _ = strconv.Atoi(keys["total"])
	y.number = f.Part
	if whole := f.Size; end > whole || f.Part < 1 || f.Parts > 0 && f.Part > f.Parts {
		y.bad = malformed(yForm, "part %d of %d, bytes %d to %d, is not in a file of %d bytes", f.Part, f.Parts, begin, end, whole)
	}
	f.Size = y.size
	return f, nil
}

// yKeys returns the key=value pairs of a line. The name is the last, and may have spaces.
func yKeys(line string) map[string]string {
	keys := make(map[string]string)
	if before, name, ok := strings.Cut(line, " name="); ok {
		keys["name"], line = name, before
	}
	for _, word := range strings.Fields(line) {
		if key, value, ok := strings.Cut(word, "="); ok && key != "" {
			keys[key] = value
		}
	}
	return keys
}

func yNumber(keys map[string]string, key string) (int64, error) {
	n, err := strconv.ParseInt(keys[key], 10, 64)
	if err != nil || n < 0 {
		return 0, malformed(yForm, "its %s is missing", key)
	}
	return n, nil
}

type yenc struct {
	lines  *lines
	part   bool
	number int   // of the part
	size   int64 // bytes of the file, or of the part
	n      int64
	crc    interface {
		io.Writer
		Sum32() uint32
	}
	buf  []byte
	rest []byte
	err  error
	bad  error // damage, which the reader learns at the end
}

// Read implements io.Reader.
func (y *yenc) Read(p []byte) (int, error) {
	for len(y.rest) == 0 {
		if y.err != nil {
			return 0, y.err
		}
		line, err := y.lines.next()
		if err != nil {
			y.err = early(err)
			continue
		}
		if bytes.HasPrefix(line, []byte("=yend")) {
			y.err = y.end(yKeys(string(line)))
			continue
		}
		y.decode(line)
	}
	n := copy(p, y.rest)
	y.rest = y.rest[n:]
	return n, nil
}

// decode decodes a line: 42 is added to each byte, and a byte after "=" has 64 more.
func (y *yenc) decode(line []byte) {
	y.buf = y.buf[:0]
	for i := 0; i < len(line); i++ {
		c := line[i]
		if c == '=' {
			if i++; i == len(line) {
				y.bad = malformed(yForm, "a line ends in an escape")
				break
			}
			c = line[i] - 64
		}
		y.buf = append(y.buf, c-42)
	}
	y.n += int64(len(y.buf))
	if y.n > y.size {
		y.bad = malformed(yForm, "it is longer than the %d bytes announced", y.size)
	}
	_, _ = y.crc.Write(y.buf) // never fails
	y.rest = y.buf
}

// end compares the length and the checksum.
func (y *yenc) end(keys map[string]string) error {
	if y.bad != nil {
		return y.bad
	}
	if size, err := yNumber(keys, "size"); err != nil || size != y.n || y.n != y.size {
		return malformed(yForm, "it has %d bytes, and %d were announced", y.n, y.size)
	}
	key := "crc32"
	if y.part {
		key = "pcrc32"
		if number, err := yNumber(keys, "part"); keys["part"] != "" && (err != nil || number != int64(y.number)) {
			return malformed(yForm, "it begins as part %d and ends as another", y.number)
		}
	}
	text := keys[key]
	if text == "" {
		return io.EOF // the checksum is optional
	}
	want, err := hex.DecodeString(strings.Repeat("0", max(0, 8-len(text))) + text)
	if err != nil || len(want) != 4 {
		return malformed(yForm, "its checksum cannot be read")
	}
	if got := y.crc.Sum32(); got != uint32(want[0])<<24|uint32(want[1])<<16|uint32(want[2])<<8|uint32(want[3]) {
		return malformed(yForm, "its CRC-32 is %08x, not %s", got, text)
	}
	return io.EOF
}

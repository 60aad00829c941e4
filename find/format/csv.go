package format

import (
	"bufio"
	"bytes"
)

// readCSV finds in the fields of comma-separated values (RFC 4180). The delimiter is a tab, comma,
// semicolon or vertical bar: the one that the first line has most of, and a tab if it has one.
func readCSV(s *scanner) error {
	in := bufio.NewReaderSize(s.in, chunkSize)
	head, _ := in.Peek(4 << 10)
	cells := s.text()
	cells.cells = true
	s.copyTo(&csvReader{to: cells, delimiter: delimiter(head), begin: true}, in)
	return nil
}

// delimiter returns the delimiter of the fields.
func delimiter(head []byte) byte {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	if bytes.IndexByte(line, '\t') >= 0 {
		return '\t'
	}
	best, most := byte(','), 0
	for _, c := range []byte(",;|") {
		if n := bytes.Count(line, []byte{c}); n > most {
			best, most = c, n
		}
	}
	return best
}

// csvReader writes the fields to a sink, each as a text of its own.
type csvReader struct {
	to        sink
	delimiter byte
	begin     bool // at the beginning of a field
	quoted    bool // in a field with quotes
	quote     bool // after a quote in it, which ends it unless another one follows
	quoteAt   int64
}

func (c *csvReader) write(text []byte, at, _ int64) {
	from := 0
	pass := func(k int) {
		if from < k {
			c.to.write(text[from:k], at+int64(from), at+int64(k))
		}
		from = k + 1
	}
	for i, b := range text {
		switch {
		case c.quote && b == '"':
			c.to.write(text[i:i+1], c.quoteAt, at+int64(i)+1)
			c.quote = false
			from = i + 1
		case b == '"' && c.quoted && !c.quote:
			pass(i)
			c.quote, c.quoteAt = true, at+int64(i)
		case b == '"' && c.begin:
			pass(i)
			c.quoted, c.begin = true, false
		case (!c.quoted || c.quote) && (b == c.delimiter || b == '\n'):
			pass(i)
			c.to.close()
			c.begin, c.quoted, c.quote = true, false, false
		default:
			if c.quote { // text after the quotes
				c.quoted, c.quote = false, false
			}
			c.begin = false
		}
	}
	pass(len(text))
}

func (c *csvReader) close() { c.to.close() }

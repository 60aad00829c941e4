package gophertest

import (
	"bufio"
	"io"
	"strconv"
	"strings"
)

// request is a request: selector [TAB search] [TAB command [TAB flag]] CR LF [data].
type request struct {
	line     string
	selector string
	search   string
	command  string // of Gopher+; "" for a plain request
	twoTabs  bool   // an empty search field precedes the command
	hasData  bool
	data     string
}

const (
	maxRequest = 4 << 10 // bytes of a line
	maxData    = 1 << 20 // bytes of the data of a form
)

// readLine reads a line, which may end in LF alone.
func readLine(in *bufio.Reader) (string, error) {
	var line []byte
	for {
		c, err := in.ReadByte()
		if err != nil {
			return "", err
		}
		if c == '\n' {
			return strings.TrimSuffix(string(line), "\r"), nil
		}
		if line = append(line, c); len(line) > maxRequest {
			return "", bufio.ErrTooLong
		}
	}
}

// parse parses a request line. isSearch reports whether a selector is that of a search; its second
// field is then always the words.
func parse(line string, isSearch func(selector string) bool) request {
	fields := strings.Split(line, "\t")
	r := request{line: line, selector: fields[0]}
	rest := fields[1:]
	if len(rest) > 0 && (isSearch(r.selector) || !isCommand(rest[0])) {
		r.search, rest = rest[0], rest[1:]
		r.twoTabs = r.search == "" && len(rest) > 0
	}
	if len(rest) > 0 {
		r.command = rest[0]
		r.hasData = len(rest) > 1 && rest[1] == "1"
	}
	return r
}

func isCommand(field string) bool { return field != "" && strings.IndexByte("+!$%", field[0]) >= 0 }

// readData reads the data block of a form (the Gopher+ document 2.8).
func (r *request) readData(in *bufio.Reader, seen func(string)) error {
	head, err := readLine(in)
	if err != nil {
		return err
	}
	seen(head)
	if head == "+-1" {
		for {
			line, err := readLine(in)
			if err != nil {
				return err
			}
			seen(line)
			if line == "." {
				return nil
			}
			if r.data += line + "\r\n"; len(r.data) > maxData {
				return bufio.ErrTooLong
			}
		}
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(head, "+"), 10, 20)
	if err != nil {
		return err
	}
	data := make([]byte, n)
	_, err = io.ReadFull(in, data)
	r.data = string(data)
	for line := range strings.SplitSeq(strings.TrimSuffix(r.data, "\r\n"), "\r\n") {
		seen(line)
	}
	return err
}

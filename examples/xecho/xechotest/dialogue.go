package xechotest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"

	"locator/schemetest/peer"
)

// dialogue is one connection.
type dialogue struct {
	s *Server
	c net.Conn
	r *bufio.Reader
}

// line reads a line of bounded length.
func (d *dialogue) line() (string, bool) {
	line, err := d.r.ReadSlice('\n')
	return strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r"), err == nil
}

func (d *dialogue) answer(line string) {
	verb, name, _ := strings.Cut(line, " ")
	switch verb {
	case "GET":
		d.get(name)
	case "LIST":
		d.list(name)
	case "PUT":
		d.put(name)
	default:
		d.say("-what\r\n")
	}
}

func (d *dialogue) get(name string) {
	text, ok := d.s.text(name)
	if !ok {
		d.say("-missing nothing of that name\r\n")
		return
	}
	if !d.say(fmt.Sprintf("+%d\r\n", len(text))) {
		return
	}
	switch {
	case d.is(peer.StallBody):
		if d.say(text[:len(text)/2]) {
			peer.Hang(d.c)
		}
	case d.is(peer.Torn):
		d.say(text[:len(text)/2])
	default:
		d.say(text)
	}
}

func (d *dialogue) list(folder string) {
	if d.is(peer.EndlessList) {
		d.say("+\r\n")
		d.flood("1 endless\r\n")
		return
	}
	var lines []string
	d.s.mu.Lock()
	for name, text := range d.s.texts {
		rest, ok := strings.CutPrefix(name, folder)
		if !ok {
			continue
		}
		line := fmt.Sprintf("%d %s", len(text), rest)
		if sub, _, ok := strings.Cut(rest, "/"); ok {
			line = "- " + sub + "/"
		}
		lines = append(lines, line)
	}
	d.s.mu.Unlock()
	if len(lines) == 0 {
		d.say("-missing no such folder\r\n")
		return
	}
	slices.Sort(lines)
	d.say("+\r\n" + strings.Join(slices.Compact(lines), "\r\n") + "\r\n.\r\n")
}

// maxText bounds the text of one name, in bytes.
const maxText = 16 << 20

// put reads chunks. It keeps the old text until the last chunk.
func (d *dialogue) put(name string) {
	if name == "" || strings.HasSuffix(name, "/") || !d.say("+\r\n") {
		return
	}
	var text strings.Builder
	for {
		line, ok := d.line()
		n, err := strconv.Atoi(line)
		if !ok || err != nil || n < 0 || text.Len()+n > maxText {
			return
		}
		if n == 0 {
			break
		}
		if _, err := io.CopyN(&text, d.r, int64(n)); err != nil {
			return
		}
	}
	d.s.put(name, text.String())
	d.say("+\r\n")
}

//go:build linux

package main

import (
	"bufio"
	"compress/gzip"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
)

// textSize is the size of a text, in bytes.
const textSize = 32 << 20

// texts makes local files that are hostile to find. Their folder is removed when the last one is
// closed.
func texts() (list []server, err error) {
	dir, err := os.MkdirTemp("", "locator-texts-")
	if err != nil {
		return nil, err
	}
	for i, t := range []struct {
		name, file, text string
		quick            bool
	}{
		{"file, a line without end", "line.txt", "see http://host.dom/a, " + strings.Repeat("and so on ", 300), true},
		{"file, a URL without end", "url.txt", "http://host.dom/a", false},
		{"file, a URL in angle brackets without end", "wrapper.txt", "<URL:http://h/" + strings.Repeat("a\n", 40), false},
		{"file, markup without end", "tag.html", "<a href='x' title=\"", false},
		{"file, a message of parts without end", "parts.eml", "Content-Type: multipart/mixed; boundary=x\n\n--x\n", false},
		{"file, a gzip bomb", "bomb.gz", strings.Repeat(" ", 1000), true},
	} {
		name := filepath.Join(dir, t.file)
		if err := writeText(name, t.text); err != nil {
			os.RemoveAll(dir)
			return nil, err
		}
		remove := func() { os.Remove(name) }
		if i == 0 {
			remove = func() { os.RemoveAll(dir) }
		}
		list = append(list, server{t.name, "file://" + name, t.quick, remove})
	}
	return list, nil
}

// writeText writes a text again and again, or a gzip file of ten times as much.
func writeText(name, text string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	var w io.WriteCloser = f
	n := textSize / len(text)
	if filepath.Ext(name) == ".gz" {
		w, n = gzip.NewWriter(f), 10*n
	}
	for range n {
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
	return w.Close()
}

func terminalText(c net.Conn, _ *bufio.Reader) { repeat(c, "x%d") }

func terminalSequence(c net.Conn, _ *bufio.Reader) {
	io.WriteString(c, "\x1b]0;")
	repeat(c, "x%d")
}

// terminalRequests asks for each option again and again, and reads nothing.
func terminalRequests(c net.Conn, _ *bufio.Reader) {
	out := bufio.NewWriter(c)
	for i := 0; ; i++ {
		if _, err := out.Write([]byte{0xff, 0xfb + byte(i&1)*2, byte(i>>1) & 0x7f}); err != nil {
			return
		}
	}
}

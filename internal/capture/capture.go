package capture

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

const (
	maxLine = 64 << 10 // bytes; the format promises less than 32 KiB
	maxFile = 16 << 20 // bytes
)

// Exchange is one capture file.
type Exchange struct {
	Name     string            // path of the file relative to the folder, without .txt
	Header   map[string]string // title, protocol, transport, server, client, half-close, close
	Messages []Message         // in the order in which they were sent or received
}

// Message is one write of the client, or the data that the server sent at one time; with UDP it is
// one datagram.
type Message struct {
	Client bool   // true: from the client to the server
	Data   []byte // never empty
	Text   string // the comment that spells Data as a Go string literal, still quoted, of a datagram without its header; "" if there is none
	Line   int    // line number in the file, from 1
}

// Sent returns all the bytes that the client sent.
func (e *Exchange) Sent() []byte { return e.join(true) }

// Received returns all the bytes that the server sent; none if it closed the connection without a
// reply.
func (e *Exchange) Received() []byte { return e.join(false) }

func (e *Exchange) join(client bool) []byte {
	var b []byte
	for _, m := range e.Messages {
		if m.Client == client {
			b = append(b, m.Data...)
		}
	}
	return b
}

// SyntaxError describes an error in a capture file.
type SyntaxError struct {
	Line int // from 1
	Msg  string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("capture: line %d: %s", e.Line, e.Msg) }

// Read parses one capture. The error is a *SyntaxError or that of r.
func Read(r io.Reader) (*Exchange, error) {
	limited := &io.LimitedReader{R: r, N: maxFile + 1}
	e := &Exchange{Header: make(map[string]string)}
	s := bufio.NewScanner(limited)
	s.Buffer(nil, maxLine)
	// bufio.ScanLines would remove a CR before the LF.
	s.Split(splitLF)
	head, text, line := true, "", 0
	for s.Scan() {
		line++
		if limited.N == 0 {
			return nil, &SyntaxError{line, fmt.Sprintf("the file is longer than %d bytes", maxFile)}
		}
		if msg := e.line(s.Text(), line, &head, &text); msg != "" {
			return nil, &SyntaxError{line, msg}
		}
	}
	if err := s.Err(); err == bufio.ErrTooLong {
		return nil, &SyntaxError{line + 1, fmt.Sprintf("longer than %d bytes", maxLine)}
	} else if err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	if len(e.Messages) == 0 {
		return nil, &SyntaxError{line, "the file has no message"}
	}
	return e, nil
}

func splitLF(data []byte, atEOF bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// line parses one line. head is true up to the first empty line, and text is the comment that
// precedes the next message. line returns a description of the error, or "".
func (e *Exchange) line(l string, number int, head *bool, text *string) string {
	switch {
	case l == "":
		*head = false
		return ""
	case l[0] == '#' && *head:
		key, value, ok := strings.Cut(strings.TrimPrefix(l[1:], " "), ": ")
		if !ok {
			return "a header line must be \"# key: value\""
		}
		if _, twice := e.Header[key]; twice {
			return "a second header line " + strconv.Quote(key)
		}
		e.Header[key] = value
		return ""
	case l[0] == '#':
		if t, ok := strings.CutPrefix(l, "# text "); ok {
			*text = t
		}
		return ""
	case l[0] != '>' && l[0] != '<':
		return "a line must be empty or begin with #, > or <"
	}
	*head = false
	if len(l) < 4 || l[1] != ' ' {
		return "one space and the bytes in hex must follow > or <"
	}
	data, err := hex.DecodeString(l[2:])
	if err != nil || strings.ToLower(l) != l {
		return "not an even number of lower-case hex digits"
	}
	e.Messages = append(e.Messages, Message{Client: l[0] == '>', Data: data, Text: *text, Line: number})
	*text = ""
	return ""
}

// ReadDir reads every .txt file in a folder of fsys and in its subfolders, sorted by name. It fails
// if there is none, since a test over no captures would pass.
func ReadDir(fsys fs.FS, dir string) ([]*Exchange, error) {
	var all []*Exchange
	err := fs.WalkDir(fsys, dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".txt" {
			return err
		}
		f, err := fsys.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		e, err := Read(f)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		e.Name = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(name, dir), "/"), ".txt")
		all = append(all, e)
		return nil
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("capture: no .txt file in %s", dir)
	}
	return all, err
}

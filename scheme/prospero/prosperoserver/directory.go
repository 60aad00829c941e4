package prosperoserver

import (
	"fmt"
	"io"
	"strings"
	"time"

	"locator/scheme/prospero/internal/text"
)

// Root is the name of the directory with all files.
const Root = "AFTP"

// Bounds of what one request costs. The packets of a response have numbers of 16 bits.
const (
	maxCommands = 32                     // of a request; clients send four
	maxReply    = 2*maxContent + 128<<10 // bytes; a file of quotes is twice as long in a reply
	maxWork     = 2*maxItems + 10_000    // names that are read, files that are looked up, and what takes as long: one folder of maxItems, with attributes
)

// tooMany is the reply in place of one that is too long, or takes too long.
const tooMany = "FAILURE TOO-MANY\n"

// request is a request that is being answered.
type request struct {
	*Server
	left int    // of maxWork
	dir  string // of DIRECTORY
}

// work reports whether work of n units is allowed.
func (r *request) work(n int) bool {
	r.left -= n
	return r.left >= 0
}

// answer answers the commands of a request.
func (s *Server) answer(asked []byte) []byte {
	s.seen(strings.TrimSuffix(string(asked), "\n"))
	in := text.NewScanner(strings.NewReader(string(asked)), 64<<10)
	var lines [][]string
	var err error
	for err == nil {
		var line []string
		if line, err = in.Line(); err == nil {
			lines = append(lines, line)
		}
		if len(lines) > maxCommands {
			return []byte(tooMany)
		}
	}
	if len(asked) == 0 {
		return []byte("ERROR ERROR Received empty Prospero request packet\n")
	}
	r := &request{Server: s, left: maxWork}
	var out strings.Builder
	for i, line := range lines {
		reply, ok := r.command(line, lines[i+1:])
		if out.Len()+len(reply) > maxReply || r.left < 0 {
			return []byte(tooMany)
		}
		if out.WriteString(reply); !ok {
			return []byte(out.String())
		}
	}
	if err != io.EOF {
		out.WriteString("ERROR Malformed input line: Read' Prospero message with an unterminated quote'\n")
	}
	return []byte(out.String())
}

// command answers one command. next are the lines behind it. ok is false if the request ends with
// its failure.
func (r *request) command(line []string, next [][]string) (reply string, ok bool) {
	arg := func(n int) string {
		if n < len(line) {
			return line[n]
		}
		return ""
	}
	switch line[0] {
	case "VERSION":
		switch arg(1) {
		case "":
			return "VERSION 5 " + r.options.Software + "\n", true
		case "5":
			return "", true
		}
		return "VERSION-NOT-SUPPORTED TRY 1-5", false
	case "PARAMETER":
		switch {
		case arg(1) != "GET" || arg(2) != "MOTD":
			return "FAILURE NOT-FOUND PARAMETER\n", false
		case r.options.MOTD == "":
			return "PARAMETER NOTSET MOTD\n", true
		}
		return "PARAMETER VALUE MOTD " + text.QuoteEnd(r.options.MOTD) + "\n", true
	case "STATUS":
		return r.status(), true
	case "AUTHENTICATE", "SELECT", "FILTER": // a filter belongs to the LIST before it
		return "", true
	case "DIRECTORY":
		if arg(1) != "ASCII" {
			return "ERROR Directory handle type " + arg(1) + " not supported\n", false
		}
		r.dir = arg(2)
		return "", true
	case "LIST":
		var names []string
		if arg(2) == "COMPONENTS" {
			names = line[3:]
		}
		return r.list(options(arg(1)), names, next)
	case "ATOMIC":
		return "FAILURE UNIMPLEMENTED ATOMIC\n", false
	case "GET-OBJECT-INFO":
		if len(line) < 4 {
			return "ERROR wrong number of arguments\n", false
		}
		return r.info(options(arg(1)), arg(3))
	}
	return "ERROR Unknown message: " + strings.Join(line, " ") + "\n", false
}

// options returns the names of a list such as "ATTRIBUTES(SIZE+OWNER)+LEXPAND". Text in parentheses
// is left out: the server of 1994 ignored it.
func options(list string) (names []string) {
	depth := 0
	var b strings.Builder
	for _, c := range []byte(list + "+") {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth > 0:
		case c == '+':
			names = append(names, b.String())
			b.Reset()
		default:
			b.WriteByte(c)
		}
	}
	return names
}

// status answers STATUS, for people.
func (s *Server) status() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprintf("Prospero server (%s) %s\nRequests since startup %d\nStarted: %s\n", s.options.Software, s.name(), s.requests, s.started.UTC().Format(time.RFC1123))
}

// split returns the parts of a name below Root. ok is false for a name that is not below it.
func split(name string) (parts []string, ok bool) {
	rest, ok := strings.CutPrefix(name, Root)
	if !ok || rest != "" && rest[0] != '/' {
		return nil, false
	}
	for part := range strings.SplitSeq(rest, "/") {
		switch part {
		case "":
		case ".", "..": // the server of 1994 lets them lead out of its tree
			return nil, false
		default:
			parts = append(parts, part)
		}
	}
	return parts, true
}

// forward returns the FORWARDED line for a name that was forwarded.
func (s *Server) forward(name string) string {
	if to := s.names.Forwarded(name); to != "" {
		return "FORWARDED " + to + "\n"
	}
	return ""
}

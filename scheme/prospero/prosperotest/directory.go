package prosperotest

import (
	"fmt"
	"io"
	"net/netip"
	"path"
	"slices"
	"strconv"
	"strings"

	"locator/scheme/prospero/internal/text"
)

// Root is the name of the directory with all files.
const Root = "AFTP"

// Bounds of what one request costs. The packets of a response have numbers of 16 bits.
const (
	maxCommands = 32                     // of a request; clients send four
	maxReply    = 2*maxContent + 128<<10 // bytes; a file of quotes is twice as long in a reply
)

// tooMany is the reply in place of one that is too long.
const tooMany = "FAILURE TOO-MANY\n"

// answer answers the commands of a request.
func (s *Server) answer(from netip.AddrPort, request []byte) []byte {
	s.Seen(strings.TrimSuffix(string(request), "\n"))
	in := text.NewScanner(strings.NewReader(string(request)), 64<<10)
	var out strings.Builder
	dir := ""
	for n := 0; ; n++ {
		line, err := in.Line()
		if err == io.EOF {
			return []byte(out.String())
		}
		if n == maxCommands {
			return []byte(tooMany)
		}
		if err != nil {
			return []byte(out.String() + "ERROR Malformed input line: Read' Prospero message with an unterminated quote'\n")
		}
		reply, ok := s.command(line, &dir)
		if out.Len()+len(reply) > maxReply {
			return []byte(tooMany)
		}
		out.WriteString(reply)
		if !ok {
			return []byte(out.String())
		}
	}
}

// software is the software id of the server.
const software = "locator-test"

// command answers one command. ok is false if the request ends with its failure.
func (s *Server) command(line []string, dir *string) (reply string, ok bool) {
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
			return "VERSION 5 " + software + "\n", true
		case "5":
			return "", true
		}
		return "VERSION-NOT-SUPPORTED TRY 1-5", false
	case "PARAMETER":
		switch {
		case arg(1) != "GET" || arg(2) != "MOTD":
			return "FAILURE NOT-FOUND PARAMETER\n", false
		case s.motd == "":
			return "PARAMETER NOTSET MOTD\n", true
		}
		return "PARAMETER VALUE MOTD " + text.Quote(s.motd) + "\n", true
	case "AUTHENTICATE", "SELECT":
		return "", true
	case "DIRECTORY":
		if arg(1) != "ASCII" {
			return "ERROR Directory handle type " + arg(1) + " not supported\n", false
		}
		*dir = arg(2)
		return "", true
	case "LIST":
		return s.list(*dir, slices.Contains(line[1:], "ATTRIBUTES"), line)
	case "GET-OBJECT-INFO":
		return s.info(strings.Split(arg(1), "+"), arg(3))
	}
	return "ERROR Unknown message: " + strings.Join(line, " ") + "\n", false
}

// list answers LIST.
func (s *Server) list(dir string, attributes bool, line []string) (string, bool) {
	if to := s.forward(dir); to != "" {
		return to, true
	}
	p, ok := split(dir)
	if !ok {
		return "FAILURE NOT-AUTHORIZED\n", false
	}
	items, ok := s.files.list(p)
	if f, there := s.files.stat(p); !ok && there && f.dir { // which this program may not read
		return "FAILURE NOT-AUTHORIZED\n", false
	}
	if !ok {
		return "FAILURE NOT-A-DIRECTORY\n", false
	}
	if len(items) > maxItems {
		return tooMany, false
	}
	var names []string
	if i := slices.Index(line, "COMPONENTS"); i >= 0 {
		names = line[i+1:]
	}
	var b strings.Builder
	for _, c := range items {
		if len(names) > 0 && names[0] != c.name {
			continue
		}
		at := path.Join(dir, c.name)
		target := "FILE"
		if c.dir {
			target = "DIRECTORY"
		}
		fmt.Fprintf(&b, "LINK  L %s %s INTERNET-D %s ASCII %s 0\n", target, text.Quote(c.name), s.name(), text.Quote(at))
		if attributes && !c.dir {
			b.WriteString(s.attributes(c, at))
		}
	}
	for _, l := range s.files.links(p) {
		b.WriteString(l + "\n")
	}
	for _, l := range s.links[strings.Join(p, "/")] {
		b.WriteString(s.here(l) + "\n")
	}
	if b.Len() == 0 {
		return "NONE-FOUND\n", true
	}
	return b.String(), true
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

// attributes returns the ATTRIBUTE lines of a file, with the access methods that the server of 1994 gives.
func (s *Server) attributes(f item, at string) string {
	line := func(name string, values ...string) string {
		written := "ATTRIBUTE OBJECT INTRINSIC " + name + " SEQUENCE"
		for _, v := range values {
			written += " " + text.Quote(v)
		}
		return written + "\n"
	}
	modified := line("LAST-MODIFIED", f.modified.UTC().Format("20060102150405Z"))
	if f.dir {
		return modified + line("UNIX-MODES", "drwxr-xr-x")
	}
	all := line("SIZE", strconv.FormatInt(f.size, 10)+" bytes") + line("NATIVE-OWNER", "root") + line("NATIVE-GROUP", "root") + modified + line("UNIX-MODES", "-rw-r--r--")
	if f.size <= maxContent {
		all += line("ACCESS-METHOD", "PROSPERO-CONTENTS", "", "", "", "")
	}
	if s.dir == nil {
		all += line("ACCESS-METHOD", "LOCAL", "", "", "", "") + line("ACCESS-METHOD", "AFTP", "INTERNET-D", host, "ASCII", strings.TrimPrefix(at, Root), "BINARY")
	}
	return all
}

// info answers GET-OBJECT-INFO.
func (s *Server) info(names []string, name string) (string, bool) {
	if to := s.forward(name); to != "" {
		return to, true
	}
	if lines, ok := s.objects[name]; ok {
		return s.here(lines), true
	}
	p, ok := split(name)
	if !ok {
		return "FAILURE NOT-AUTHORIZED\n", false
	}
	f, ok := s.files.stat(p)
	switch {
	case !ok, slices.Equal(names, []string{"ACCESS-METHOD"}): // the server of 1994 says so for ACCESS-METHOD alone
		return "FAILURE NOT-FOUND\n", false
	case !slices.Contains(names, "CONTENTS"):
		return s.attributes(f, name), true
	case f.dir:
		return "NONE-FOUND\n", true
	}
	content, ok := s.files.read(p)
	if !ok {
		return "FAILURE SERVER-FAILED\n", false
	}
	return "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA " + text.Quote(content) + "\n", true
}

// forward returns the FORWARDED line for a name that was forwarded.
func (s *Server) forward(name string) string {
	if to, ok := s.forwards[name]; ok {
		return "FORWARDED " + s.here(to) + "\n"
	}
	return ""
}

// here replaces HOST by the name and port of the server.
func (s *Server) here(line string) string { return strings.ReplaceAll(line, "HOST", s.name()) }

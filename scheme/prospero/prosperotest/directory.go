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
	"locator/schemetest/peer"
)

// Root is the name of the directory with all files.
const Root = "AFTP"

// node is a directory or file.
type node struct {
	name     string
	file     *peer.File
	children []*node
	lines    []string // LINK and ATTRIBUTE lines besides those of children
}

func (n *node) child(name string) *node {
	for _, c := range n.children {
		if c.name == name {
			return c
		}
	}
	return nil
}

// tree makes directories of files.
func tree(files []peer.File) *node {
	root := &node{name: Root}
	for i, f := range files {
		at := root
		for j, name := range f.Path {
			next := at.child(name)
			if next == nil {
				next = &node{name: name}
				at.children = append(at.children, next)
			}
			if j == len(f.Path)-1 {
				next.file = &files[i]
			}
			at = next
		}
	}
	return root
}

// find returns the node with a name, which begins with Root.
func (s *Server) find(name string) *node {
	if name != Root && !strings.HasPrefix(name, Root+"/") {
		return nil
	}
	at := s.root
	for part := range strings.SplitSeq(strings.TrimPrefix(name, Root), "/") {
		if part == "" {
			continue
		}
		if at = at.child(part); at == nil {
			return nil
		}
	}
	return at
}

// answer answers the commands of a request.
func (s *Server) answer(from netip.AddrPort, request []byte) []byte {
	s.Seen(strings.TrimSuffix(string(request), "\n"))
	in := text.NewScanner(strings.NewReader(string(request)), 64<<10)
	var out strings.Builder
	dir := ""
	for {
		line, err := in.Line()
		if err == io.EOF {
			return []byte(out.String())
		}
		if err != nil {
			return []byte(out.String() + "ERROR Malformed input line: Read' Prospero message with an unterminated quote'\n")
		}
		reply, ok := s.command(line, &dir)
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
	if dir != Root && !strings.HasPrefix(dir, Root+"/") {
		return "FAILURE NOT-AUTHORIZED\n", false
	}
	n := s.find(dir)
	if n == nil || n.file != nil {
		return "FAILURE NOT-A-DIRECTORY\n", false
	}
	var names []string
	if i := slices.Index(line, "COMPONENTS"); i >= 0 {
		names = line[i+1:]
	}
	var b strings.Builder
	for _, c := range n.children {
		if len(names) > 0 && names[0] != c.name {
			continue
		}
		at := path.Join(dir, c.name)
		fmt.Fprintf(&b, "LINK  L %s %s INTERNET-D %s ASCII %s 0\n", target(c), text.Quote(c.name), s.name(), text.Quote(at))
		if attributes && c.file != nil {
			b.WriteString(s.attributes(c, at))
		}
	}
	for _, l := range n.lines {
		b.WriteString(l + "\n")
	}
	if b.Len() == 0 {
		return "NONE-FOUND\n", true
	}
	return b.String(), true
}

func target(n *node) string {
	if n.file == nil {
		return "DIRECTORY"
	}
	return "FILE"
}

// attributes returns the ATTRIBUTE lines of a file, with the access methods that the server of 1994 gives.
func (s *Server) attributes(n *node, at string) string {
	line := func(name string, values ...string) string {
		written := "ATTRIBUTE OBJECT INTRINSIC " + name + " SEQUENCE"
		for _, v := range values {
			written += " " + text.Quote(v)
		}
		return written + "\n"
	}
	if n.file == nil {
		return line("UNIX-MODES", "drwxr-xr-x")
	}
	return line("SIZE", strconv.Itoa(len(n.file.Content))+" bytes") + line("NATIVE-OWNER", "root") + line("NATIVE-GROUP", "root") +
		line("LAST-MODIFIED", n.file.Modified.UTC().Format("20060102150405Z")) + line("UNIX-MODES", "-rw-r--r--") +
		line("ACCESS-METHOD", "PROSPERO-CONTENTS", "", "", "", "") + line("ACCESS-METHOD", "LOCAL", "", "", "", "") +
		line("ACCESS-METHOD", "AFTP", "INTERNET-D", host, "ASCII", strings.TrimPrefix(at, Root), "BINARY")
}

// info answers GET-OBJECT-INFO.
func (s *Server) info(names []string, name string) (string, bool) {
	if to := s.forward(name); to != "" {
		return to, true
	}
	if lines, ok := s.objects[name]; ok {
		return lines, true
	}
	n := s.find(name)
	switch {
	case name != Root && !strings.HasPrefix(name, Root+"/"):
		return "FAILURE NOT-AUTHORIZED\n", false
	case n == nil, slices.Equal(names, []string{"ACCESS-METHOD"}): // the server of 1994 says so for ACCESS-METHOD alone
		return "FAILURE NOT-FOUND\n", false
	case slices.Contains(names, "CONTENTS"):
		if n.file == nil {
			return "NONE-FOUND\n", true
		}
		return "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA " + text.Quote(n.file.Content) + "\n", true
	}
	return s.attributes(n, name), true
}

// forward returns the FORWARDED line for a name that was forwarded.
func (s *Server) forward(name string) string {
	if to, ok := s.forwards[name]; ok {
		return "FORWARDED " + to + "\n"
	}
	return ""
}

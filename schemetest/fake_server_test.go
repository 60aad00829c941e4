package schemetest

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"locator"
	"locator/schemetest/peer"
)

// fakeServer is a server of a simple protocol: a line "VERB argument", a reply "OK ...", "NO
// reason" or "BUSY reason".
//
//	LOGIN user password     OK
//	GET path                OK size, then size bytes; or "OK AT path" for "moved"
//	LIST path               OK, lines "F size name" and "D name", and "."
//	SIZE path               OK size
//	REMOVE path             OK, or "FULL" for a directory with something in it
//	MOVE path TAB path      OK, or "HAVE it"
//	MKDIR path              OK, or "HAVE it"
//	PUT path, APPEND path   OK, then chunks "n" and n bytes up to "0", then OK
type fakeServer struct {
	*peer.Host

	mu    sync.Mutex
	files map[string]string
	mail  []string
}

func startFake(t *testing.T) Server { return serveFake(t, nil) }

// serveFake starts a server, over TLS if config is not nil.
func serveFake(t *testing.T, config *tls.Config) Server {
	t.Helper()
	h, err := peer.Listen()
	if err != nil {
		t.Fatal(err)
	}
	s := &fakeServer{Host: h, files: make(map[string]string)}
	for _, f := range Tree() {
		s.files[strings.Join(f.Path, "/")] = f.Content
	}
	s.Serve(func(c net.Conn) {
		if config != nil {
			over := tls.Server(c, config)
			defer over.Close()
			c = over
		}
		s.converse(c)
	})
	return s
}

func (s *fakeServer) URL(path ...string) locator.URL {
	return s.url(locator.Login{}, path)
}

func (s *fakeServer) url(l locator.Login, path []string) locator.URL {
	host, port, _ := net.SplitHostPort(s.Addr())
	l.Hostport = locator.Hostport{Host: host, Port: port}
	n := len(path) - 1
	u, err := locator.Build(&locator.FTP{Login: l, Dirs: path[:n], Name: locator.Some(path[n])})
	if err != nil {
		panic(err)
	}
	return u
}

func (s *fakeServer) login() locator.URL {
	return s.url(locator.Login{User: locator.Some("alice"), Password: locator.Some("s3cret-pw")}, []string{"etc", "motd"})
}

func (s *fakeServer) File(path ...string) ([]byte, bool) {
	text, ok := s.file(strings.Join(path, "/"))
	return []byte(text), ok
}

func (s *fakeServer) file(path string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, ok := s.files[path]
	return text, ok
}

func (s *fakeServer) is(f Fault) bool { return s.Fault() == f }

// talk is one connection.
type talk struct {
	s *fakeServer
	c net.Conn
	r *bufio.Reader
}

func (s *fakeServer) converse(c net.Conn) {
	t := &talk{s, c, bufio.NewReader(c)}
	for {
		line, err := t.r.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimRight(line, "\r\n")
		s.Seen(line)
		if !t.answer(line) {
			return
		}
	}
}

// hang blocks until the client closes the connection.
func (t *talk) hang() bool {
	peer.Hang(t.c)
	return false
}

func (t *talk) say(text string) bool {
	if t.s.is(Drip) {
		return peer.WriteSlowly(t.c, []byte(text)) == nil
	}
	_, err := io.WriteString(t.c, text)
	return err == nil
}

func (t *talk) flood(text string) bool {
	for t.say(text) {
	}
	return false
}

func (t *talk) answer(line string) bool {
	switch s := t.s; {
	case s.is(Stall):
		return t.hang()
	case s.is(Nonsense):
		return t.say("SSH-2.0-nonsense\r\n")
	case s.is(WrongCode):
		return t.say("OK then\r\n")
	case s.is(Unavailable):
		return t.say("BUSY full\r\n")
	case s.is(EndlessLine):
		return t.flood(strings.Repeat("x", 1<<10))
	}
	verb, arg, _ := strings.Cut(line, " ")
	switch verb {
	case "LOGIN":
		if arg != "alice s3cret-pw" {
			return t.say("NO login\r\n")
		}
		return t.say("OK\r\n")
	case "GET":
		return t.get(arg)
	case "SIZE":
		text, ok := t.s.file(arg)
		if !ok {
			return t.say("NO such file\x1b[2J\r\n")
		}
		return t.say(fmt.Sprintf("OK %d\r\n", len(text)))
	case "LIST":
		return t.list(strings.Trim(arg, "/"))
	case "PUT", "APPEND":
		return t.put(verb, arg)
	case "REMOVE", "PURGE", "MOVE", "FORCE", "COPY", "MKDIR":
		return t.change(verb, arg)
	}
	return t.say("WHAT\r\n")
}

func (t *talk) get(path string) bool {
	if path == "moved" {
		return t.say("OK AT text.txt\r\n")
	}
	text, ok := t.s.file(path)
	if !ok {
		return t.say("NO such file\x1b[2J\r\n")
	}
	size := len(text)
	if t.s.is(Short) {
		size += 10
	}
	if !t.say(fmt.Sprintf("OK %d\r\n", size)) {
		return false
	}
	switch {
	case t.s.is(Short):
		t.say(text)
		return false
	case t.s.is(StallBody):
		return t.say(text[:len(text)/2]) && t.hang()
	case t.s.is(Torn):
		t.say(text[:len(text)/2])
		return false
	}
	return t.say(text)
}

func (t *talk) list(dir string) bool {
	if t.s.is(EndlessList) {
		return t.say("OK\r\n") && t.flood(strings.Repeat("F 1 endless\r\n", 20))
	}
	if dir != "" {
		dir += "/"
	}
	var lines []string
	there := false
	t.s.mu.Lock()
	for path, text := range t.s.files {
		rest, ok := strings.CutPrefix(path, dir)
		there = there || ok
		if !ok || rest == "" {
			continue
		}
		line := fmt.Sprintf("F %d %s", len(text), rest)
		if name, _, sub := strings.Cut(rest, "/"); sub {
			line = "D " + name
		}
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	t.s.mu.Unlock()
	if !there {
		return t.say("NO such folder\r\n")
	}
	return t.say("OK\r\n" + strings.Join(append(lines, "."), "\r\n") + "\r\n")
}

func (t *talk) put(verb, path string) bool {
	if !t.say("OK\r\n") {
		return false
	}
	var text strings.Builder
	for {
		line, err := t.r.ReadString('\n')
		n, bad := strconv.Atoi(strings.TrimRight(line, "\r\n"))
		if err != nil || bad != nil {
			return false
		}
		if n == 0 {
			break
		}
		if _, err := io.CopyN(&text, t.r, int64(n)); err != nil {
			return false
		}
	}
	t.s.mu.Lock()
	if path == mailbox {
		t.s.mail = append(t.s.mail, text.String())
	}
	if verb == "PUT" {
		t.s.files[path] = ""
	}
	t.s.files[path] += text.String()
	t.s.mu.Unlock()
	if t.s.is(Unanswered) {
		return false
	}
	return t.say("OK\r\n")
}

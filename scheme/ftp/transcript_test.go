package ftp_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"locator"
	"locator/client"
	systemclock "locator/internal/clock"
	"locator/scheme"
	"locator/scheme/ftp"
	"locator/wire"
)

var update = flag.Bool("update", false, "update the golden parts of testdata")

// TestTranscripts plays the dialogues in testdata/transcripts. The server sends exactly the replies
// of the file, and the client must send exactly its bytes. A file has the parts
//
//	requests  lines "VERB URL [WORD=VALUE ...]"; HOST stands for the server
//	dialogue  "> " the client must send, "< " the server says; "data send", "data expect" (all up to the end of
//	          the client's side), "data open" (the client has not ended it), "data close" on the data connection, whose port PORT (or, in a 227, HI,LO) stands for; TEMP is the random part of a temporary name;
//	          "close" ends the connection, "end" waits for the client to do so, "connection" begins the next one
//	result    the results (written by -update)
//
// with bytes escaped as in a trace.
//
// Covers: A1, A2, A3, A4, A5, A15, P2, P3, P5, P6, T8, T9, T81, T82
func TestTranscripts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/transcripts/*.txtar")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d transcripts, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			playTranscript(t, file)
		})
	}
}

func playTranscript(t *testing.T, file string) {
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parts := make(map[string]string)
	for _, f := range a.Files {
		parts[f.Name] = string(f.Data)
	}
	s := newScripted(t, parts["dialogue"])
	got := s.run(t, parts["requests"])
	if err := s.end(); err != nil {
		t.Errorf("the dialogue of %s: %v", file, err)
	}
	if *update && !t.Failed() {
		for i := range a.Files {
			if a.Files[i].Name == "result" {
				a.Files[i].Data = []byte(got)
			}
		}
		if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want := parts["result"]; got != want {
		t.Errorf("%s: result\n%s\nwant\n%s", file, got, want)
	}
}

// scripted is a server that follows a script.
type scripted struct {
	addr string
	l    net.Listener
	done chan error
}

func newScripted(t *testing.T, script string) *scripted {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	s := &scripted{addr: l.Addr().String(), l: l, done: make(chan error, 1)}
	var connections [][]string
	var steps []string
	for line := range strings.Lines(script) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "connection":
			connections = append(connections, steps)
			steps = nil
		case line != "" && line[0] != '#':
			steps = append(steps, line)
		}
	}
	connections = append(connections, steps)
	go func() {
		var failed error
		for _, steps := range connections {
			if err := play(l, steps); err != nil {
				failed = err
				break
			}
		}
		l.Close() // a further connection is refused
		s.done <- failed
	}()
	return s
}

// patience bounds the time of each step.
const patience = 10 * time.Second

// end waits for the end of the script.
func (s *scripted) end() error {
	select {
	case err := <-s.done:
		return err
	case <-time.After(patience):
		return errors.New("the client did not continue")
	}
}

// play plays one control connection.
func play(l net.Listener, steps []string) error {
	conn, err := l.Accept()
	if err != nil {
		return err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patience))
	r := bufio.NewReader(conn)
	var passive net.Listener
	var data net.Conn
	defer func() {
		if passive != nil {
			passive.Close()
		}
		if data != nil {
			data.Close()
		}
	}()
	open := func() error {
		if data != nil {
			return nil
		}
		if passive == nil {
			return errors.New("data before EPSV or PASV")
		}
		data, err = passive.Accept()
		if err == nil {
			err = data.SetDeadline(time.Now().Add(patience))
		}
		return err
	}
	var temp placeholder
	for _, step := range steps {
		verb, rest, _ := strings.Cut(step, " ")
		if verb == "data" {
			verb, rest, _ = strings.Cut(rest, " ")
		}
		text := unescape(rest)
		switch verb {
		case "<":
			if strings.Contains(text, "PORT") || strings.Contains(text, "HI,LO") {
				if data != nil {
					data.Close()
					data = nil
				}
				if passive != nil {
					passive.Close()
				}
				if passive, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
					return err
				}
				port := passive.Addr().(*net.TCPAddr).Port
				text = strings.ReplaceAll(text, "PORT", fmt.Sprint(port))
				text = strings.ReplaceAll(text, "HI,LO", fmt.Sprintf("%d,%d", port>>8, port&255))
			}
			if !strings.HasSuffix(text, "\n") {
				text += "\r\n"
			}
			_, err = io.WriteString(conn, text)
		case ">":
			var line string
			if line, err = r.ReadString('\n'); err == nil && !temp.matches(line, text+"\r\n") {
				err = fmt.Errorf("the client sent %s", wire.Escape(line))
			}
		case "send":
			if err = open(); err == nil {
				_, err = io.WriteString(data, text)
			}
		case "expect":
			var got []byte
			if err = open(); err == nil {
				if got, err = io.ReadAll(data); err == nil && string(got) != text {
					err = fmt.Errorf("the client sent the data %s", wire.Escape(string(got)))
				}
			}
		case "open":
			if err = open(); err == nil {
				data.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
				var n int
				if n, err = data.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
					err = data.SetDeadline(time.Now().Add(patience))
				} else {
					err = fmt.Errorf("the client sent %d bytes, or closed its side: %v", n, err)
				}
			}
		case "close":
			switch {
			case strings.HasPrefix(step, "data"):
				if err = open(); err == nil {
					data.Close()
					data = nil
				}
			default:
				return conn.Close()
			}
		case "end": // the client closes, perhaps after QUIT
			// A client that leaves bytes unread resets the connection.
			if _, err = r.ReadByte(); err == io.EOF || errors.Is(err, syscall.ECONNRESET) {
				err = nil
			}
		default:
			err = errors.New("no such step")
		}
		if err != nil {
			return fmt.Errorf("at %q: %w", step, err)
		}
	}
	return nil
}

// placeholder is the random part of a temporary name, TEMP in a script: eight letters or digits,
// the same each time.
type placeholder string

func (p *placeholder) matches(line, pattern string) bool {
	before, after, ok := strings.Cut(pattern, "TEMP")
	if !ok {
		return line == pattern
	}
	rest, ok := strings.CutPrefix(line, before)
	if !ok || len(rest) < 8 || rest[8:] != after || strings.Trim(rest[:8], "abcdefghijklmnopqrstuvwxyz234567") != "" {
		return false
	}
	if *p == "" {
		*p = placeholder(rest[:8])
	}
	return string(*p) == rest[:8]
}

// unescape decodes the escapes of wire.Escape.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		var c byte
		if s[i] == '\\' && i+3 < len(s) && s[i+1] == 'x' {
			fmt.Sscanf(s[i+2:i+4], "%02x", &c)
			b.WriteByte(c)
			i += 3
		} else if s[i] == '\\' && i+1 < len(s) {
			i++
			b.WriteByte(s[i])
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// run makes the requests and returns the results as text.
func (s *scripted) run(t *testing.T, requests string) string {
	var out bytes.Buffer
	say := func(format string, args ...any) {
		out.WriteString(strings.ReplaceAll(fmt.Sprintf(format, args...), s.addr, "HOST") + "\n")
	}
	opt := client.Options{
		Registry: scheme.NewRegistry(ftp.New()),
		Limits:   scheme.Limits{Idle: patience, Line: 200, Header: 1000},
		Clock:    fixedClock{},
		Trace:    &scheme.Trace{Note: func(text string) { say("trace: %s", text) }},
		TLSMode:  scheme.TLSOff,
	}
	var c *client.Client
	for line := range strings.Lines(requests) {
		words := strings.Fields(line)
		options := make(map[string]string)
		for _, w := range words[1:] {
			k, v, _ := strings.Cut(w, "=")
			options[k] = strings.ReplaceAll(unescape(v), "HOST", s.addr)
		}
		if words[0] == "login" {
			opt.Logins = append(opt.Logins, loginOf(options, say))
			continue
		}
		if c == nil {
			c = client.New(opt)
			defer c.Close()
		}
		say("%s", strings.TrimSpace(line))
		u, err := c.Parse(strings.ReplaceAll(words[1], "HOST", s.addr))
		if err != nil {
			t.Fatal(err)
		}
		outcome(t.Context(), c, words[0], u, options, say)
	}
	if c == nil {
		t.Fatal("no request")
	}
	c.Close()
	return out.String()
}

// loginOf returns a LoginFunc with the options "login user=u password=p account=a quiet=1 later=1".
func loginOf(options map[string]string, say func(string, ...any)) scheme.LoginFunc {
	return func(_ context.Context, l scheme.LoginRequest) (string, string, bool, error) {
		if l.NonInteractive && options["quiet"] == "" && options["later"] == "" || !l.NonInteractive && options["quiet"] != "" {
			return "", "", false, nil
		}
		say("asked: user %q attempt %d realm %q", l.User.Or("-"), l.Attempt, l.Realm)
		if options["later"] != "" && l.NonInteractive {
			return options["user"], "", true, scheme.ErrNeedPassword
		}
		if l.Account {
			return l.User.Or(""), options["account"], options["account"] != "", nil
		}
		passwords := strings.Split(options["password"], ",")
		if l.Attempt >= len(passwords) {
			return "", "", false, nil
		}
		user := l.User.Or("")
		if u := options["user"]; u != "" {
			user = u
		}
		return user, passwords[l.Attempt], true, nil
	}
}

// fixedClock is a clock with a fixed time.
type fixedClock struct{ systemclock.System }

func (fixedClock) Now() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }

// accessOptions parses the options of a request: "offset=1 length=2 type=a since=20061231 raw=1
// detail=1 next=ftp://HOST/y size=6 modified=20061231 minute=1", the last three of which are what a
// listing said.
func accessOptions(c *client.Client, options map[string]string) *scheme.AccessOptions {
	o := &scheme.AccessOptions{Detail: options["detail"] != ""}
	if options["raw"] != "" {
		o.Raw = scheme.RawAll
	}
	if u, err := c.Parse(options["next"]); err == nil {
		o.Next = slices.Values([]locator.URL{u})
	}
	var size int64
	if n, _ := fmt.Sscan(options["size"], &size); n == 1 {
		o.Known.Size = scheme.Known(size)
	}
	if v := options["modified"]; v != "" {
		o.Known.Modified, _ = time.Parse("20060102", v)
	}
	if options["minute"] != "" {
		o.Known.Precision = time.Minute
	}
	fmt.Sscan(options["offset"], &o.Range.Offset)
	fmt.Sscan(options["length"], &o.Range.Length)
	if v := options["type"]; v != "" {
		o.Type = v[0]
	}
	if v := options["since"]; v != "" {
		o.If.ModifiedSince, _ = time.Parse("20060102", v)
	}
	return o
}

// outcome carries out one request and reports the result.
func outcome(ctx context.Context, c *client.Client, verb string, u locator.URL, options map[string]string, say func(string, ...any)) {
	var res *scheme.Resource
	var err error
	r := scheme.Request{URL: u}
	if v := options["idle"]; v != "" {
		r.Limits.Idle, _ = time.ParseDuration(v)
	}
	body := scheme.Body{Reader: strings.NewReader(options["body"]), Size: scheme.Known(int64(len(options["body"])))}
	if n := int64(0); options["size"] != "" {
		fmt.Sscan(options["size"], &n)
		body.Size = scheme.Known(n)
	}
	write := &scheme.WriteOptions{CreateDirs: options["create"] != ""}
	switch verb {
	case "access":
		res, err = c.Access(ctx, r, accessOptions(c, options))
	case "replace":
		res, err = c.Replace(ctx, r, body, write)
	case "update":
		res, err = c.Update(ctx, r, body, write)
	case "attributes":
		res, err := c.Attributes(ctx, r, nil)
		if err != nil {
			sayError(err, say)
		} else {
			say("  attributes%s", attrText(res.Attr))
		}
		return
	case "remove", "rename", "mkdir":
		change(ctx, c, verb, r, options["to"], say)
		return
	case "digest":
		algorithm, value, err := c.Digest(ctx, r)
		if err != nil {
			sayError(err, say)
		} else {
			say("  digest %q %q", algorithm, value)
		}
		return
	case "list":
		o := &scheme.ListOptions{}
		fmt.Sscan(options["max"], &o.Max)
		sayEntries(client.Entries(c.List(ctx, r, o)), say)
		return
	default:
		say("no such verb")
		return
	}
	if err != nil {
		sayError(err, say)
		return
	}
	defer res.Close()
	say("  %s %s%s", res.Kind, wire.Escape(res.URL.Redacted()), attrText(res.Attr))
	if res.NotModified {
		say("  not modified")
	}
	if !res.Range.IsZero() {
		say("  range %d %d", res.Range.Offset, res.Range.Length)
	}
	for _, n := range res.Notes {
		say("  note: %s", n)
	}
	if res.Body != nil && res.Kind == scheme.KindObject && !res.NotModified && options["unread"] == "" {
		b, err := io.ReadAll(res.Body)
		say("  body: %s", wire.Escape(string(b)))
		if err != nil {
			sayError(err, say)
		}
	}
	if res.Entries != nil {
		sayEntries(res.Entries, say)
	}
}

// change carries out a request that has no result. to is the new URL, relative to the old one.
func change(ctx context.Context, c *client.Client, verb string, r scheme.Request, to string, say func(string, ...any)) {
	var err error
	switch verb {
	case "remove":
		err = c.Remove(ctx, r)
	case "mkdir":
		err = c.MakeDir(ctx, r)
	default:
		var next locator.URL
		if next, err = r.URL.Resolve(to); err == nil {
			err = c.Rename(ctx, r, next)
		}
	}
	if err == nil {
		say("  done")
		return
	}
	if errors.Is(err, fs.ErrExist) {
		say("  it is there already")
	}
	sayError(err, say)
}

func sayEntries(seq func(func(scheme.Entry, error) bool), say func(string, ...any)) {
	for e, err := range seq {
		if err != nil {
			sayError(err, say)
			return
		}
		url := ""
		if e.URL != (locator.URL{}) {
			url = e.URL.Redacted()
		}
		say("  entry %s %s %s%s", e.Kind, wire.Escape(e.Name), url, attrText(e.Attr))
	}
}

var randomPart = regexp.MustCompile(`\.[a-z2-7]{8}\.part`)

func sayError(err error, say func(string, ...any)) {
	torn := ""
	if errors.Is(err, io.ErrUnexpectedEOF) {
		torn = ", unexpected EOF"
	}
	text := randomPart.ReplaceAllString(err.Error(), ".TEMP.part")
	say("  error (%s%s): %s", client.CodeOf(err), torn, text)
}

func attrText(a scheme.Attr) string {
	var s string
	if n, ok := a.Size.Get(); ok {
		s += fmt.Sprintf(" size=%d", n)
	}
	if !a.Modified.IsZero() {
		s += " modified=" + a.Modified.UTC().Format(time.RFC3339)
	}
	if a.Type != "" {
		s += " type=" + a.Type
	}
	for _, m := range a.More {
		s += " " + m.Name + "=" + wire.Escape(m.Value)
	}
	return s
}

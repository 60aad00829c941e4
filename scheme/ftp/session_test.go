package ftp_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/ftp/ftptest"
	"locator/schemetest"
)

// TestTimeWithoutRoundTrip reads two files with all attributes from a server that answers TYPE only
// after it has received MDTM and SIZE, and MDTM of the second file only after EPSV: the client does
// not wait for a reply in between.
//
// Covers: A4, A5
func TestTimeWithoutRoundTrip(t *testing.T) {
	t.Parallel()
	for _, mdtm := range []string{"213 19941201160000", "550 no", "500 unknown"} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		received, ended := []string(nil), make(chan struct{})
		go func() {
			defer close(ended)
			c, err := l.Accept()
			if err != nil {
				return
			}
			defer c.Close()
			received = mdtmServer(c, mdtm)
		}()
		cl := newClient(t, func(o *client.Options) { o.Limits.Idle = 5 * time.Second })
		want := time.Date(1994, 12, 1, 16, 0, 0, 0, time.UTC)
		if !strings.HasPrefix(mdtm, "213") {
			want = time.Time{}
		}
		for _, name := range []string{"a", "b"} {
			res, err := cl.Access(t.Context(), scheme.Request{URL: parse(t, "ftp://"+l.Addr().String()+"/"+name)}, &scheme.AccessOptions{Detail: true})
			if err != nil {
				t.Fatalf("%s, %s: %v", mdtm, name, err)
			}
			if got := drain(t, res); got != name || !res.Attr.Modified.Equal(want) {
				t.Errorf("%s: %q of %v, want %q of %v", mdtm, got, res.Attr.Modified, name, want)
			}
		}
		cl.Close()
		<-ended
		if want := []string{"USER", "PASS", "TYPE", "MDTM", "SIZE", "EPSV", "RETR", "MDTM", "EPSV", "RETR", "QUIT"}; !slices.Equal(received, want) {
			t.Errorf("%s: received %q, want %q", mdtm, received, want)
		}
	}
}

// mdtmServer serves one control connection, and returns the verbs that it received.
func mdtmServer(c net.Conn, mdtm string) (verbs []string) {
	in := bufio.NewReader(c)
	next := func() (verb, arg string) {
		line, _ := in.ReadString('\n')
		verb, arg, _ = strings.Cut(strings.TrimSpace(line), " ")
		verbs = append(verbs, verb)
		return verb, arg
	}
	var data net.Listener
	passive := func() string {
		data, _ = net.Listen("tcp", "127.0.0.1:0")
		return fmt.Sprintf("229 ok (|||%d|)", data.Addr().(*net.TCPAddr).Port)
	}
	say := func(replies ...string) { io.WriteString(c, strings.Join(replies, "\r\n")+"\r\n") }
	say("220 ready")
	for {
		switch verb, arg := next(); verb {
		case "USER":
			say("331 password")
		case "PASS":
			say("230 welcome")
		case "TYPE":
			next() // MDTM
			next() // SIZE
			say("200 ok", mdtm, "213 1")
		case "MDTM":
			next() // EPSV
			say(mdtm, passive())
		case "EPSV":
			say(passive())
		case "RETR":
			d, err := data.Accept()
			if err != nil {
				return verbs
			}
			data.Close()
			say("150 Opening BINARY mode data connection (1 bytes)")
			io.WriteString(d, arg)
			d.Close()
			say("226 done")
		default:
			return verbs
		}
	}
}

// users returns the users that have logged in to a server.
func users(s *ftptest.Server) string {
	var list []string
	for _, l := range s.Lines() {
		if user, ok := strings.CutPrefix(l, "USER "); ok {
			list = append(list, user)
		}
	}
	return strings.Join(list, " ")
}

// TestPrincipals checks that a connection that was logged in for one caller is not used for
// another, wherever the login came from.
//
// Covers: A1, A5, P3, T69
func TestPrincipals(t *testing.T) {
	t.Parallel()
	s := start(t, ftptest.User("net", "rc"), ftptest.User("late", "pw"))
	c := newClient(t, func(o *client.Options) { o.TLSMode = scheme.TLSOff })
	net := client.FixedLogin("net", "rc")
	late := func(_ context.Context, l scheme.LoginRequest) (string, string, bool, error) {
		if l.NonInteractive {
			return "late", "", true, scheme.ErrNeedPassword
		}
		return "late", "pw", true, nil
	}
	alice := &scheme.Principal{ID: "alice", Logins: []scheme.LoginFunc{net}}
	bob := &scheme.Principal{ID: "bob"}
	carol := &scheme.Principal{ID: "carol", Logins: []scheme.LoginFunc{late}}
	for round := range 2 { // in the second round each has its own connection in the pool
		for _, who := range []*scheme.Principal{alice, bob, nil, carol} {
			res, err := c.Access(t.Context(), scheme.Request{URL: s.URL("etc", "motd"), Principal: who}, nil)
			if err != nil {
				t.Fatalf("round %d, %+v: %v", round, who, err)
			}
			drain(t, res)
		}
	}
	if got, want := users(s), "net anonymous anonymous late"; got != want {
		t.Errorf("logins %q, want %q", got, want)
	}
	// Only alice has the password of this user.
	u := locator.MustParse("ftp://net@" + s.Addr() + "/etc/motd")
	res, err := c.Access(t.Context(), scheme.Request{URL: u, Principal: alice}, nil)
	if err != nil {
		t.Fatal(err)
	}
	drain(t, res)
	for _, who := range []*scheme.Principal{bob, nil} {
		if res, err = c.Access(t.Context(), scheme.Request{URL: u, Principal: who}, nil); client.CodeOf(err) != scheme.CodeLoginNeeded {
			t.Errorf("%+v was logged in as another user: %v", who, err)
			if err == nil {
				res.Close()
			}
		}
	}
}

// TestLoginChanges checks that the connection of an old login is not used after the LoginFunc
// returns another one.
//
// Covers: A5, P3
func TestLoginChanges(t *testing.T) {
	t.Parallel()
	s := start(t, ftptest.User("one", "1"), ftptest.User("two", "2"))
	login := [2]string{"one", "1"}
	c := newClient(t, func(o *client.Options) {
		o.TLSMode = scheme.TLSOff
		o.Logins = []scheme.LoginFunc{func(context.Context, scheme.LoginRequest) (string, string, bool, error) {
			return login[0], login[1], login[0] != "", nil
		}}
	})
	for _, login = range [][2]string{{"one", "1"}, {"two", "2"}, {}, {"one", "1"}} {
		res, err := c.Access(t.Context(), scheme.Request{URL: s.URL("etc", "motd")}, nil)
		if err != nil {
			t.Fatal(err)
		}
		drain(t, res)
	}
	if got, want := users(s), "one two anonymous"; got != want {
		t.Errorf("logins %q, want %q", got, want)
	}
}

// Covers: A5
func TestOneLogin(t *testing.T) {
	t.Parallel()
	var tree []schemetest.File
	for i := range 2000 {
		tree = append(tree, schemetest.File{Path: []string{"d", fmt.Sprintf("f%d", i)}, Content: fmt.Sprint(i)})
	}
	s, err := ftptest.Start(tree)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	c := newClient(t)
	for i := range 2000 {
		res, err := c.Access(t.Context(), scheme.Request{URL: s.URL("d", fmt.Sprintf("f%d", i))}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := drain(t, res); got != fmt.Sprint(i) {
			t.Fatalf("file %d: %q", i, got)
		}
	}
	// USER, PASS, CWD and TYPE once; EPSV and RETR for each file.
	if n := len(s.Lines()); n != 4+2*2000 {
		t.Errorf("%d lines", n)
	}
}

// TestDirectories reads from many directories in an order in which no connection can only descend.
//
// Covers: A2, A5
func TestDirectories(t *testing.T) {
	t.Parallel()
	tree := []schemetest.File{{Path: []string{"x"}, Content: "root"}}
	for i := range 20 {
		d := fmt.Sprintf("d%d", i%5)
		tree = append(tree, schemetest.File{Path: []string{d, fmt.Sprintf("e%d", i), "x"}, Content: fmt.Sprint(i)})
	}
	s, err := ftptest.Start(tree, ftptest.Home())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	c := newClient(t)
	for range 3 {
		for i := range 20 {
			res, err := c.Access(t.Context(), scheme.Request{URL: s.URL(fmt.Sprintf("d%d", i%5), fmt.Sprintf("e%d", i), "x")}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := drain(t, res); got != fmt.Sprint(i) {
				t.Errorf("%d: %q", i, got)
			}
		}
	}
	logins := 0
	for _, l := range s.Lines() {
		if strings.HasPrefix(l, "USER ") {
			logins++
		}
	}
	if logins != 2 { // the second connection knows the home directory
		t.Errorf("%d logins", logins)
	}
}

// TestDropped uses a server that drops its connections between requests, and during one.
//
// Covers: A5
func TestDropped(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := newClient(t)
	for range 3 {
		var wg sync.WaitGroup
		for range 4 { // the pool then has several connections, all of which are dropped
			wg.Go(func() {
				res, err := c.Access(t.Context(), scheme.Request{URL: s.URL("bytes.bin")}, nil)
				if err != nil {
					t.Error(err)
					return
				}
				if got := drain(t, res); len(got) != 4096 {
					t.Errorf("%d bytes", len(got))
				}
			})
		}
		wg.Wait()
		s.Drop()
	}
	s.Misbehave(schemetest.StallBody)
	res, err := c.Access(t.Context(), scheme.Request{URL: s.URL("big.bin")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(res.Body, make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	s.Drop()
	if _, err := io.Copy(io.Discard, res.Body); !errors.Is(err, io.ErrUnexpectedEOF) || client.CodeOf(err) != scheme.CodeBroken {
		t.Errorf("dropped during the transfer: %v", err)
	}
	res.Close()
}

// TestToFile copies a body to a file, as a download does, with and without a limit that prevents
// the kernel from copying.
//
// Covers: A2
func TestToFile(t *testing.T) {
	t.Parallel()
	content := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	s, err := ftptest.Start([]schemetest.File{{Path: []string{"big"}, Content: string(content)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	for _, limit := range []int64{0, 1 << 30} {
		c := newClient(t, func(o *client.Options) { o.Limits.Body = limit })
		for range 2 {
			res, err := c.Access(t.Context(), scheme.Request{URL: s.URL("big")}, nil)
			if err != nil {
				t.Fatal(err)
			}
			f, err := os.Create(filepath.Join(t.TempDir(), "big"))
			if err != nil {
				t.Fatal(err)
			}
			n, err := io.Copy(f, res.Body)
			if err != nil || n != int64(len(content)) {
				t.Errorf("%d bytes, %v", n, err)
			}
			res.Close()
			f.Close()
			if got, err := os.ReadFile(f.Name()); err != nil || !bytes.Equal(got, content) {
				t.Errorf("the file differs: %v", err)
			}
		}
	}
}

// TestFullDisk checks that a failure of the writer is not reported as one of the server.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := newClient(t)
	res, err := c.Access(t.Context(), scheme.Request{URL: s.URL("big.bin")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Close()
	full := errors.New("no space left")
	if _, err := io.Copy(failing{full}, res.Body); !errors.Is(err, full) || errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

type errReader struct{ err error }

func (e errReader) Read([]byte) (int, error) { return 0, e.err }

// TestEcho uses a server that repeats the password in its reply.
//
// Covers: P3, T10
func TestEcho(t *testing.T) {
	t.Parallel()
	s := newScripted(t, "< 220 ready\n> USER me\n< 331 password?\n> PASS s3cret\\\\pw\n< 530-no s3cret\\\\pw for me\n< 530 no s3cret\\\\pw\nend\n")
	var traced []string
	c := newClient(t, func(o *client.Options) {
		o.TLSMode = scheme.TLSOff
		o.Trace = &scheme.Trace{Received: func(line string) { traced = append(traced, line) }}
	})
	_, err := c.Access(t.Context(), scheme.Request{URL: locator.MustParse("ftp://me:s3cret%5Cpw@" + s.addr + "/x")}, nil)
	if client.CodeOf(err) != scheme.CodeLoginNeeded || strings.Contains(err.Error(), "s3cret") || !strings.Contains(err.Error(), "530 no ****") {
		t.Errorf("got %v", err)
	}
	if all := strings.Join(traced, "\n"); strings.Contains(all, "s3cret") || !strings.Contains(all, "530 no ****") {
		t.Errorf("traced %q", all)
	}
	if err := s.end(); err != nil {
		t.Error(err)
	}
}

// TestHop checks that a LoginFunc can refuse a login for a URL that came from a server, and that a
// kept connection is reused only for the same login.
//
// Covers: A1, A5, P3
func TestHop(t *testing.T) {
	t.Parallel()
	s := start(t, ftptest.User("net", "rc"))
	asked := 0
	c := newClient(t, func(o *client.Options) {
		o.TLSMode = scheme.TLSOff
		o.Logins = []scheme.LoginFunc{func(_ context.Context, l scheme.LoginRequest) (string, string, bool, error) {
			asked++
			return "net", "rc", !l.Foreign, nil
		}}
	})
	led := &scheme.Hop{Kind: scheme.HopMenuItem, From: locator.MustParse("gopher://other.example/"), N: 1}
	for _, from := range []*scheme.Hop{nil, led, nil, led} {
		res, err := c.Access(t.Context(), scheme.Request{URL: s.URL("etc", "motd"), From: from}, nil)
		if err != nil {
			t.Fatal(err)
		}
		drain(t, res)
	}
	var users []string
	for _, l := range s.Lines() {
		if strings.HasPrefix(l, "USER ") {
			users = append(users, l)
		}
	}
	if got := strings.Join(users, ","); got != "USER net,USER anonymous" || asked != 4 {
		t.Errorf("logins %q, asked %d times", got, asked)
	}
}

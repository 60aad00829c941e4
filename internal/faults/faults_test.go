package faults

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"locator/scheme/ftp/ftptest"
	"locator/schemetest/peer"
)

// source starts a server that sends text and closes the connection.
func source(t *testing.T, text []byte) string {
	t.Helper()
	h := peer.ListenFor(t)
	h.Serve(func(c net.Conn) { c.Write(text) })
	return h.Addr()
}

func fetch(t *testing.T, addr string, limit time.Duration) ([]byte, error) {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil { // the reset may arrive before the connection is established
		return nil, err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(limit))
	return io.ReadAll(c)
}

func TestConnections(t *testing.T) {
	t.Parallel()
	text := bytes.Repeat([]byte("0123456789abcdef"), 16<<10)
	p, err := TCP(source(t, text))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, test := range []struct {
		f    Fault
		n    int
		err  error
		time time.Duration
	}{
		{Fault{}, len(text), nil, time.Minute},
		{Fault{How: Cut, After: 1000}, 1000, nil, time.Minute},
		{Fault{How: Cut}, 0, nil, time.Minute},
		{Fault{How: Cut, After: 1 << 30}, len(text), nil, time.Minute},
		{Fault{How: Reset, After: 1000}, -1, syscall.ECONNRESET, time.Minute},
		{Fault{How: Stall, After: 1000}, 1000, os.ErrDeadlineExceeded, 300 * time.Millisecond},
		{Fault{How: Slow}, len(text), nil, time.Minute},
		{Fault{Data: func(r io.Reader) io.Reader { return io.LimitReader(r, 7) }}, 7, nil, time.Minute},
	} {
		p.Set(test.f)
		got, err := fetch(t, p.Addr(), test.time)
		if test.n >= 0 && len(got) != test.n || !bytes.HasPrefix(text, got) || !errors.Is(err, test.err) {
			t.Errorf("%+v: %d bytes, %v", test.f, len(got), err)
		}
	}
	p.Set(Fault{How: Cut, After: 5, Times: 2})
	for i, want := range []int{5, 5, len(text)} {
		if got, _ := fetch(t, p.Addr(), time.Minute); len(got) != want {
			t.Errorf("connection %d: %d bytes, want %d", i, len(got), want)
		}
	}
}

// The proxy changes only the ports of a dialogue, and lets a test change any line. The data
// connections have the fault.
func TestFTP(t *testing.T) {
	t.Parallel()
	s, err := ftptest.Start(peer.Tree())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	p, err := FTP(s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	p.Set(Fault{How: Cut, After: 5,
		Command: func(line string) (string, bool, bool) { return "211-Mine\r\n211 End\r\n", false, line == "FEAT" },
		Reply: func(command, reply string) (string, bool) {
			return strings.Replace(reply, "ftptest", "changed", 1), command == "NOOP"
		}})
	c, err := net.Dial("tcp", p.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Minute))
	r := bufio.NewReader(c)
	say := func(line, want string) string {
		t.Helper()
		if line != "" {
			io.WriteString(c, line+"\r\n")
		}
		reply, err := readReply(r)
		if err != nil || !strings.HasPrefix(reply, want) {
			t.Errorf("%s: %q, %v, want %s", line, reply, err, want)
		}
		return reply
	}
	say("", "220 changed")
	say("USER anonymous", "331 ")
	say("PASS x", "230 ")
	say("FEAT", "211-Mine\r\n211 End")
	for _, how := range []string{"EPSV", "PASV"} {
		port := 0
		switch reply := say(how, "22"); how {
		case "EPSV":
			port, _ = strconv.Atoi(extended.FindStringSubmatch(reply)[1])
		case "PASV":
			m := passive.FindStringSubmatch(reply)
			high, _ := strconv.Atoi(m[5])
			low, _ := strconv.Atoi(m[6])
			port = high<<8 | low
		}
		d, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			t.Fatal(err)
		}
		say("RETR text.txt", "150 ")
		if got, err := io.ReadAll(d); string(got) != "line " {
			t.Errorf("got %q, %v from the data connection", got, err)
		}
		d.Close()
		say("", "") // 226 or 426: the server may have sent all of the file
	}
	say("NOOP", "200 ")
	if reply, err := readReply(r); err == nil {
		t.Errorf("the dialogue continues: %q", reply)
	}
	if n := p.Connections(); n != 3 {
		t.Errorf("%d connections", n)
	}
}

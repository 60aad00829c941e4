package ftp_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/schemetest/peer"
)

// rawServer starts a server that answers each command line with the result of reply, unchanged; "" is no reply. It returns
// its address and a function that returns the lines received.
func rawServer(t *testing.T, greeting string, reply func(line string) string) (addr string, lines func() []string) {
	t.Helper()
	h := peer.ListenFor(t)
	h.Serve(func(c net.Conn) {
		io.WriteString(c, greeting)
		for in := bufio.NewScanner(c); in.Scan(); {
			line := in.Text()
			h.Seen(line)
			io.WriteString(c, reply(line))
		}
	})
	return h.Addr(), h.Lines
}

// TestTLSInjected checks that the client rejects replies that were sent without TLS after the one that starts TLS.
// Otherwise it would take them for protected replies.
//
// Covers: A1, P2, T15
func TestTLSInjected(t *testing.T) {
	t.Parallel()
	addr, lines := rawServer(t, "220 ready\r\n", func(line string) string {
		if line == "AUTH TLS" {
			return "234 go\r\n331 password\r\n230 welcome\r\n"
		}
		return "530 no\r\n"
	})
	c := newClient(t, func(o *client.Options) { o.TLSMode = scheme.TLSTry })
	_, err := c.Access(t.Context(), scheme.Request{URL: locator.MustParse("ftp://u:p@" + addr + "/x")}, nil)
	if client.CodeOf(err) != scheme.CodeProtocol {
		t.Errorf("%v", err)
	}
	if got := lines(); len(got) != 1 {
		t.Errorf("sent %q", got)
	}
}

// TestUploadCalledOff cancels an upload to a server that no longer replies. That takes seconds and does not wait for the
// idle timeout.
//
// Covers: P6, T6
func TestUploadCalledOff(t *testing.T) {
	t.Parallel()
	data := peer.ListenFor(t)
	data.Serve(func(c net.Conn) { peer.Hang(c) })
	ctx, cancel := context.WithCancel(t.Context())
	addr, _ := rawServer(t, "220 ready\r\n", func(line string) string {
		switch verb, _, _ := strings.Cut(line, " "); verb {
		case "USER":
			return "230 welcome\r\n"
		case "TYPE":
			return "200 ok\r\n"
		case "EPSV":
			return fmt.Sprintf("229 ok (|||%d|)\r\n", data.Port())
		case "STOR":
			time.AfterFunc(100*time.Millisecond, cancel)
			return "150 go\r\n"
		}
		if ctx.Err() != nil {
			return "" // no more replies
		}
		return "502 no\r\n"
	})
	c := newClient(t, func(o *client.Options) { o.Limits.Idle, o.TLSMode = 20*time.Second, scheme.TLSOff })
	source, more := io.Pipe()
	defer more.Close()
	go more.Write([]byte("a beginning"))
	begin := time.Now()
	_, err := c.Replace(ctx, scheme.Request{URL: locator.MustParse("ftp://u:p@" + addr + "/x")}, scheme.Body{Reader: source}, nil)
	if code := client.CodeOf(err); code != scheme.CodeInterrupted && code != scheme.CodeInDoubt {
		t.Errorf("%v", err)
	}
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
}

// TestUnsafeUser checks that a user name that would be two command lines is rejected, before the password is asked for.
//
// Covers: P1, P2, T12
func TestUnsafeUser(t *testing.T) {
	t.Parallel()
	addr, lines := rawServer(t, "220 ready\r\n", func(string) string { return "530 no\r\n" })
	c := newClient(t, func(o *client.Options) {
		o.TLSMode = scheme.TLSOff
		o.Logins = []scheme.LoginFunc{func(context.Context, scheme.LoginRequest) (string, string, bool, error) {
			return "a\r\nDELE x", "", false, scheme.ErrNeedPassword
		}}
	})
	_, err := c.Access(t.Context(), scheme.Request{URL: locator.MustParse("ftp://" + addr + "/x")}, nil)
	if client.CodeOf(err) != scheme.CodeRefused {
		t.Errorf("%v: %v", client.CodeOf(err), err)
	}
	if got := lines(); len(got) > 0 {
		t.Errorf("sent %q", got)
	}
}

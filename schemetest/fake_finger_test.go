package schemetest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"locator"
	"locator/scheme"
	"locator/schemetest/peer"
	"locator/wire"
)

// finger is a scheme whose server answers a line with text, and ends the connection (RFC 1288).
type finger struct{}

func (finger) Syntax() *locator.Syntax {
	return &locator.Syntax{
		Name: "x-finger", Port: 79, Ports: []uint16{79}, Rule: "xfingerurl", Section: "4",
		Productions: "\nxfingerurl = \"x-finger://\" hostport \"/\" *xchar\n",
	}
}

func (finger) Access(ctx context.Context, env *scheme.Env, r scheme.Request, _ scheme.AccessOptions) (*scheme.Resource, error) {
	path, _ := r.URL.Path()
	line, err := wire.Command("/W", "query", locator.Decode(path))
	if err != nil {
		return nil, err
	}
	addr, err := scheme.Addr(r.URL)
	if err != nil {
		return nil, err
	}
	conn, err := env.Dial(ctx, scheme.Dial{Purpose: scheme.ForControl, Addr: addr})
	if err != nil {
		return nil, err
	}
	unbind := scheme.Bind(ctx, conn)
	end := sync.OnceValue(func() error {
		unbind()
		return conn.Close()
	})
	c := wire.NewConn(conn, wire.Options{MaxLine: env.Limits.Line, Sent: env.Trace.OnSent, Received: env.Trace.OnReceived})
	if err := c.Send(line); err != nil {
		return nil, errors.Join(err, end())
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Body: fingerBody{c.Reader(), end}}, nil
}

type fingerBody struct {
	io.Reader
	end func() error
}

func (b fingerBody) Close() error { return b.end() }

// fingerServer serves Tree to finger.
type fingerServer struct{ *peer.Host }

func startFinger(t *testing.T) Server {
	t.Helper()
	h, err := peer.Listen()
	if err != nil {
		t.Fatal(err)
	}
	s := fingerServer{h}
	s.Serve(func(c net.Conn) {
		line, err := bufio.NewReader(c).ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimSuffix(line, "\r\n")
		s.Seen(line)
		if s.Fault() == Stall {
			peer.Hang(c)
			return
		}
		name := strings.TrimPrefix(line, "/W ")
		text, ok := s.File(strings.Split(name, "/")...)
		if !ok {
			text = []byte(name + ": no such user.\r\n")
		}
		c.Write(text)
	})
	return s
}

func (s fingerServer) URL(path ...string) locator.URL {
	var part strings.Builder
	for _, b := range []byte(strings.Join(path, "/")) {
		fmt.Fprintf(&part, "%%%02X", b)
	}
	u, err := locator.Build(&locator.Other{Name: "x-finger", Part: "//" + s.Addr() + "/" + part.String()})
	if err != nil {
		panic(err)
	}
	return u
}

func (s fingerServer) File(path ...string) ([]byte, bool) {
	for _, f := range Tree() {
		if strings.Join(f.Path, "/") == strings.Join(path, "/") {
			return []byte(f.Content), true
		}
	}
	return nil, false
}

// A scheme without replies passes the suite, if its harness says so.
func TestSuiteNoReplies(t *testing.T) {
	Run(t, Harness{
		Scheme: finger{}, Start: startFinger, NoReplies: true, Faults: []Fault{Stall},
		Hostile: []string{"x-finger://HOST/a%0D%0Ab", "x-finger://HOST/a%00", "x-finger://127.0.0.1:25/a"},
	})
}

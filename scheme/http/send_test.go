package http_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	nethttp "net/http"
	nethttptest "net/http/httptest"
	"net/textproto"
	"strings"
	"testing"
	"time"

	"locator/client"
	"locator/scheme"
	"locator/schemetest/peer"
)

// writes are the operations that send a body.
func writes(c *client.Client) map[string]func(context.Context, scheme.Request, scheme.Body, *scheme.WriteOptions) (*scheme.Resource, error) {
	return map[string]func(context.Context, scheme.Request, scheme.Body, *scheme.WriteOptions) (*scheme.Resource, error){"PUT": c.Replace, "POST": c.Update}
}

// A server that responds without reading the body has responded, whatever the size of the body, and
// whether it closes the connection.
//
// Covers: A15
func TestAnswerWithoutReading(t *testing.T) {
	t.Parallel()
	ignoring := nethttptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, _ *nethttp.Request) { w.WriteHeader(201) }))
	t.Cleanup(ignoring.Close)
	closing := peer.ListenFor(t) // as http.server of Python 3.11 does: send_response(204), and the connection is closed
	closing.Serve(func(c net.Conn) {
		if _, err := nethttp.ReadRequest(bufio.NewReader(c)); err == nil {
			io.WriteString(c, "HTTP/1.0 204 No Content\r\nServer: BaseHTTP/0.6 Python/3.11.2\r\n\r\n")
		}
	})
	for name, url := range map[string]string{"Go": ignoring.URL, "Python": "http://" + closing.Addr()} {
		c := web(t)
		for method, do := range writes(c) {
			for _, size := range []int{2, 100 << 10, 2 << 20} {
				fastest := time.Hour // of five: other tests may delay one
				for range 5 {
					began := time.Now()
					res, err := do(t.Context(), scheme.Request{URL: parse(t, url+"/x")}, body(strings.Repeat("x", size)), nil)
					if err != nil {
						t.Errorf("%s, %s, %d bytes: %v", name, method, size, err)
						continue
					}
					res.Close()
					fastest = min(fastest, time.Since(began))
				}
				if fastest > 900*time.Millisecond {
					t.Errorf("%s, %s, %d bytes: it took %v", name, method, size, fastest)
				}
			}
		}
	}
}

// The server is asked whether it wants the body if the body is large, if its size is not known, and
// if it has a Commit function.
//
// Covers: A15
func TestExpect(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("x", 1<<20)
	for _, tt := range []struct {
		name   string
		b      scheme.Body
		expect bool
	}{
		{"small", body("text"), false},
		{"almost large", body(big[1:]), false},
		{"large", body(big), true},
		{"of unknown size", scheme.Body{Reader: strings.NewReader("text")}, true},
		{"with Commit", scheme.Body{Reader: strings.NewReader("text"), Size: scheme.Known(4), Commit: func() error { return nil }}, true},
		{"empty", body(""), false},
	} {
		expects := make(chan string, 1)
		s := nethttptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
			io.Copy(io.Discard, r.Body)
			expects <- r.Header.Get("Expect")
		}))
		t.Cleanup(s.Close)
		res, err := web(t).Replace(t.Context(), scheme.Request{URL: parse(t, s.URL)}, tt.b, nil)
		if err != nil {
			t.Fatal(err)
		}
		res.Close()
		if got := <-expects; (got == "100-continue") != tt.expect {
			t.Errorf("%s: Expect: %q", tt.name, got)
		}
	}
}

// A server that refuses a body gets none of it, keeps its connection or not, and the login that it
// wants is sent with the next request.
//
// Covers: A15
func TestRefusedBody(t *testing.T) {
	t.Parallel()
	for _, closes := range []bool{false, true} {
		got := make(chan int64, 2)
		h := peer.ListenFor(t)
		h.Serve(func(c net.Conn) {
			r := bufio.NewReader(c)
			if _, err := nethttp.ReadRequest(r); err != nil {
				return
			}
			field := ""
			if closes {
				field = "Connection: close\r\n"
			}
			io.WriteString(c, "HTTP/1.1 413 Content Too Large\r\n"+field+"Content-Length: 0\r\n\r\n")
			n, _ := io.Copy(io.Discard, r)
			got <- n
		})
		fastest := time.Hour // of five: other tests may delay one
		for range 5 {
			began := time.Now()
			_, err := web(t).Replace(t.Context(), scheme.Request{URL: parse(t, "http://"+h.Addr()+"/x")}, body(strings.Repeat("x", 2<<20)), nil)
			wantCode(t, err, scheme.CodeUnsupported)
			if n := <-got; n != 0 {
				t.Errorf("closes %v: the server got %d bytes of the body", closes, n)
			}
			fastest = min(fastest, time.Since(began))
		}
		if fastest > 900*time.Millisecond {
			t.Errorf("closes %v: it took %v", closes, fastest)
		}
	}
}

// A connection is reused after an upload, small or large, and for one.
//
// Covers: A15
func TestUploadKeepsConnection(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := web(t)
	for _, size := range []int{3, 2 << 20, 0, 5} {
		for method, do := range writes(c) {
			want := bytes.Repeat([]byte("x"), size)
			res, err := do(t.Context(), scheme.Request{URL: s.URL("incoming", "up.txt")}, body(string(want)), nil)
			if err != nil {
				t.Fatalf("%s: %v", method, err)
			}
			io.Copy(io.Discard, res.Body)
			res.Close()
		}
	}
	if n := s.Connections(); n != 1 {
		t.Errorf("%d connections", n)
	}
}

// A request whose pooled connection the server closes while the request is under way may have been
// carried out. A PUT is repeated, since that changes nothing, unless it has a condition; a POST is
// not.
//
// Covers: A15
func TestUploadOnStaleConnection(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]scheme.Code{"PUT": scheme.CodeOK, "POST": scheme.CodeInDoubt, "PUT If-None-Match: *": scheme.CodeInDoubt} {
		s := newScript(t, ok("one"), hangUp, ok("three"))
		method, field, conditional := strings.Cut(name, " ")
		c := web(t, func(o *client.Options) {
			if conditional {
				o.Header = []string{field}
			}
		})
		r := scheme.Request{URL: parse(t, "http://"+s.addr+"/")}
		if _, _, err := get(t, c, r); err != nil {
			t.Fatal(err)
		}
		res, err := writes(c)[method](t.Context(), r, body("text"), nil)
		if err == nil {
			res.Close()
		}
		if client.CodeOf(err) != want {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
		if got, wanted := fmt.Sprint(s.body), map[scheme.Code]string{scheme.CodeOK: "[ text text]", scheme.CodeInDoubt: "[ text]"}[want]; got != wanted {
			t.Errorf("%s: the server got %s, want %s", name, got, wanted)
		}
	}
}

// closeWatch is a connection that tells when it is closed.
type closeWatch struct {
	net.Conn
	closed chan<- bool
}

func (c closeWatch) Close() error {
	err := c.Conn.Close()
	select {
	case c.closed <- true:
	default:
	}
	return err
}

// A POST is not lost on a connection that the server has closed before, nor one whose body can be
// read only once. The client must have noticed the close: otherwise it sends the POST, and may not
// send it again (RFC 9110 9.2.2).
//
// Covers: A15
func TestUploadAfterClose(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]scheme.Body{"seekable": body("text"), "read once": {Reader: unseekable{strings.NewReader("text")}, Size: scheme.Known(4)}} {
		s := newScript(t, ok("one")+hangUp, ok("two"))
		closed := make(chan bool, 1)
		c := web(t, func(o *client.Options) {
			o.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
				conn, err := new(net.Dialer).DialContext(ctx, network, addr)
				return closeWatch{conn, closed}, err
			}
		})
		r := scheme.Request{URL: parse(t, "http://"+s.addr+"/")}
		if _, _, err := get(t, c, r); err != nil {
			t.Fatal(err)
		}
		<-closed
		res, err := c.Update(t.Context(), r, b, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		res.Close()
		if len(s.body) != 2 || s.body[1] != "text" {
			t.Errorf("%s: the server got %q", name, s.body)
		}
	}
}

// A final response in place of 100 Continue is the response (RFC 9110 10.1.1). After 100 Continue,
// a 201 before the whole body was sent is not a success.
//
// Covers: P6, A15, T63
func TestEarlyAnswer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		takes int64 // bytes of the body that the server reads
		asks  bool  // by 100 Continue
		code  scheme.Code
	}{
		{"after the head", 0, false, scheme.CodeOK},
		{"after 1000 octets", 1000, true, scheme.CodeBroken},               // net/http sees the answer or the reset first
		{"after 1000 octets, without 100", 1000, false, scheme.CodeBroken}, // the client does not wait for ever
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			served := make(chan struct{})
			go func() {
				defer close(served)
				conn, err := l.Accept()
				if err != nil {
					return
				}
				defer conn.Close()
				in := bufio.NewReader(conn)
				head := textproto.NewReader(in)
				for line, err := head.ReadLine(); line != "" && err == nil; {
					line, err = head.ReadLine()
				}
				if tt.asks {
					io.WriteString(conn, "HTTP/1.1 100 Continue\r\n\r\n")
				}
				if tt.takes > 0 {
					io.CopyN(io.Discard, in, tt.takes)
				}
				io.WriteString(conn, "HTTP/1.1 201 Created\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
				conn.(*net.TCPConn).CloseWrite()
				io.Copy(io.Discard, io.LimitReader(in, 1<<20)) // the answer arrives before the connection is reset
			}()
			t.Cleanup(func() { l.Close(); <-served })
			const size = 32 << 20
			source := io.LimitReader(zeros{}, size)
			res, err := web(t).Replace(t.Context(), scheme.Request{URL: parse(t, "http://"+l.Addr().String()+"/x")}, scheme.Body{Reader: source, Size: scheme.Known(size)}, nil)
			if err == nil {
				res.Close()
			}
			if client.CodeOf(err) != tt.code {
				t.Errorf("%v: %v; want %v", client.CodeOf(err), err, tt.code)
			}
		})
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

package http_test

import (
	"bufio"
	"io"
	"net"
	"net/textproto"
	"testing"

	"locator/client"
	"locator/scheme"
)

// A final response in place of 100 Continue is the response (RFC 9110 10.1.1). After 100 Continue, a 201 before the whole body was
// sent is not a success.
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

package http_test

import (
	"bufio"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/schemetest/peer"
	"locator/wire"
)

// A body that only the end of the connection ends is complete over TLS only after close_notify.
//
// Covers: A6, P6, T22
func TestNoCloseNotify(t *testing.T) {
	t.Parallel()
	cert, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	h := peer.ListenFor(t)
	h.Serve(func(below net.Conn) {
		c := tls.Server(below, cert.Config())
		req, err := http.ReadRequest(bufio.NewReader(c))
		if err != nil {
			return
		}
		length := map[string]string{"/length": "Content-Length: 4\r\n"}[req.URL.Path]
		io.WriteString(c, "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n"+length+"\r\nsome")
		if req.URL.Path == "/notify" {
			c.Close()
		}
	})
	c := web(t, func(o *client.Options) { o.TLS = &tls.Config{RootCAs: cert.Roots()} })
	for path, want := range map[string]error{"notify": nil, "length": nil, "none": wire.ErrNoCloseNotify} {
		u := locator.MustParse("https://" + h.Addr() + "/" + path)
		res, err := c.Access(t.Context(), scheme.Request{URL: u}, nil)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		b, err := io.ReadAll(res.Body)
		if string(b) != "some" || !errors.Is(err, want) || want != nil && client.CodeOf(err) != scheme.CodeBroken {
			t.Errorf("%s: %q, %v; want %v", path, b, err, want)
		}
		res.Close()
	}
}

package nntp

import (
	"encoding/hex"
	"io"
	"net"
	"testing"
	"time"
)

// A response is read to its end when it has arrived, also if the server ends it with a partial flush of zlib. The bytes are those of INN 2.7.1.
//
// Covers: A9
func TestPartialFlush(t *testing.T) {
	t.Parallel()
	near, far := net.Pipe()
	defer near.Close()
	defer far.Close()
	c := newDeflateConn(near)
	for _, r := range []struct{ compressed, text string }{
		{
			"32323455f04b2d2f4e2fca2f2d5048492d4e2eca2c28c9cccf2b56c8cc5348cb2fca5550c29053e2e50208a09cfce4c41cbd92d4e2124e47058802a062059040314c3635b7a0a4129bb41e2f1740",
			"215 Newsgroup descriptions in form \"group description\"\r\nlocal.test\tA group for tests\r\nlocal.empty\tA group for tests\r\n.\r\n",
		},
		{"0019191a2a182b8030c2245e2e8000", "211 3 1 3 local.test\r\n"},
	} {
		b, err := hex.DecodeString(r.compressed)
		if err != nil {
			t.Fatal(err)
		}
		go far.Write(b)
		_ = near.SetReadDeadline(time.Now().Add(10 * time.Second))
		got := make([]byte, len(r.text))
		if n, err := io.ReadFull(c, got); err != nil || string(got) != r.text {
			t.Fatalf("%q, %v", got[:n], err)
		}
	}
}

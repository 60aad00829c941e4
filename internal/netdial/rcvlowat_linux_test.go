package netdial

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// SO_RCVLOWAT does not withhold data: neither the end of a body whose connection stays open, nor
// data before a stall, nor slow data after fast data.
//
// Covers: P6
func TestRcvLowat(t *testing.T) {
	t.Parallel()
	const idle, large = 2 * time.Second, 4*moveStep + 12345
	body := make([]byte, large)
	stays := func(_ net.Conn, read <-chan struct{}) { <-read }
	for name, tt := range map[string]struct {
		send func(c net.Conn, read <-chan struct{}) // read is closed when the reader has returned
		n    int64                                  // -1 is to the end
		want int64
		err  error
	}{
		"the connection stays open":  {stays, large, large, nil},
		"it ends":                    {func(net.Conn, <-chan struct{}) {}, -1, large, nil},
		"it ends too early":          {func(net.Conn, <-chan struct{}) {}, 2 * large, large, nil},
		"a stall":                    {stays, -1, large, os.ErrDeadlineExceeded},
		"a stall before the end":     {stays, 2 * large, large, os.ErrDeadlineExceeded},
		"a drip, and the end":        {func(c net.Conn, _ <-chan struct{}) { drip(c, 8, idle*3/20) }, -1, large + 8, nil},
		"a drip, and it stays open":  {func(c net.Conn, read <-chan struct{}) { drip(c, 8, idle*3/20); stays(c, read) }, large + 8, large + 8, nil},
		"a pause, and it goes on":    {func(c net.Conn, _ <-chan struct{}) { time.Sleep(idle / 4); c.Write(body) }, 2 * large, 2 * large, nil},
		"a drip before a large rest": {func(c net.Conn, _ <-chan struct{}) { drip(c, 8, idle*3/20); c.Write(body) }, -1, 2*large + 8, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, there := tcpPair(t)
			var sender sync.WaitGroup
			defer sender.Wait()
			read := make(chan struct{})
			defer close(read)
			sender.Go(func() {
				defer there.Close()
				there.Write(body)
				tt.send(there, read)
			})
			c := &Conn{Conn: conn, idle: idle}
			defer c.Close()
			f, err := os.Create(filepath.Join(t.TempDir(), "body"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			var n int64
			if tt.n < 0 {
				n, err = c.WriteTo(f)
			} else {
				n, err = c.WriteToN(f, tt.n)
			}
			if n != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("%d bytes, %v; want %d, %v", n, err, tt.want, tt.err)
			}
			if info, err := f.Stat(); err != nil || info.Size() != tt.want {
				t.Errorf("%d bytes in the file, %v", info.Size(), err)
			}
		})
	}
}

// drip sends single bytes.
func drip(c net.Conn, n int, pause time.Duration) {
	for range n {
		time.Sleep(pause)
		io.WriteString(c, ".")
	}
}

// The mark is reset at the end of the body, since the next message on the connection may be short.
func TestRcvLowatReset(t *testing.T) {
	t.Parallel()
	conn, there := tcpPair(t)
	mark := rcvLowat{conn: conn}
	if mark.raise(); !mark.raised {
		t.Fatal("the mark cannot be raised")
	}
	if !mark.reset() || mark.reset() {
		t.Error("reset does not tell whether the mark was raised")
	}
	if _, err := io.WriteString(there, "x"); err != nil {
		t.Fatal(err)
	}
	conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	if n, err := conn.Read(make([]byte, 8)); n != 1 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
}

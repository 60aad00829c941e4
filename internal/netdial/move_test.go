package netdial

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"locator/wire"
)

// WriteToN copies exactly n bytes. It may take longer than the idle timeout while data arrives, and
// fails after the idle timeout without data.
//
// Covers: P6
func TestWriteToN(t *testing.T) {
	t.Parallel()
	const idle = 30 * time.Second
	tests := []struct {
		name   string
		pieces []int         // sizes of the pieces sent
		pause  time.Duration // before each piece
		n      int64
		want   int64
		err    error
	}{
		{"all of it, and no more", []int{5, 5}, 0, 7, 7, nil},
		{"nothing", []int{5}, 0, 0, 0, nil},
		{"an early end", []int{5}, 0, 7, 5, nil},
		{"slow, but it moves", []int{1, 1, 1}, 20 * time.Second, 3, 3, nil},
		{"a stall", []int{3, 4}, time.Minute, 7, 0, os.ErrDeadlineExceeded},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				here, there := net.Pipe()
				c := &Conn{Conn: here, idle: idle}
				var sender sync.WaitGroup
				defer func() { c.Close(); sender.Wait() }()
				sender.Go(func() {
					defer there.Close()
					for _, n := range tt.pieces {
						time.Sleep(tt.pause)
						if _, err := there.Write(make([]byte, n)); err != nil {
							return
						}
					}
				})
				var got bytes.Buffer
				n, err := wire.CopyN(&got, c, tt.n)
				if n != tt.want || int64(got.Len()) != tt.want || !errors.Is(err, tt.err) {
					t.Errorf("%d bytes, %d written, %v; want %d, %v", n, got.Len(), err, tt.want, tt.err)
				}
			})
		})
	}
}

// CopyN with a connection that does not implement WriteToN.
func TestCopyN(t *testing.T) {
	t.Parallel()
	in := bytes.NewReader([]byte("octets"))
	var got bytes.Buffer
	if n, err := wire.CopyN(&got, in, 4); n != 4 || err != nil || got.String() != "octe" || in.Len() != 2 {
		t.Errorf("%d, %v, %q", n, err, &got)
	}
	if n, err := wire.CopyN(io.Discard, in, 4); n != 2 || err != nil {
		t.Errorf("at the end: %d, %v", n, err)
	}
}

// A connection that is reset during a splice returns a read error of the connection, not a write
// error of the file.
//
// Covers: P6
func TestResetWhileSpliced(t *testing.T) {
	t.Parallel()
	for name, move := range map[string]func(*Conn, io.Writer) (int64, error){
		"WriteTo":  func(c *Conn, w io.Writer) (int64, error) { return c.WriteTo(w) },
		"WriteToN": func(c *Conn, w io.Writer) (int64, error) { return c.WriteToN(w, 1<<30) },
	} {
		testResetWhileSpliced(t, name, move)
	}
}

func testResetWhileSpliced(t *testing.T, name string, move func(*Conn, io.Writer) (int64, error)) {
	conn, peer := tcpPair(t)
	c := &Conn{Conn: conn, idle: 10 * time.Second}
	peer.Write(make([]byte, 1000))
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	go func() {
		for in, _ := f.Stat(); in.Size() < 1000; in, _ = f.Stat() { // wait until the copy has started
			time.Sleep(time.Millisecond)
		}
		peer.SetLinger(0)
		peer.Close()
	}()
	n, err := move(c, f)
	var op *net.OpError
	if n != 1000 || !errors.As(err, &op) || op.Op != "read" || !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("%s: %d bytes, %v", name, n, err)
	}
}

// A connection that stalls during a splice returns a read error of the connection, too.
//
// Covers: P6
func TestStallWhileSpliced(t *testing.T) {
	t.Parallel()
	conn, peer := tcpPair(t)
	peer.Write(make([]byte, 1000))
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n, err := (&Conn{Conn: conn, idle: 50 * time.Millisecond}).WriteTo(f)
	var op *net.OpError
	if n != 1000 || !errors.As(err, &op) || op.Op != "read" || !op.Timeout() || !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("%d bytes, %v", n, err)
	}
}

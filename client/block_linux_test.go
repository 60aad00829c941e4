package client

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"
)

// pair gives both ends of a TCP connection, ours with waits in the kernel.
func pair(t *testing.T, idle time.Duration, open *atomic.Int64) (ours *idleConn, theirs net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	ours = &idleConn{Conn: conn, idle: idle, blocks: block(conn, idle, open)}
	t.Cleanup(func() { ours.Close() })
	if theirs, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { theirs.Close() })
	return ours, theirs
}

// A Close wakes who reads and who writes, wherever they are.
//
// Covers: P6
func TestBlockingClose(t *testing.T) {
	t.Parallel()
	for _, wait := range []time.Duration{0, 50 * time.Millisecond} {
		var open atomic.Int64
		c, _ := pair(t, time.Hour, &open)
		if c.blocks == nil || open.Load() != 1 {
			t.Fatal("the connection does not block")
		}
		read, written := make(chan error, 1), make(chan error, 1)
		go func() {
			_, err := c.Read(make([]byte, 1))
			read <- err
		}()
		go func() {
			for b := make([]byte, 1<<20); ; {
				if _, err := c.Write(b); err != nil {
					written <- err
					return
				}
			}
		}()
		time.Sleep(wait)
		c.Close()
		for _, end := range []chan error{read, written} {
			select {
			case err := <-end:
				if err == nil {
					t.Error("no error after the close")
				}
			case <-time.After(10 * time.Second):
				t.Fatal("the close woke nobody")
			}
		}
		if open.Load() != 0 {
			t.Errorf("%d connections block still", open.Load())
		}
	}
}

// The idle limit holds in the kernel, and starts anew with each octet.
//
// Covers: P6
func TestBlockingIdle(t *testing.T) {
	t.Parallel()
	var open atomic.Int64
	c, peer := pair(t, 300*time.Millisecond, &open)
	go func() {
		for range 4 {
			time.Sleep(100 * time.Millisecond)
			peer.Write([]byte("x"))
		}
	}()
	got, err := io.ReadAll(c)
	if string(got) != "xxxx" || !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := c.Write(make([]byte, 64<<20)); !errors.Is(err, os.ErrDeadlineExceeded) { // nobody reads it
		t.Errorf("writing: %v", err)
	}
}

// A deadline of the scheme's own holds, too.
func TestBlockingDeadline(t *testing.T) {
	t.Parallel()
	var open atomic.Int64
	c, peer := pair(t, time.Hour, &open)
	c.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
	c.SetDeadline(time.Time{})
	go peer.Write([]byte("x"))
	if _, err := c.Read(make([]byte, 1)); err != nil {
		t.Error(err)
	}
	c.Close()
	if open.Load() != 0 {
		t.Errorf("%d connections block still", open.Load())
	}
}

// No more connections block than may hold a thread; the others work as well.
func TestBlockingBound(t *testing.T) {
	t.Parallel()
	var open atomic.Int64
	var all []*idleConn
	for i := range maxBlocking + 3 {
		c, peer := pair(t, time.Minute, &open)
		if blocks := c.blocks != nil; blocks != (i < maxBlocking) {
			t.Errorf("connection %d blocks: %v", i, blocks)
		}
		go peer.Write([]byte("x"))
		if _, err := c.Read(make([]byte, 1)); err != nil {
			t.Error(err)
		}
		all = append(all, c)
	}
	for _, c := range all {
		c.Close()
		c.Close()
	}
	if open.Load() != 0 {
		t.Errorf("%d connections block still", open.Load())
	}
	if c, _ := pair(t, 0, &open); c.blocks != nil {
		t.Error("a connection without a limit blocks")
	}
}

// What goes from socket to file by the kernel arrives whole.
func TestBlockingSplice(t *testing.T) {
	t.Parallel()
	var open atomic.Int64
	c, peer := pair(t, time.Minute, &open)
	want := bytes.Repeat([]byte("0123456789abcde\n"), 1<<19) // two steps
	go func() {
		peer.Write(want)
		peer.Close()
	}()
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if n, err := c.WriteTo(f); n != int64(len(want)) || err != nil {
		t.Fatalf("%d octets, %v", n, err)
	}
	if got, err := os.ReadFile(f.Name()); !bytes.Equal(got, want) {
		t.Errorf("%d octets in the file, %v", len(got), err)
	}
}

package wire_test

import (
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"locator/wire"
)

// slowly returns a Conn to a server that sends one byte of text after each interval.
func slowly(t *testing.T, text string, interval time.Duration, opt wire.Options) *wire.Conn {
	t.Helper()
	here, there := net.Pipe()
	t.Cleanup(func() { here.Close(); there.Close() })
	go func() {
		defer there.Close()
		for i := range text {
			time.Sleep(interval)
			if _, err := there.Write([]byte{text[i]}); err != nil {
				return
			}
		}
	}()
	return wire.NewConn(here, opt)
}

// A line, and a reply, may take only so long from the first byte on. The wait for that byte does
// not count, and neither does a body.
//
// Covers: P6, T5
func TestTooSlow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := slowly(t, "220 ready\r\n", 7*time.Second, wire.Options{})
		begin := time.Now()
		_, err := c.ReadLine()
		if took := time.Since(begin); !errors.Is(err, wire.ErrTooSlow) || !errors.Is(err, wire.ErrLimit) || took > 80*time.Second {
			t.Errorf("a line of 70 seconds: %v after %v", err, took)
		}
		if _, again := c.ReadLine(); again != err {
			t.Errorf("then %v", again)
		}

		c = slowly(t, "220 ready\r\n", 5*time.Second, wire.Options{})
		if line, err := c.ReadLine(); line != "220 ready" || err != nil {
			t.Errorf("a line of 50 seconds: %q, %v", line, err)
		}

		c = slowly(t, strings.Repeat("211-x\r\n", 100), 5*time.Second, wire.Options{})
		begin = time.Now()
		lines, err := c.ReadLines(1<<20, func(string) (bool, error) { return false, nil })
		if took := time.Since(begin); !errors.Is(err, wire.ErrTooSlow) || took > 11*time.Minute || len(lines) < 10 {
			t.Errorf("a reply of an hour: %d lines, %v after %v", len(lines), err, took)
		}

		c = slowly(t, "150 ok\r\n"+strings.Repeat("x", 100)+"\r\n226 ok\r\n", 5*time.Second, wire.Options{})
		if _, err := c.ReadLine(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(c.Reader(), make([]byte, 102)); err != nil {
			t.Errorf("a body of 500 seconds: %v", err)
		}
		c.StartLine()
		if _, err := c.Reader().ReadByte(); err != nil {
			t.Error(err)
		}
		c.StopLine()
		if _, err := c.ReadLine(); err != nil {
			t.Error(err)
		}
	})
}

package wire_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"locator/wire"
)

// peer returns a Conn to a server that sends text in pieces of at most size bytes and closes the
// connection.
func peer(t testing.TB, text string, size int, opt wire.Options) *wire.Conn {
	t.Helper()
	here, there := net.Pipe()
	go func() {
		defer there.Close()
		for piece := range slices.Chunk([]byte(text), size) {
			if _, err := there.Write(piece); err != nil {
				return
			}
		}
	}()
	c := wire.NewConn(here, opt)
	t.Cleanup(func() { c.Close() })
	return c
}

// Covers: P6
func TestReadLine(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 99)
	for _, c := range []struct {
		name, text string
		want       []string
		err        error // of the read after those lines
	}{
		{"no line", "", nil, io.EOF},
		{"CR LF", "220 ready\r\n221 bye\r\n", []string{"220 ready", "221 bye"}, io.EOF},
		{"bare LF", "220 ready\n221 bye\n", []string{"220 ready", "221 bye"}, io.EOF},
		{"empty lines", "\r\n\n", []string{"", ""}, io.EOF},
		{"CR kept inside", "a\rb\r\r\n", []string{"a\rb\r"}, io.EOF},
		{"only a CR", "\r", []string{"\r"}, wire.ErrNoLineEnd},
		{"NUL and the rest kept", "a\x00\x1b\xffb\r\n", []string{"a\x00\x1b\xffb"}, io.EOF},
		{"torn", "220 ready\r\n221 b", []string{"220 ready", "221 b"}, wire.ErrNoLineEnd},
		{"just within the bound", long + "\n", []string{long}, io.EOF},
		{"just over the bound", "first\r\n" + long + "\r\nQUIT\r\n", []string{"first"}, wire.ErrLineTooLong},
		{"endless", strings.Repeat("y", 100_000), nil, wire.ErrLineTooLong},
	} {
		for _, size := range []int{1, 7, 1 << 20} {
			if size == 1 && len(c.text) > 1000 {
				continue
			}
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				var trace []string
				d := peer(t, c.text, size, wire.Options{MaxLine: 100, Received: func(l string) { trace = append(trace, l) }})
				for i, want := range c.want {
					line, err := d.ReadLine()
					if torn := i == len(c.want)-1 && c.err == wire.ErrNoLineEnd; torn && err != wire.ErrNoLineEnd || !torn && err != nil {
						t.Fatalf("line %d: %v", i, err)
					}
					if line != want {
						t.Errorf("line %d is %q, want %q", i, line, want)
					}
					if len(trace) != i+1 || trace[i] != wire.Escape(want) {
						t.Errorf("trace %q after line %d", trace, i)
					}
				}
				end := c.err
				if end == wire.ErrNoLineEnd {
					end = io.EOF
				}
				for range 2 { // an error is final
					if line, err := d.ReadLine(); !errors.Is(err, end) || line != "" {
						t.Fatalf("at the end: %q, %v, want %v", line, err, end)
					}
				}
			})
		}
	}
}

// The rest of a line that is too long is not returned: it may look like a reply.
//
// Covers: P6
func TestNoReplyFromTheMiddleOfALine(t *testing.T) {
	t.Parallel()
	d := peer(t, strings.Repeat(" ", 64)+"\n230 logged in\n", 1, wire.Options{MaxLine: 32})
	for range 3 {
		if line, err := d.ReadLine(); !errors.Is(err, wire.ErrLineTooLong) || !errors.Is(err, wire.ErrLimit) || line != "" {
			t.Fatalf("%q, %v, want %v", line, err, wire.ErrLineTooLong)
		}
	}
	if _, err := d.ReadLines(1<<20, func(string) (bool, error) { return true, nil }); !errors.Is(err, wire.ErrLineTooLong) {
		t.Errorf("%v, want %v", err, wire.ErrLineTooLong)
	}
}

// Covers: P6
func TestDefaultBound(t *testing.T) {
	t.Parallel()
	fits := strings.Repeat("x", wire.DefaultMaxLine-1)
	d := peer(t, fits+"\n"+fits+"x\n", 1<<20, wire.Options{})
	if line, err := d.ReadLine(); err != nil || line != fits {
		t.Fatalf("%d bytes, %v", len(line), err)
	}
	if _, err := d.ReadLine(); !errors.Is(err, wire.ErrLineTooLong) {
		t.Fatalf("%v, want %v", err, wire.ErrLineTooLong)
	}
}

// MaxLine may exceed the size of the buffer.
//
// Covers: P6
func TestLongLines(t *testing.T) {
	t.Parallel()
	fits := strings.Repeat("0123456789abcdef", 4<<10)
	d := peer(t, fits+"\r\n"+fits+fits, 5000, wire.Options{MaxLine: 100_000})
	if line, err := d.ReadLine(); err != nil || line != fits {
		t.Fatalf("%d bytes, %v", len(line), err)
	}
	if _, err := d.ReadLine(); !errors.Is(err, wire.ErrLineTooLong) {
		t.Fatalf("%v, want %v", err, wire.ErrLineTooLong)
	}
}

// Covers: P6
func TestReadLines(t *testing.T) {
	t.Parallel()
	final := func(line string) (bool, error) { return strings.HasPrefix(line, "211 "), nil }
	reply := "211-Features:\r\n UTF8\r\n211 End\r\n"
	odd := errors.New("odd")
	for _, c := range []struct {
		name, text string
		max        int64
		last       func(string) (bool, error)
		want       []string
		err        error
	}{
		{"whole", reply + "next\r\n", 1000, final, []string{"211-Features:", " UTF8", "211 End"}, nil},
		{"to the octet", reply, int64(len(reply)), final, []string{"211-Features:", " UTF8", "211 End"}, nil},
		{"an octet too long", reply, int64(len(reply)) - 1, final, []string{"211-Features:", " UTF8"}, wire.ErrReplyTooLong},
		{"endless", strings.Repeat("211-more\r\n", 10_000), 55, final, slices.Repeat([]string{"211-more"}, 5), wire.ErrReplyTooLong},
		{"empty lines count", strings.Repeat("\n", 10_000), 5, final, make([]string, 5), wire.ErrReplyTooLong},
		{"nothing", "", 1000, final, nil, io.EOF},
		{"closed between two lines", "211-a\r\n", 1000, final, []string{"211-a"}, io.ErrUnexpectedEOF},
		{"torn", "211-a\r\n21", 1000, final, []string{"211-a", "21"}, io.ErrUnexpectedEOF},
		{"last objects", "211-a\r\n212-b\r\n", 1000, func(line string) (bool, error) {
			if strings.HasPrefix(line, "212") {
				return false, odd
			}
			return false, nil
		}, []string{"211-a", "212-b"}, odd},
		{"one line too long for a line", "211-a\r\n" + strings.Repeat("x", 200), 1000, final, []string{"211-a"}, wire.ErrLineTooLong},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := peer(t, c.text, 1000, wire.Options{MaxLine: 100})
			lines, err := d.ReadLines(c.max, c.last)
			if !errors.Is(err, c.err) {
				t.Errorf("error %v, want %v", err, c.err)
			}
			if !slices.Equal(lines, c.want) {
				t.Errorf("lines %q, want %q", lines, c.want)
			}
		})
	}
}

// Covers: P6
func TestReadLineWithin(t *testing.T) {
	t.Parallel()
	d := peer(t, "abc\r\nde\nfg\r\n", 1, wire.Options{})
	left := int64(9)
	for i, c := range []struct {
		line string
		left int64
	}{{"abc", 4}, {"de", 1}} {
		line, err := d.ReadLineWithin(&left)
		if line != c.line || left != c.left || err != nil {
			t.Fatalf("%d: %q, %d left, %v; want %q, %d left", i, line, left, err, c.line, c.left)
		}
	}
	if line, err := d.ReadLineWithin(&left); !errors.Is(err, wire.ErrReplyTooLong) || line != "" {
		t.Fatalf("%q, %v, want %v", line, err, wire.ErrReplyTooLong)
	}
	left = 1000
	if _, err := d.ReadLineWithin(&left); !errors.Is(err, wire.ErrReplyTooLong) {
		t.Errorf("the middle of a line was read: %v", err)
	}
}

// brokenConn reads from r.
type brokenConn struct {
	net.Conn
	r io.Reader
}

func (c brokenConn) Read(b []byte) (int, error) { return c.r.Read(b) }

// After a timeout within a line its rest is not returned as a line.
//
// Covers: P6
func TestStallWithinALine(t *testing.T) {
	t.Parallel()
	here, _ := net.Pipe()
	d := wire.NewConn(brokenConn{here, iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("ab\r\n")))}, wire.Options{})
	defer d.Close()
	for range 2 {
		if line, err := d.ReadLine(); !errors.Is(err, iotest.ErrTimeout) || line != "" {
			t.Fatalf("%q, %v, want %v", line, err, iotest.ErrTimeout)
		}
	}
}

// A failed read is not mistaken for a last line without an end, whatever the error and its
// position, and is final.
//
// Covers: P6, T21
func TestBrokenConnection(t *testing.T) {
	t.Parallel()
	odd := errors.New("odd")
	for _, text := range []string{"", "ab", "ab\r\n", "ab\r\ncd"} {
		for _, broken := range []error{io.ErrUnexpectedEOF, io.ErrClosedPipe, odd} {
			here, _ := net.Pipe()
			d := wire.NewConn(brokenConn{here, io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))}, wire.Options{})
			defer d.Close()
			if strings.Contains(text, "\n") {
				if line, err := d.ReadLine(); line != "ab" || err != nil {
					t.Errorf("%q, then %v: the first line is %q, %v", text, broken, line, err)
				}
			}
			for range 3 {
				line, err := d.ReadLine()
				if line != "" || !errors.Is(err, broken) || errors.Is(err, wire.ErrNoLineEnd) {
					t.Errorf("%q, then %v: %q, %v", text, broken, line, err)
				}
			}
		}
	}
}

// A timeout between two lines is not final.
func TestStallBetweenLines(t *testing.T) {
	t.Parallel()
	here, there := net.Pipe()
	d := wire.NewConn(here, wire.Options{})
	defer d.Close()
	here.SetReadDeadline(time.Unix(1, 0))
	if _, err := d.ReadLine(); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatal(err)
	}
	here.SetReadDeadline(time.Time{})
	go there.Write([]byte("230 ok\r\n"))
	if line, err := d.ReadLine(); line != "230 ok" || err != nil {
		t.Errorf("%q, %v", line, err)
	}
}

// Lines and a body on the same connection.
//
// Covers: P2, P3
func TestDialogue(t *testing.T) {
	t.Parallel()
	here, there := net.Pipe()
	heard := make(chan string, 1)
	go func() {
		var b bytes.Buffer
		buf := make([]byte, 1000)
		for range 2 {
			n, _ := there.Read(buf)
			b.Write(buf[:n])
		}
		there.Write([]byte("331 what\x1b[2J\r\n230 ok\r\nbody\r\nwithout lines"))
		there.Close()
		heard <- b.String()
	}()
	var trace []string
	d := wire.NewConn(here, wire.Options{
		Sent:     func(l string) { trace = append(trace, "> "+l) },
		Received: func(l string) { trace = append(trace, "< "+l) },
	})
	user, _ := wire.Command("USER", "user", "jane")
	pass, _ := wire.Secret("PASS", "password", "hunter2")
	for _, l := range []wire.Line{user, pass} {
		if err := d.Send(l); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"331 what\x1b[2J", "230 ok"} {
		if got, err := d.ReadLine(); got != want || err != nil {
			t.Fatalf("%q, %v, want %q", got, err, want)
		}
	}
	if body, err := io.ReadAll(d.Reader()); string(body) != "body\r\nwithout lines" || err != nil {
		t.Errorf("body %q, %v", body, err)
	}
	if got, want := <-heard, "USER jane\r\nPASS hunter2\r\n"; got != want {
		t.Errorf("the peer heard %q, want %q", got, want)
	}
	if want := []string{"> USER jane", "> PASS ****", `< 331 what\x1b[2J`, "< 230 ok"}; !slices.Equal(trace, want) {
		t.Errorf("trace %q, want %q", trace, want)
	}
	if d.NetConn() != here || d.RemoteAddr() != here.RemoteAddr() {
		t.Error("the connection below is another one")
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if err := d.Send(user); err == nil {
		t.Error("a line was sent on a closed connection")
	}
}

// Unencrypted data is not read as if it were sent over TLS.
//
// Covers: P2, T15
func TestUpgrade(t *testing.T) {
	t.Parallel()
	d := peer(t, "234 go on\r\n", 1<<10, wire.Options{})
	if _, err := d.ReadLine(); err != nil {
		t.Fatal(err)
	}
	other, there := net.Pipe()
	go there.Write([]byte("200 under TLS\r\n"))
	if err := d.Upgrade(func(net.Conn) (net.Conn, error) { return other, nil }); err != nil {
		t.Fatal(err)
	}
	if line, err := d.ReadLine(); line != "200 under TLS" || err != nil {
		t.Errorf("%q, %v", line, err)
	}
	if d.NetConn() != other {
		t.Error("the connection below is still the old one")
	}
	d.Close()

	for _, ahead := range []string{"230 slipped in\r\n", "\n"} {
		d = peer(t, "234 go on\r\n"+ahead, 1<<10, wire.Options{})
		if _, err := d.ReadLine(); err != nil {
			t.Fatal(err)
		}
		err := d.Upgrade(func(net.Conn) (net.Conn, error) { t.Error("upgraded"); return other, nil })
		if !errors.Is(err, wire.ErrSentAhead) {
			t.Errorf("%q: error %v, want %v", ahead, err, wire.ErrSentAhead)
		}
		if line, err := d.ReadLine(); line != "" || !errors.Is(err, wire.ErrSentAhead) {
			t.Errorf("%q: %q, %v, want %v", ahead, line, err, wire.ErrSentAhead)
		}
	}
}

// FuzzReadLine checks that lines are split at LF and never exceed the limits, whatever the server
// sends and however it is cut into pieces.
//
// Covers: P6
func FuzzReadLine(f *testing.F) {
	f.Add([]byte("220 a\r\n221 b\n"), uint8(3), uint8(10))
	f.Add([]byte("\r\r\n\n\x00"), uint8(1), uint8(1))
	f.Add(bytes.Repeat([]byte("x"), 300), uint8(200), uint8(100))
	f.Fuzz(func(t *testing.T, text []byte, size, bound uint8) {
		if len(text) > 4096 {
			return
		}
		d := peer(t, string(text), int(size)+1, wire.Options{MaxLine: int(bound) + 1})
		rest := text
		for {
			left := int64(len(rest))
			line, err := d.ReadLineWithin(&left)
			want, tail, whole := bytes.Cut(rest, []byte("\n"))
			switch {
			case len(rest) == 0:
				if err != io.EOF || line != "" {
					t.Fatalf("%q, %v at the end", line, err)
				}
				return
			case !whole && len(want) > int(bound)+1 || whole && len(want) > int(bound):
				if !errors.Is(err, wire.ErrLineTooLong) || line != "" {
					t.Fatalf("%q, %v for a line of %d bytes, bound %d", line, err, len(want), int(bound)+1)
				}
				return
			case !whole:
				if err != wire.ErrNoLineEnd || line != string(want) || left != 0 {
					t.Fatalf("%q, %v, %d left for the torn line %q", line, err, left, want)
				}
			case err != nil || line != string(bytes.TrimSuffix(want, []byte("\r"))) || left != int64(len(tail)):
				t.Fatalf("%q, %v, %d left for the line %q", line, err, left, want)
			}
			rest = tail
		}
	})
}

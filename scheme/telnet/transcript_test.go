package telnet

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"locator/internal/clock"
	"locator/scheme"
	"locator/scheme/session"
	"locator/scheme/telnet/internal/option"
)

// dialogueTest is a session whose server is a transcript.
type dialogueTest struct {
	*testing.T
	s      *nvt
	server net.Conn
	mode   session.Mode
}

// startDialogue starts a session for a terminal of 80 by 24 characters.
func startDialogue(t *testing.T, charset string) *dialogueTest {
	t.Helper()
	here, there := net.Pipe()
	chars, err := newCharset(charset)
	if err != nil {
		t.Fatal(err)
	}
	env := &scheme.Env{Clock: clock.System{}}
	s := newSession(context.Background(), env, here, here, place{}, chars, session.Terminal{Type: "xterm-256color", Width: 80, Height: 24})
	t.Cleanup(func() { s.Close(); there.Close() })
	return &dialogueTest{T: t, s: s, server: there}
}

// TestTranscripts plays the dialogues in testdata/transcripts. A line is one of
//
//	< COMMAND ...   the server sends a command; numbers are bytes, other words are text
//	< data TEXT     the server sends data, in the escapes of Go
//	> COMMAND ...   the client sends this next; "> data TEXT" likewise
//	= TEXT          the caller reads this next
//	write TEXT, resize W H, send N, mode WORDS   what the caller does, and sees
//
// Everything that the client sends must be in the transcript.
//
// Covers: S13, A10, P2, T33, T35
func TestTranscripts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/transcripts/*.txt")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			d := startDialogue(t, "")
			var want []byte // of the client, not yet read
			output := make(chan []byte, 100)
			go func() {
				for {
					b := make([]byte, 1<<10)
					n, err := d.s.Read(b)
					output <- b[:n]
					if err != nil {
						return
					}
				}
			}()
			for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
				verb, rest, _ := strings.Cut(line, " ")
				if verb != ">" && len(want) > 0 {
					d.sent(file, i, want)
					want = nil
				}
				switch verb {
				case "#", "":
				case "<":
					d.send(assemble(t, rest))
				case ">":
					want = append(want, assemble(t, rest)...)
				case "=":
					var got []byte
					for text := unescape(t, rest); string(got) != text; {
						select {
						case b := <-output:
							got = append(got, b...)
						case <-time.After(10 * time.Second):
							t.Fatalf("%s:%d: read %q, want %q", file, i+1, got, text)
						}
					}
				default:
					d.act(verb, rest)
				}
			}
			d.sent(file, len(strings.Split(string(text), "\n")), want)
			d.server.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
			if more, _ := io.ReadAll(d.server); len(more) > 0 {
				t.Errorf("%s: the client also sends %q", file, more)
			}
		})
	}
}

// send sends octets to the client.
func (d *dialogueTest) send(octets []byte) {
	d.Helper()
	d.server.SetWriteDeadline(time.Now().Add(10 * time.Second))
	if _, err := d.server.Write(octets); err != nil {
		d.Fatalf("the client does not read %q: %v", octets, err)
	}
}

// sent checks what the client sends next.
func (d *dialogueTest) sent(file string, line int, want []byte) {
	d.Helper()
	got := make([]byte, len(want))
	d.server.SetReadDeadline(time.Now().Add(10 * time.Second))
	n, err := io.ReadFull(d.server, got)
	if !bytes.Equal(got[:n], want) {
		d.Fatalf("%s: before line %d the client sends %q (%v), want %q", file, line+1, got[:n], err, want)
	}
}

// act does what the caller of the session does.
func (d *dialogueTest) act(verb, rest string) {
	d.Helper()
	var err error
	switch verb {
	case "write":
		go io.WriteString(d.s, unescape(d.T, rest)) // it returns when the transcript has the octets
	case "resize":
		var w, h int
		fmt.Sscan(rest, &w, &h)
		err = d.s.Resize(w, h)
	case "send":
		n, _ := strconv.Atoi(rest)
		go d.s.Send(session.Signal(n))
	case "mode":
		for end := time.After(10 * time.Second); ; {
			select {
			case d.mode = <-d.s.Modes():
			case <-end:
				d.Fatalf("the mode is %+v, want %s", d.mode, rest)
			}
			unit, echo := "characters", "here"
			if d.mode.LineMode {
				unit = "lines"
			}
			if d.mode.RemoteEcho {
				echo = "there"
			}
			if unit+", echo "+echo == rest {
				return
			}
		}
	default:
		d.Fatalf("unknown step %q", verb)
	}
	if err != nil {
		d.Errorf("%s %s: %v", verb, rest, err)
	}
}

// assemble returns the octets of a line of a transcript.
func assemble(t *testing.T, line string) []byte {
	t.Helper()
	if text, ok := strings.CutPrefix(line, "data "); ok {
		return bytes.ReplaceAll([]byte(unescape(t, text)), []byte{255}, []byte{255, 255})
	}
	if text, ok := strings.CutPrefix(line, "text "); ok {
		return []byte(text)
	}
	codes := make(map[string]byte)
	for c := range 256 {
		if name := option.Option(c).String(); name != strconv.Itoa(c) {
			codes[name] = byte(c)
		}
	}
	for c := option.SE; c != 0; c++ {
		codes[c.String()] = byte(c)
	}
	words := strings.Fields(line)
	b := []byte{255}
	for i, word := range words {
		n, err := strconv.ParseUint(word, 10, 8)
		switch code, ok := codes[word]; {
		case ok && i < 2:
			b = append(b, code)
		case err == nil && n == 255:
			b = append(b, 255, 255)
		case err == nil:
			b = append(b, byte(n))
		default:
			b = append(b, word...)
		}
	}
	if words[0] == "SB" {
		b = append(b, 255, byte(option.SE))
	}
	return b
}

// unescape returns a text that is written in the escapes of Go.
func unescape(t *testing.T, text string) string {
	t.Helper()
	s, err := strconv.Unquote(`"` + text + `"`)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return s
}

package peer

import (
	"io"
	"strings"
	"time"
)

// WriteSlowly writes b as a server with the fault [Drip] does: its first 200 bytes one at a time
// with pauses, and the rest in small pieces.
func WriteSlowly(w io.Writer, b []byte) error {
	const slow, pause, piece = 200, 200 * time.Microsecond, 64
	for i := 0; i < len(b); {
		n := 1
		if i >= slow {
			n = min(piece, len(b)-i)
		}
		if _, err := w.Write(b[i : i+n]); err != nil {
			return err
		}
		if i += n; i < slow {
			time.Sleep(pause)
		}
	}
	return nil
}

// Flood writes piece(0), piece(1) and so on until the client closes the connection, several pieces
// in one write.
func Flood(w io.Writer, piece func(n int) string) {
	const enough = 4 << 10
	for n := 0; ; {
		var b strings.Builder
		for b.Len() < enough {
			b.WriteString(piece(n))
			n++
		}
		if _, err := io.WriteString(w, b.String()); err != nil {
			return
		}
	}
}

// Hang blocks until either side closes c.
func Hang(c io.Reader) { _, _ = io.Copy(io.Discard, c) }

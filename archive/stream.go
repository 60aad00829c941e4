package archive

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"locator/scheme"
)

// maxHeld is the size of a message that is held until it is complete, if what was written cannot be
// taken back.
const maxHeld = 1 << 20

// stream writes messages to a writer.
type stream struct {
	w    io.Writer
	held bytes.Buffer
}

// heldWriter holds up to maxHeld bytes back, and passes on the rest.
type heldWriter struct {
	w      io.Writer
	held   *bytes.Buffer
	passed int64
}

func (h *heldWriter) Write(p []byte) (int, error) {
	if h.passed == 0 && h.held.Len()+len(p) <= maxHeld {
		return h.held.Write(p)
	}
	if err := h.flush(); err != nil {
		return 0, err
	}
	n, err := h.w.Write(p)
	h.passed += int64(n)
	return n, err
}

// flush writes what is held.
func (h *heldWriter) flush() error {
	n, err := h.held.WriteTo(h.w)
	h.passed += n
	return err
}

// add implements store.
func (s *stream) add(_ string, _ *scheme.Resource, encode func(*bufio.Writer) error) (int64, error) {
	s.held.Reset()
	h := &heldWriter{w: s.w, held: &s.held}
	w := bufio.NewWriterSize(h, 64<<10)
	err := encode(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = h.flush()
	}
	if err != nil && h.passed > 0 {
		if _, ok := errors.AsType[sourceError](err); ok {
			err = scheme.Fail(scheme.CodeBroken, "a message of which %d bytes were written broke off: %w", h.passed, err)
			err.(*scheme.Error).Final = true
		}
	}
	return h.passed, err
}

// Close implements store.
func (s *stream) Close() error { return nil }

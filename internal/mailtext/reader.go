package mailtext

import (
	"errors"
	"io"
	"iter"
)

// ErrForm is matched by the errors of a message that is damaged, or nested too deeply.
var ErrForm = errors.New("the message is damaged")

// Bounds of a message. No encoding makes a message longer, so its size needs no bound of its own.
const (
	maxDepth  = 10        // of parts within parts
	maxParts  = 1000      // in all
	maxHeader = 256 << 10 // bytes of a header
	lineSize  = 64 << 10  // bytes of a line of text; longer ones are decoded in pieces
)

// Options configure a Reader.
type Options struct {
	Charset string // of text that has none or an unknown one
	Flow    bool   // join the lines of format=flowed
	// Part is called with each attachment. It need not read it. A Read of the body that fails says
	// that the attachment is damaged. An error ends the message. Part may be nil.
	Part func(name, mediaType string, body io.Reader) error
}

// NewReader returns the text of a message (RFC 5322, RFC 2045) as people read it: the main fields
// of its header, and its text in UTF-8 with LF as line ends. Each attachment, also one that is
// uuencoded or yEncoded within a text, is a line that names it. Of alternatives, the first is
// shown. Damage is reported at its place; an error that matches ErrForm follows the whole text. The
// caller must Close it.
func NewReader(r io.Reader, o Options) io.ReadCloser {
	next, stop := iter.Pull2(func(yield func([]byte, error) bool) {
		d := &decoder{source: source{r: r}, o: o, yield: yield}
		if err := d.run(); !errors.Is(err, errStopped) {
			yield(nil, err)
		}
	})
	return &reading{next: next, stop: stop}
}

// reading reads what a decoder yields.
type reading struct {
	next func() ([]byte, error, bool)
	stop func()
	rest []byte
	err  error
}

// Read implements io.Reader.
func (r *reading) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		b, err, ok := r.next()
		if r.rest, r.err = b, err; !ok || err == nil && b == nil {
			r.err = io.EOF
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// Close ends the decoder.
func (r *reading) Close() error {
	r.stop()
	r.rest, r.err = nil, io.ErrClosedPipe
	return nil
}

// source is the encoded message. It keeps the error of its reader, which decoders may hide.
type source struct {
	r   io.Reader
	err error
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// errStopped says that the reader was closed.
var errStopped = errors.New("closed")

package ftp

import (
	"errors"
	"io"
	"net"
	"strconv"
	"strings"

	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// body reads a file. It ends with io.EOF only if the server reported a complete transfer and no
// size contradicts it. It never returns more bytes than the server announced.
type body struct {
	d   *data
	src io.Reader // d, or d converted

	got      int64            // bytes received
	want     int64            // bytes expected, -1 if unknown or not comparable
	listed   int64            // size in a listing, which may be old, or by SIZE; -1 if unknown
	known    *scheme.Resource // its size is that of SIZE, which may be another; nil if it is not
	limit    int64            // bytes that the caller wants, -1 for all
	verbatim bool             // src returns the bytes as received
	cut      bool             // TLS ended without close_notify: only a known size shows that the body is complete
	ended    bool
	result   error // what Read returns after the end
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	if b.ended {
		return 0, b.result
	}
	if b.limit >= 0 {
		if left := b.limit - b.got; left == 0 {
			return 0, b.stop()
		} else if int64(len(p)) > left {
			p = p[:left]
		}
	}
	n, err := b.src.Read(p)
	b.got += int64(n)
	if b.want >= 0 && b.got > b.want {
		n -= int(b.got - b.want)
		return n, b.fail(b.tooLong(b.want))
	}
	if err != nil {
		err = b.end(err)
	}
	return n, err
}

// WriteTo implements io.WriterTo. The data connection copies in large steps, so that the kernel can
// splice.
func (b *body) WriteTo(w io.Writer) (int64, error) {
	if b.ended {
		return 0, noEOF(b.result)
	}
	from, ok := b.d.Conn.(io.WriterTo)
	if !b.verbatim || b.limit >= 0 || !ok {
		return io.Copy(w, struct{ io.Reader }{b})
	}
	var n int64
	var err error
	if b.want < 0 {
		n, err = from.WriteTo(w)
	} else {
		n, err = wire.CopyN(w, b.d.Conn, b.want-b.got)
	}
	b.got += n
	if err == nil && b.got == b.want {
		err = b.atEnd()
	}
	if err != nil {
		var read *net.OpError
		if dialogue.Timeout(err) || errors.As(err, &read) && read.Op == "read" {
			err = dialogue.Torn(b.got, err)
		}
		return n, b.fail(err) // else it is an error of the writer
	}
	return n, noEOF(b.end(io.EOF))
}

// atEnd returns nil if the connection ends here, after as many bytes as were announced.
func (b *body) atEnd() error {
	var more [1]byte
	switch n, err := b.d.Conn.Read(more[:]); {
	case n > 0:
		return b.tooLong(b.want)
	case err != io.EOF:
		return err
	}
	return nil
}

// tooLong is the error of a body that goes on after size bytes.
func (b *body) tooLong(size int64) error {
	return scheme.Fail(scheme.CodeBroken, "the server sent more than the %d bytes that it announced; the file may have grown", size)
}

// errClosed is the error of reading a closed body.
var errClosed = errors.New("the body is closed")

func noEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// end decides whether the data that ended with err is complete.
func (b *body) end(err error) error {
	if b.cut = errors.Is(err, wire.ErrNoCloseNotify); err != io.EOF && !b.cut {
		return b.fail(dialogue.Torn(b.got, err))
	}
	if b.d.close(); b.complete() {
		b.d.s.prefetchPort()
	}
	r, err := b.d.finish("the transfer of " + b.d.s.target())
	switch {
	case err != nil && r.Code != 421:
		return b.fail(dialogue.Torn(b.got, err))
	case b.d.s.place.op != retrieve && r.unopened():
		return b.fail(r.fail("the server cannot open the directory"))
	case b.d.s.place.op != retrieve && r.truncated():
		return b.fail(r.beginningOnly())
	case r.Class() != 2:
		return b.fail(scheme.Replied(scheme.CodeBroken, r.Shown(), "the transfer broke off after %d bytes: %w", b.got, io.ErrUnexpectedEOF))
	case b.want < 0 && (b.cut || !b.complete()):
		if b.want, err = b.expectedSize(); err != nil {
			return b.fail(dialogue.Torn(b.got, err))
		}
	}
	switch {
	case b.want >= 0 && b.got < b.want:
		return b.fail(scheme.Replied(scheme.CodeBroken, r.Shown(), "the transfer is short: %d bytes of %d, though the server calls it complete: %w", b.got, b.want, io.ErrUnexpectedEOF))
	case b.cut && b.got != b.want:
		return b.fail(dialogue.Torn(b.got, wire.ErrNoCloseNotify))
	}
	// QUIRK: for a link, goftp.io/server 2.0.3 reports the size of the link itself, in listings and
	// by SIZE. So more bytes than SIZE reports afterwards are not an error: nothing is missing.
	if b.known != nil {
		b.known.Attr.Size = scheme.Known(b.got)
	}
	b.finish(io.EOF)
	b.d.s.release()
	return io.EOF
}

// complete reports whether as many bytes have arrived as the server announced, or as a listing said
// if it announced none.
func (b *body) complete() bool {
	return b.got == b.want || b.want < 0 && b.verbatim && b.got == b.listed
}

// expectedSize asks for the size of a file whose reply 150 announced none. It returns -1 if the
// server does not report it; then the final reply alone decides. It returns an error if the server
// does not answer: then the body may be short.
//
// QUIRK: pure-ftpd 1.0.50 announces no size, and sends 226 when the last byte is in its send
// buffer. A data connection that is cut after that ends like any other.
func (b *body) expectedSize() (int64, error) {
	if !b.verbatim || b.limit >= 0 || b.d.s.place.op != retrieve {
		return -1, nil
	}
	return b.d.s.size(b.d.s.place.name)
}

// stop ends a body after the part that the caller wants.
func (b *body) stop() error {
	if b.want >= 0 && b.got >= b.want { // which is also the end of the file
		return b.end(io.EOF)
	}
	b.finish(io.EOF)
	b.d.abandon()
	b.d.s.release()
	return io.EOF
}

// fail ends the body with an error and closes the control connection, as its next reply is not
// known.
func (b *body) fail(err error) error {
	b.finish(err)
	b.d.close()
	b.d.s.lease.Discard()
	return err
}

// finish ends the body; Read then returns result.
func (b *body) finish(result error) { b.ended, b.result = true, result }

// Close aborts the transfer if it has not ended.
func (b *body) Close() error {
	if !b.ended {
		b.finish(errClosed)
		b.d.abandon()
		b.d.s.release()
	}
	return nil
}

// announced returns the size in the reply that begins a transfer, "150 Opening ... (1234 bytes)",
// or -1. RFC 959 does not define it, but most servers send it.
func announced(text string) int64 {
	open := strings.LastIndexByte(text, '(')
	if open < 0 {
		return -1
	}
	digits, unit, _ := strings.Cut(text[open+1:], " ")
	if !strings.HasPrefix(unit, "bytes") && !strings.HasPrefix(unit, "octets") {
		return -1
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 {
		return -1
	}
	return n
}

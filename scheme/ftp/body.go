package ftp

import (
	"errors"
	"io"
	"net"
	"strconv"
	"strings"

	"locator/scheme"
)

// body is a file on its way. It ends with io.EOF only where the server said that the transfer was whole; else with an
// error that matches io.ErrUnexpectedEOF.
type body struct {
	d    *data
	src  io.Reader // d, or d converted
	name string

	got    int64 // octets on the wire in TYPE I
	want   int64 // octets that are due, -1 where unknown or not comparable
	limit  int64 // octets that the caller wants, -1 for all
	exact  bool  // src gives the octets of the wire
	ended  bool
	result error // what Read gives after the end
}

// Read meets io.Reader.
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
	if err != nil {
		err = b.end(err)
	}
	return n, err
}

// WriteTo leaves the copying to the data connection, which moves it in large steps, so that the kernel can splice.
func (b *body) WriteTo(w io.Writer) (int64, error) {
	if b.ended {
		return 0, noEOF(b.result)
	}
	from, ok := b.d.Conn.(io.WriterTo)
	if !b.exact || b.limit >= 0 || !ok {
		return io.Copy(w, struct{ io.Reader }{b})
	}
	n, err := from.WriteTo(w)
	b.got += n
	if err != nil {
		var read *net.OpError
		if timeout(err) || errors.As(err, &read) && read.Op == "read" {
			err = torn(b.got, err)
		}
		return n, b.fail(err) // else it is the writer's trouble
	}
	return n, noEOF(b.end(io.EOF))
}

// errClosed is what a closed body gives.
var errClosed = errors.New("the body is closed")

func noEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// end judges the end of the data.
func (b *body) end(err error) error {
	if err != io.EOF {
		return b.fail(torn(b.got, err))
	}
	r, err := b.d.finish("the transfer of " + quoted(b.name))
	switch {
	case err != nil:
		if e, ok := errors.AsType[*scheme.Error](err); ok && e.Code == scheme.CodeUnavailable {
			return b.fail(scheme.Replied(scheme.CodeBroken, e.Reply, "the transfer broke off after %d octets: %w", b.got, io.ErrUnexpectedEOF))
		}
		return b.fail(torn(b.got, err))
	case r.class() != 2:
		return b.fail(scheme.Replied(scheme.CodeBroken, r.shown(), "the transfer broke off after %d octets: %w", b.got, io.ErrUnexpectedEOF))
	case b.want < 0:
		b.want = b.due()
	}
	if b.want >= 0 && b.got < b.want {
		return b.fail(scheme.Replied(scheme.CodeBroken, r.shown(), "the transfer is short: %d octets of %d, though the server calls it complete: %w", b.got, b.want, io.ErrUnexpectedEOF))
	}
	b.over(io.EOF)
	b.d.v.leave()
	return io.EOF
}

// due asks how much should have come, -1 where that is not told. What the server has called complete stays so if it does
// not answer.
//
// QUIRK: pure-ftpd 1.0.50 announces no size, and says 226 once the last octet is in the buffers of its machine. A data
// connection that is cut after that looks like any other end.
func (b *body) due() int64 {
	if !b.exact || b.limit >= 0 || b.d.v.plan.do != retrieve {
		return -1
	}
	size, err := b.d.v.size(b.name)
	if err != nil {
		return -1
	}
	return size
}

// stop ends a body whose wanted part is read.
func (b *body) stop() error {
	if b.want >= 0 && b.got >= b.want { // it is also the end of the file
		return b.end(io.EOF)
	}
	b.over(io.EOF)
	b.d.abandon()
	b.d.v.leave()
	return io.EOF
}

// fail gives up the connection as well: what it would say next is not known.
func (b *body) fail(err error) error {
	b.over(err)
	b.d.close()
	b.d.v.leaveFor(false)
	return err
}

func (b *body) over(result error) { b.ended, b.result = true, result }

// Close gives up what was not read.
func (b *body) Close() error {
	if !b.ended {
		b.over(errClosed)
		b.d.abandon()
		b.d.v.leave()
	}
	return nil
}

// announced finds the size in the reply that begins a transfer, "150 Opening ... (1234 bytes)". It is no part of RFC
// 959, but what most servers say. -1 is unknown.
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

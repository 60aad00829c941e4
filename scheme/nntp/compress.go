package nntp

import (
	"io"
	"net"
	"sync"

	"github.com/klauspost/compress/flate"

	"locator/scheme"
	"locator/scheme/internal/dialogue"
)

// compress switches the connection to DEFLATE if the server offers it (RFC 8054). It is for listings, which become several times
// shorter. The server then accepts no login and no STARTTLS, and a connection with a login is not compressed: the lengths of
// its data could tell what the password was.
//
// QUIRK: nnrpd of INN 2.7.1 does not end the block at the end of some replies (7,091 compressed bytes of an overview of 500 articles), so
// that package flate waits for more data before it returns the rest of the reply. INN is not asked to compress.
func (c *conn) compress(env *scheme.Env) error {
	if c.compressed || c.loggedIn || c.caps == nil || !c.caps.offers("COMPRESS", "DEFLATE") || c.caps.offers("IMPLEMENTATION", "INN") {
		return nil
	}
	r, err := c.ask("COMPRESS DEFLATE", dialogue.Bare("COMPRESS DEFLATE"))
	switch {
	case err != nil:
		return err
	case r.code == 403 || r.class() == 5:
		env.Trace.OnNote("the server does not compress after all")
		delete(c.caps, "COMPRESS")
		return nil
	case r.code != 206:
		return c.end(r.fail("COMPRESS DEFLATE"))
	}
	if err := c.wire.Upgrade(newDeflateConn); err != nil {
		return c.end(scheme.Fail(scheme.CodeProtocol, "the server sent more before the compressed data: %w", err))
	}
	c.compressed = true
	return nil
}

// deflateConn compresses what is written, one command at a time, and decompresses what is read.
type deflateConn struct {
	net.Conn
	in *barren
	r  io.Reader
	mu sync.Mutex
	w  *flate.Writer
}

// newDeflateConn returns a compressed connection over c.
//
// QUIRK: INN 2.7.1 ends a response with a partial flush (Z_PARTIAL_FLUSH of zlib), after which compress/flate waits for more data before
// it returns what it has.
func newDeflateConn(c net.Conn) net.Conn {
	w, _ := flate.NewWriter(c, flate.DefaultCompression) // fails for an unknown level only
	in := &barren{r: c}
	return &deflateConn{Conn: c, in: in, r: flate.NewReaderOpts(in, flate.WithPartialBlock()), w: w}
}

// Read returns decompressed bytes.
func (d *deflateConn) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	if n > 0 {
		d.in.n = 0
	}
	return n, err
}

// barren is a reader of compressed data that fails if too much of it decompresses to nothing: empty blocks are no progress, and
// nothing else would end them.
type barren struct {
	r io.Reader
	n int // bytes since the last decompressed byte
}

// Read implements io.Reader.
func (b *barren) Read(p []byte) (int, error) {
	if b.n > maxBarren {
		return 0, scheme.Fail(scheme.CodeProtocol, "%d bytes of compressed data contain nothing", b.n)
	}
	n, err := b.r.Read(p)
	b.n += n
	return n, err
}

// Write compresses p and sends all of it.
func (d *deflateConn) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.w.Write(p)
	if err == nil {
		err = d.w.Flush()
	}
	return n, err
}

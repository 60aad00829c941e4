package ftp

import (
	"io"
	"net"
	"time"
)

// Many small files take as long as the client and the server wait for each other. What can be done ahead is done here,
// and each command still waits for the reply to the one before, as RFC 959 5.4 wants it.

// askAhead asks for the port of the next transfer where the caller has said that one follows: the server then looks for
// it while the client is busy with the file that has come.
func (v *visit) askAhead() {
	if !v.plan.more || !v.reached || v.awaited || v.next != 0 || v.unusable.Load() || v.wire.Reader().Buffered() > 0 {
		return
	}
	after, l := v.passiveCommand()
	v.awaited, v.nextAt = v.send(after, l) == nil, v.env.Clock.Now()
}

// settle reads the reply that askAhead left. What is wrong with it shows when a port is asked for again.
func (v *visit) settle() error {
	if !v.awaited {
		return nil
	}
	v.awaited = false
	after, _ := v.passiveCommand()
	r, err := v.reply(after)
	if err != nil {
		return err
	}
	if port, err := v.portOf(r); err == nil {
		v.next = port
	}
	return nil
}

// portTime is how long a port that was asked for ahead is good: neither the server nor what stands in between keeps it
// open for ever.
const portTime = 5 * time.Second

// portAhead is the port that was asked for ahead, 0 where there is none.
func (v *visit) portAhead() uint16 {
	port := v.next
	if v.next = 0; port != 0 && v.env.Clock.Now().Sub(v.nextAt) > portTime {
		return 0
	}
	return port
}

// smallBody is the size up to which a body is read at once.
const smallBody = 16 << 10

// readAhead reads a small body at once and ends its data connection, which some servers wait for. size is what the
// server announced.
func (d *data) readAhead(size int64) {
	if size < 0 || size > smallBody {
		return
	}
	in := &readAhead{Conn: d.Conn, have: make([]byte, 0, size+1)} // one more, to see the end
	for in.err == nil && len(in.have) < cap(in.have) {
		var n int
		n, in.err = d.Conn.Read(in.have[len(in.have):cap(in.have)])
		in.have = in.have[:len(in.have)+n]
	}
	if in.err == io.EOF {
		d.close()
	}
	d.Conn = in
}

// readAhead is a data connection of which something has been read.
type readAhead struct {
	net.Conn
	have []byte
	err  error // what comes after it; nil is the rest of the connection
}

// Read follows io.Reader.
func (r *readAhead) Read(p []byte) (int, error) {
	switch {
	case len(r.have) > 0:
		n := copy(p, r.have)
		r.have = r.have[n:]
		return n, nil
	case r.err != nil:
		return 0, r.err
	}
	return r.Conn.Read(p)
}

// WriteTo follows io.WriterTo.
func (r *readAhead) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(r.have)
	r.have = r.have[n:]
	switch {
	case err != nil:
		return int64(n), err
	case r.err == io.EOF:
		return int64(n), nil
	case r.err != nil:
		return int64(n), r.err
	}
	rest, err := io.Copy(w, r.Conn)
	return int64(n) + rest, err
}

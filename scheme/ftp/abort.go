package ftp

import (
	"io"
	"time"
)

// abandonTime is how long the server has to notice that a transfer was given up, before its control connection is, too.
const abandonTime = 2 * time.Second

// abandon gives up what is read before its end. The control connection is kept if the server is soon in step again. Where
// the context has ended it is not: whoever called all of it off wants nothing to go on.
func (d *data) abandon() {
	if d.final != nil {
		d.close()
		return
	}
	if d.v.ctx.Err() != nil {
		d.close()
		d.v.unusable.Store(true)
		return
	}
	late := time.AfterFunc(abandonTime, func() { d.v.raw.Close() })
	err := d.abort()
	if !late.Stop() || err != nil {
		d.v.unusable.Store(true)
	}
}

// abort ends a transfer by ABOR (RFC 959 4.1.3), if the server has not ended it by itself, and reads what is due.
//
// The data connection is closed right after the command went out: a server that reads no command while it sends (vsftpd
// 3.0.3 without async_abor_enable) notices that. The command goes without the Telnet signals that RFC 959 wants before it:
// urgent data pass neither TLS nor most proxies, and servers that read commands while they send need none.
//
// QUIRK: to ABOR servers answer once (225 or 226: nothing to abort, or all at once) or twice: proftpd 1.3.8 says 426 and 226,
// vsftpd 426 or 226 and then 225, pure-ftpd 1.0.50 ends a transfer that was cut by 150 and then says 226. The reply to a
// NOOP, which is 200, tells where that ends.
func (d *data) abort() error {
	v := d.v
	ended := v.wire.Reader().Buffered() > 0 || d.whole()
	var err error
	if !ended {
		err = v.send("ABOR", bare("ABOR"))
	}
	d.close()
	if err != nil {
		return err
	}
	r, err := v.reply("giving up a transfer")
	if err != nil || ended && r.class() != 1 {
		return err
	}
	if ended || r.class() == 3 || r.code == 200 {
		return r.unexpected("ABOR")
	}
	if err := v.send("NOOP", bare("NOOP")); err != nil {
		return err
	}
	for range 2 {
		if r, err = v.reply("NOOP"); err != nil || r.code == 200 {
			return err
		}
	}
	return r.unexpected("NOOP")
}

// whole reports whether all of a small body has been read ahead: then the reply that ends the transfer is on its way.
func (d *data) whole() bool {
	in, ok := d.Conn.(*readAhead)
	return ok && in.err == io.EOF
}

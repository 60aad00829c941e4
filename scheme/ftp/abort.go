package ftp

import (
	"time"

	"locator/scheme/internal/dialogue"
)

// abandonTime is how long the server may take to end an aborted transfer, before its control
// connection is closed as well.
const abandonTime = 2 * time.Second

// abandon ends a download early. The control connection stays usable if the server ends the
// transfer within abandonTime. It does not if the context has ended: then nothing more is sent.
func (d *data) abandon() {
	if d.final != nil {
		d.close()
		return
	}
	if d.s.ctx.Err() != nil {
		d.close()
		d.s.Unusable.Store(true)
		return
	}
	late := time.AfterFunc(abandonTime, func() { d.s.Raw.Close() })
	err := d.abort()
	if !late.Stop() || err != nil {
		d.s.Unusable.Store(true)
	}
}

// abort ends a transfer by ABOR (RFC 959 4.1.3), unless the server has ended it, and reads the
// replies that are due.
//
// The data connection is closed after the command has been sent: a server that reads no commands
// while it sends data (vsftpd 3.0.3 without async_abor_enable) notices that. The Telnet signals
// that RFC 959 requires before the command are not sent: urgent data pass neither TLS nor most
// proxies, and servers that read commands while they send data do not need them.
//
// QUIRK: servers answer ABOR once (225 or 226) or twice: proftpd 1.3.8 sends 426 and 226, vsftpd
// 426 or 226 and then 225, pure-ftpd 1.0.50 ends a cut transfer with 150 and then sends 226. The
// reply to NOOP, which is 200, marks the end.
func (d *data) abort() error {
	s := d.s
	ended := s.Wire.Reader().Buffered() > 0
	var err error
	if !ended {
		err = s.Send("ABOR", dialogue.Bare("ABOR"))
	}
	d.close()
	if err != nil {
		return err
	}
	r, err := s.reply("giving up a transfer")
	if err != nil || ended && r.Class() != 1 {
		return err
	}
	if ended || r.Class() == 3 || r.Code == 200 {
		return r.unexpected("ABOR")
	}
	if err := s.Send("NOOP", dialogue.Bare("NOOP")); err != nil {
		return err
	}
	for range 2 {
		if r, err = s.reply("NOOP"); err != nil || r.Code == 200 {
			return err
		}
	}
	return r.unexpected("NOOP")
}

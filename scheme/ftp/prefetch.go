package ftp

import (
	"slices"
	"time"

	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// A small file takes the time of its round trips: one for the port, one to connect to it, one for
// the data, and one for the final reply if the server waits until its data connection is closed.
// Requesting the port of the next transfer before that reply is read saves one of the four. It is
// the only command that is sent before the reply to the previous one (RFC 959 5.4).
//
// QUIRK: it must not be sent before all data has arrived. Of 400 EPSV right behind the reply 150,
// pure-ftpd 1.0.50 answered 200 with 500; pyftpdlib 1.5.7 ended the transfer and never sent its
// final reply. Of 400 after the end of the data, both answered each with 229, as vsftpd 3.0.3 and
// proftpd 1.3.8 did. pure-ftpd is left out nevertheless: it sends its final reply with the data, so
// nothing is gained.

// prefetchPort requests the port for the next access, if that is known to begin with a transfer in
// the same directory. It is called after the data connection has been closed and before the final
// reply is read.
//
// QUIRK: it is not requested for anything else. After PASV, Twisted 22.4 reads no command until its
// data connection has been made; after 10 seconds it sends a reply to nothing, 550. A CWD would be
// answered with that.
func (s *session) prefetchPort() {
	p := s.place
	if p.options == nil || p.options.Next == nil || s.noPrefetch || s.Unusable.Load() || !s.pipelines() {
		return
	}
	for u := range p.options.Next {
		q, err := newPlace(scheme.Request{URL: u}, *p.options)
		if err != nil || q.addr != p.addr || q.implicit != p.implicit || q.login != p.login {
			return
		}
		q.options = p.options
		if _, refused := s.env.Cache.Get(prefetchKey + p.addr); !refused && s.beginsWithPort(q) {
			after, l := s.passiveCommand()
			lines, name := []wire.Line{l}, ""
			if q.options.asksTime() {
				mdtm, err := spellings("MDTM", "name", q.name)
				if err != nil || len(mdtm) > 1 {
					return
				}
				lines, name = []wire.Line{mdtm[0], l}, q.name
			}
			s.portPending, s.portPendingAt, s.timePending = s.Send(after, lines...) == nil, s.env.Clock.Now(), name
		}
		return
	}
}

// beginsWithPort reports whether the first command of the place on this connection is the one for a
// port, or MDTM before it.
func (c *conn) beginsWithPort(p *place) bool {
	o := p.options
	return o != nil && p.op == retrieve && !(c.unannounced && o.asksSize() && p.typ == image) && o.Range.IsZero() && o.If.ModifiedSince.IsZero() && p.typ == c.typ && slices.Equal(p.dirs, c.dirs) &&
		(c.feat != nil || !p.wantsUTF8())
}

// maxPortAge is how long a prefetched port is used: servers and firewalls close it after a while.
const maxPortAge = 5 * time.Second

// portFits reports whether a port that was prefetched, if there is one, is for the first command of
// the place.
func (s *session) portFits(p *place) bool {
	if !s.portPending {
		return true
	}
	fits := s.beginsWithPort(p)
	if s.timePending != "" {
		fits = fits && s.timePending == p.name
	} else {
		fits = fits && !p.options.asksTime()
	}
	return fits && s.env.Clock.Now().Sub(s.portPendingAt) <= maxPortAge
}

// The reply to a prefetch is due with the final reply before it. Servers that discard what they
// receive during a transfer never send it.
const (
	prefetchTimeout = 5 * time.Second
	prefetchKey     = "no prefetch " // and the address: in Env.Cache
	prefetchRetry   = time.Hour
)

// prefetchedTime reads the reply to the MDTM that was prefetched.
func (s *session) prefetchedTime() (time.Time, error) {
	s.timePending = ""
	untested := s.Untested // as in prefetchedPort
	defer s.patience()()
	r, err := s.reply("MDTM")
	s.Untested = untested
	if err != nil {
		if dialogue.Timeout(err) {
			s.env.Cache.Put(prefetchKey+s.place.addr, true, prefetchRetry)
		}
		return time.Time{}, err
	}
	return timeOf(r), nil
}

// patience shortens the idle limit for a reply to a prefetch, until the function that it returns is
// called.
func (s *session) patience() (restore func()) {
	idle := s.env.Limits.Idle
	if idle != 0 && idle <= prefetchTimeout {
		return func() {}
	}
	scheme.SetIdle(s.Raw, prefetchTimeout)
	return func() { scheme.SetIdle(s.Raw, idle) }
}

// prefetchedPort returns the port that was prefetched, 0 if there is none. After any other reply no
// port is prefetched from this server for a while.
func (s *session) prefetchedPort() (uint16, error) {
	if !s.portPending {
		return 0, nil
	}
	s.portPending = false
	untested := s.Untested // the reply may have arrived before the server closed the connection
	defer s.patience()()
	after, _ := s.passiveCommand()
	r, err := s.reply(after)
	s.Untested = untested
	if err == nil {
		if port, err := s.parsePort(r); err == nil {
			return port, nil
		}
	}
	if err == nil || dialogue.Timeout(err) {
		s.env.Cache.Put(prefetchKey+s.place.addr, true, prefetchRetry)
	}
	return 0, err
}

package ftp

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"

	"locator/scheme"
	"locator/scheme/internal/dialogue"
)

// A session is a control connection that one operation has exclusively, in the directory of its
// place.
type session struct {
	*conn
	ctx   context.Context
	env   *scheme.Env
	place *place
	kept  bool // the connection was in the pool
	notes []string
	lease *dialogue.Lease
}

// withSession calls do with a session for the place. do must release the session if it succeeds;
// withSession releases it if do fails. If the server had closed a pooled connection before it did
// anything, do is called again with another session.
func withSession[T any](ctx context.Context, env *scheme.Env, p *place, create bool, do func(*session) (T, error)) (T, error) {
	var none T
	if err := p.identify(ctx, env); err != nil {
		return none, err
	}
	return dialogue.Repeat(ctx, env, "the server had dropped a kept connection; another one is used", func(bool) (T, error) {
		s, err := acquire(ctx, env, p, create)
		if err != nil {
			return none, err
		}
		t, err := do(s)
		if err != nil {
			s.release()
		}
		return t, err
	})
}

// released returns do with a release of the session if it succeeds.
func released[T any](do func(*session) (T, error)) func(*session) (T, error) {
	return func(s *session) (T, error) {
		t, err := do(s)
		if err == nil {
			s.release()
		}
		return t, err
	}
}

// acquire takes a connection from the pool or opens one, and changes to the place's directory.
//
// RFC 1738 3.2.5: after a CWD there is in general no reliable way to another directory but a new
// connection. So a pooled connection is used if it is in the place's directory or in one of its
// parents. Otherwise it is closed. A connection for a tree, or after another one was closed for
// this reason, asks by PWD for its first directory, and returns there by CWD once that has been
// seen to work.
func acquire(ctx context.Context, env *scheme.Env, p *place, create bool) (*session, error) {
	home := p.inTree
	dial := func(ctx context.Context) (*conn, error) { return dial(ctx, env, p) }
	begin := func(ctx context.Context, c *conn) error { return c.begin(ctx, env, p, home) }
	for n := 0; ; n++ {
		c, reused, lease, err := dialogue.Acquire(ctx, env, n < dialogue.MaxDropped, p.key(env.TLSMode), dial, begin)
		if err != nil {
			return nil, err
		}
		s := &session{conn: c, ctx: ctx, env: env, place: p, kept: reused, lease: lease}
		switch {
		case reused && s.changed != lastChange(env, p):
			s.lease.Discard()
			continue
		case reused && !s.portPending && s.Wire.Reader().Buffered() > 0: // a reply without a command: a 421, or replies out of step
			s.Unusable.Store(true)
			s.release()
			continue
		case !s.portFits(p):
			env.Trace.OnNote("a kept connection waits for another transfer; another one is used")
			s.Unusable.Store(true)
			s.release()
			continue
		}
		if err = s.chdir(p, create); err == nil {
			return s, nil
		}
		if !errors.Is(err, errOtherDirectory) {
			s.release()
			return nil, err
		}
		home = true
		env.Trace.OnNote("a kept connection is in another directory; a new one is opened")
		s.lease.Discard()
	}
}

// dialControl connects.
func dial(ctx context.Context, env *scheme.Env, p *place) (*conn, error) {
	changed := lastChange(env, p)
	d, err := dialogue.Dial(ctx, env, protocol, p.host, scheme.Dial{Purpose: scheme.ForControl, Network: "tcp", Addr: p.addr})
	if err != nil {
		return nil, err
	}
	peer, _ := d.RemoteAddr().(*net.TCPAddr) // nil if a proxy resolved the name
	return &conn{Conn: d, peer: peer.AddrPort().Addr().Unmap(), changed: changed}, nil
}

// begin logs in. With home it asks for the directory of the login.
func (c *conn) begin(ctx context.Context, env *scheme.Env, p *place, home bool) (err error) {
	if p.implicit {
		err = c.startTLS(ctx, env)
	}
	if err == nil {
		err = c.greeting()
	}
	if err == nil {
		err = c.login(ctx, env, p)
	}
	if err == nil {
		err = c.protect()
	}
	if err == nil && home {
		c.home, err = c.pwd()
	}
	return err
}

// release ends the session. The connection goes into the pool if it is usable. It may be called
// more than once.
func (s *session) release() { s.lease.Release() }

// chdir sends the CWDs from the directory of the connection to that of the place.
func (s *session) chdir(p *place, create bool) error {
	if p.op == list || p.wantsUTF8() {
		if _, err := s.features(); err != nil {
			return err
		}
	}
	if n := len(s.dirs); n > len(p.dirs) || !slices.Equal(s.dirs, p.dirs[:n]) {
		if err := s.chdirHome(); err != nil {
			return err
		}
	}
	for _, dir := range p.dirs[len(s.dirs):] {
		if err := s.cwd(dir, create); err != nil {
			return err
		}
	}
	if s.emptyCWDRefused != "" && slices.Contains(p.dirs, "") {
		s.note("the server refuses an empty CWD (" + s.emptyCWDRefused + "): the empty segment of the path was left out")
	}
	return nil
}

// chdirHome returns to the directory of the login. It fails with errOtherDirectory if that is not
// known to work.
func (s *session) chdirHome() error {
	works, err := s.chdirTo(s.home, !s.homeWorks)
	if err != nil {
		return err
	}
	if s.homeWorks = works; !works {
		s.home = ""
		return errOtherDirectory
	}
	s.dirs = nil
	return nil
}

// chdirTo sends CWD with a path from PWD. If check is set, it also verifies the path by another
// PWD. works is false if path is "".
func (s *session) chdirTo(path string, check bool) (works bool, err error) {
	l, bad := argument("CWD", "directory", path)
	if path == "" || bad != nil {
		return false, nil
	}
	r, err := s.ask("CWD", l)
	if err != nil || r.Class() != 2 || !check {
		return err == nil && r.Class() == 2, err
	}
	at, err := s.pwd()
	return at == path, err
}

// cwd sends one CWD (RFC 1738 3.2.2).
//
// QUIRK: vsftpd 3.0.3 answers "CWD " with 550, proftpd 1.3.8 with 501, and both stay in the
// directory; pure-ftpd 1.0.50 changes to the directory of the login. If the server refuses it, the
// empty segment is skipped, as most clients always do, and a note says so.
func (s *session) cwd(dir string, create bool) error {
	r, err := s.enter(dir)
	switch {
	case err != nil || r.Class() == 2:
		return err
	case dir == "" && r.Class() == 5:
		s.emptyCWDRefused = r.Shown()
		s.dirs = append(s.dirs, "")
		return nil
	case create && r.Code == 550:
		return s.makeDirectory(dir)
	case r.Class() >= 4:
		return r.fail("the server refused to go to the directory %s", dialogue.Quoted(dir))
	}
	return r.unexpected("CWD")
}

// makeDirectory makes a directory and changes to it.
func (s *session) makeDirectory(dir string) error {
	l, err := argument("MKD", "directory", dir)
	if err != nil {
		return err
	}
	made, err := s.ask("MKD", l)
	if err != nil {
		return err
	}
	r, err := s.enter(dir) // another client may have made it in the meantime
	if err != nil || r.Class() == 2 {
		return err
	}
	if made.Class() != 2 {
		return made.failWrite("the directory %s is not there and cannot be made", dialogue.Quoted(dir))
	}
	return r.fail("the server made the directory %s but refused to go there", dialogue.Quoted(dir))
}

// note adds a note to the result and the trace.
func (s *session) note(text string) {
	s.notes = append(s.notes, text)
	s.env.Trace.OnNote(text)
}

// pwd returns the current directory (PWD). It returns "" if the server does not report it, or
// reports something that is not an absolute path in the form of Unix.
func (c *conn) pwd() (string, error) {
	r, err := c.ask("PWD", dialogue.Bare("PWD"))
	if err != nil {
		return "", err
	}
	if r.Code != 257 {
		return "", nil
	}
	path, ok := parsePath(r.Text())
	if !ok || !strings.HasPrefix(path, "/") {
		return "", nil
	}
	return path, nil
}

// parsePath parses the path of a 257 reply: in quotes, with each quote in it doubled (RFC 959,
// appendix II).
//
// QUIRK: pure-ftpd 1.0.50 does not double them: a quote ends the path only if a space or nothing
// follows it.
func parsePath(text string) (string, bool) {
	text, ok := strings.CutPrefix(strings.TrimLeft(text, " "), `"`)
	if !ok {
		return "", false
	}
	var path strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '"' {
			path.WriteByte(text[i])
			continue
		}
		switch {
		case i+1 < len(text) && text[i+1] == '"':
			i++
		case i+1 == len(text) || text[i+1] == ' ':
			return path.String(), true
		}
		path.WriteByte('"')
	}
	return "", false
}

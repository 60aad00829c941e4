package nntp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"locator"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// A session is a connection that one operation has exclusively.
type session struct {
	*conn
	ctx     context.Context
	env     *scheme.Env
	place   *place
	notes   []string
	toldOdd bool // the user knows about bytes that articles must not have
	lease   *dialogue.Lease
}

// withSession calls do with a session at the first server that has what the place names. do must
// release the session if it succeeds; withSession releases it if do fails. If a server cannot be
// reached or does not have the resource, the next one is asked. The error is that of the first
// server that may have it.
func withSession[T any](ctx context.Context, env *scheme.Env, p *place, do func(*session) (T, error)) (t T, err error) {
	servers, err := p.servers(env)
	if err != nil {
		return t, err
	}
	var failed error
	for i, s := range servers {
		if t, err = atServer(ctx, env, p, s, do); err == nil {
			return t, nil
		}
		if failed == nil || errors.Is(failed, fs.ErrNotExist) && !errors.Is(err, fs.ErrNotExist) {
			failed = err
		}
		if ctx.Err() != nil {
			return t, err
		}
		if i+1 < len(servers) {
			why := err.Error()
			if errors.Is(err, fs.ErrNotExist) {
				why = "does not have it"
			}
			env.Trace.OnNote(wire.Escape(s.addr) + ": " + why + "; trying " + wire.Escape(servers[i+1].addr))
		}
	}
	return t, failed
}

// atServer calls do with a session at one server: again after a login or STARTTLS that the server
// asked for, and with another session if the server had closed a pooled connection before it did
// anything.
func atServer[T any](ctx context.Context, env *scheme.Env, p *place, at server, do func(*session) (T, error)) (T, error) {
	return dialogue.Repeat(ctx, env, "a kept connection does not serve; another one is used", func(kept bool) (T, error) {
		return inSession(ctx, env, p, at, kept, do)
	})
}

// inSession calls do with one session. A server asks for a login and for TLS at most once each.
func inSession[T any](ctx context.Context, env *scheme.Env, p *place, at server, kept bool, do func(*session) (T, error)) (t T, err error) {
	s, err := acquire(ctx, env, p, at, kept)
	if err != nil {
		return t, err
	}
	for range 3 { // the command, a login, TLS
		if t, err = do(s); err == nil {
			return t, nil
		}
		needed, ok := errors.AsType[errAuthenticate](err)
		if !ok {
			break
		}
		if err = s.answer(ctx, env, needed); err != nil {
			break
		}
	}
	s.release()
	return t, err
}

// acquire takes a connection from the pool or opens one. Without kept it opens one that does not go
// into the pool.
func acquire(ctx context.Context, env *scheme.Env, p *place, at server, kept bool) (*session, error) {
	dialAt := func(ctx context.Context) (*conn, error) { return dial(ctx, env, at) }
	begin := func(ctx context.Context, c *conn) error { return c.begin(ctx, env) }
	c, reused, lease, err := dialogue.Acquire(ctx, env, kept, at.key(env.TLSMode), dialAt, begin)
	if err != nil {
		return nil, err
	}
	s := &session{conn: c, ctx: ctx, env: env, place: p, lease: lease}
	if reused && s.Wire.Reader().Buffered() > 0 { // a reply without a command, such as 400
		err := s.End(scheme.Fail(scheme.CodeBroken, "the server ended a kept connection"))
		s.release()
		return nil, err
	}
	return s, nil
}

// key is the pool key of the connections to a server: its address, login and TLS mode. It holds a
// digest of the password. A password that has to be asked for is not part of it: the client
// separates its callers.
func (s server) key(mode scheme.TLSMode) string {
	h := sha256.New()
	for _, part := range []locator.Optional{s.user, s.password} {
		text, set := part.Get()
		fmt.Fprintf(h, "%t:%d:%s", set, len(text), text)
	}
	return strings.ToLower(s.addr) + " implicit=" + strconv.FormatBool(s.tls) + " login=" + hex.EncodeToString(h.Sum(nil)) +
		" tls=" + strconv.Itoa(int(mode))
}

// release ends the session. The connection goes into the pool if it is usable. It may be called
// more than once.
func (s *session) release() { s.lease.Release() }

// note adds a note to the result and the trace.
func (s *session) note(text string) {
	s.notes = append(s.notes, text)
	s.env.Trace.OnNote(text)
}

// command sends a command and reads its reply. The errors of 480 and 483 are an errAuthenticate.
func (s *session) command(after string, l wire.Line) (reply, error) {
	r, err := s.ask(after, l)
	if err != nil {
		return r, err
	}
	return r, authenticate(after, r)
}

// authenticate returns an errAuthenticate if the reply asks for a login or TLS.
func authenticate(after string, r reply) error {
	if r.Code == 480 || r.Code == 483 {
		return errAuthenticate{r.fail(after), r}
	}
	return nil
}

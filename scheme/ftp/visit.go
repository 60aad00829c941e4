package ftp

import (
	"context"
	"errors"
	"strings"

	"locator/scheme"
)

// A visit is a control connection that one operation has for itself, in the directory of its plan.
type visit struct {
	*control
	ctx     context.Context
	env     *scheme.Env
	plan    *plan
	kept    bool // the connection was in the pool
	notes   []string
	unbind  func() bool
	release func(reuse bool)
}

// maxKept bounds how many kept connections are given up in one operation.
const maxKept = 16

// attend runs do in a visit of the plan. do ends the visit itself where it succeeds; where it fails, attend does. If a
// kept connection turns out to have been dropped before it did anything, do runs again on another.
func attend[T any](ctx context.Context, env *scheme.Env, p *plan, create bool, do func(*visit) (T, error)) (T, error) {
	var none T
	if err := p.identify(ctx, env); err != nil {
		return none, err
	}
	for n := 0; ; n++ {
		var t T
		v, err := enter(ctx, env, p, create)
		if err == nil {
			if t, err = do(v); err == nil {
				return t, nil
			}
			v.leave()
		}
		var dropped errDropped
		if !errors.As(err, &dropped) || ctx.Err() != nil {
			return t, err
		}
		if n == maxKept {
			return t, dropped.error
		}
		env.Trace.OnNote("the server had dropped a kept connection; another one is used")
	}
}

// enter takes a kept connection or opens one, and walks to the plan's directory.
//
// RFC 1738 3.2.5: after a CWD it is impossible in general to tell what leads to another directory; the only sure way is
// a new connection. So a kept one is used where it stands in the wanted directory or on the way to it. Else it is given
// up; and as that shows that this server is asked for several directories, the next connection learns by PWD where its
// login begins, and goes back there by CWD once that was seen to work.
func enter(ctx context.Context, env *scheme.Env, p *plan, create bool) (*visit, error) {
	elsewhere := false
	fresh := func(ctx context.Context) (scheme.Kept, error) { return open(ctx, env, p, elsewhere) }
	for n := 0; ; n++ {
		c, reused, release, err := take(ctx, env, p, n < maxKept, fresh)
		if err != nil {
			return nil, err
		}
		v := &visit{control: c.(*control), ctx: ctx, env: env, plan: p, kept: reused, release: release}
		v.unbind = scheme.Bind(ctx, v.raw)
		v.untested = reused
		if reused {
			v.use(env)
		}
		if reused && v.wire.Reader().Buffered() > 0 { // a reply to nothing: a 421, or a dialogue out of step
			v.unusable.Store(true)
			v.leave()
			continue
		}
		if err = v.settle(); err == nil {
			err = v.walk(p, create)
		}
		if err == nil {
			return v, nil
		}
		if !errors.Is(err, errElsewhere) {
			v.leave()
			return nil, err
		}
		elsewhere = true
		env.Trace.OnNote("a kept connection is in another directory; a new one is opened")
		v.leaveFor(false)
	}
}

// take gives a kept connection or a fresh one; without kept only a fresh one, which is then not kept either.
func take(ctx context.Context, env *scheme.Env, p *plan, kept bool, fresh func(context.Context) (scheme.Kept, error)) (scheme.Kept, bool, func(bool), error) {
	if kept {
		return env.Keep(ctx, p.key(env.TLSMode), fresh)
	}
	c, err := fresh(ctx)
	return c, false, func(bool) { c.Close() }, err
}

// open connects, logs in, and learns what the plan needs to know of the server. home asks where the login begins.
func open(ctx context.Context, env *scheme.Env, p *plan, home bool) (*control, error) {
	c, err := connect(ctx, env, p)
	if err != nil {
		return nil, err
	}
	unbind := scheme.Bind(ctx, c.raw)
	defer unbind()
	err = c.login(ctx, env, p)
	if err == nil {
		err = c.protect()
	}
	if err == nil && home {
		c.home, err = c.where()
	}
	if err != nil {
		c.unusable.Store(true)
		c.Close()
		return nil, err
	}
	return c, nil
}

// leave ends the visit. The connection is kept if its dialogue is in step.
func (v *visit) leave() {
	v.askAhead()
	v.leaveFor(!v.unusable.Load())
}

func (v *visit) leaveFor(reuse bool) {
	if !v.unbind() {
		v.unusable.Store(true)
		reuse = false
	}
	v.release(reuse)
}

// walk sends the CWDs that lead from where the connection is to the plan's directory.
func (v *visit) walk(p *plan, create bool) error {
	if p.do == list || p.wantsUTF8() {
		if _, err := v.features(); err != nil {
			return err
		}
	}
	want := p.dirs
	if !v.onTheWay(want) {
		if err := v.goHome(); err != nil {
			return err
		}
	}
	for _, d := range want[len(v.dirs):] {
		if err := v.enterDirectory(d, create); err != nil {
			return err
		}
	}
	for _, d := range want {
		if d.name == "" && v.noEmpty != "" {
			v.note("the server refuses an empty CWD (" + v.noEmpty + "): the empty segment of the path was left out")
			break
		}
	}
	return nil
}

// onTheWay reports whether the CWDs so far are the begin of the wanted ones.
func (v *visit) onTheWay(want []directory) bool {
	if len(v.dirs) > len(want) {
		return false
	}
	for i, d := range v.dirs {
		if want[i].name != d {
			return false
		}
	}
	return true
}

// goHome goes back to where the login began, if that is known to work, else gives errElsewhere.
func (v *visit) goHome() error {
	if v.home == "" {
		return errElsewhere
	}
	l, err := argument("CWD", "directory", v.home)
	if err != nil {
		return errElsewhere
	}
	r, err := v.ask("CWD", l)
	if err != nil {
		return err
	}
	if r.class() == 2 && !v.proved {
		at, err := v.where()
		if err != nil {
			return err
		}
		v.proved = at == v.home
	}
	if r.class() != 2 || !v.proved {
		v.home = ""
		return errElsewhere
	}
	v.dirs = nil
	return nil
}

// enterDirectory sends one CWD (RFC 1738 3.2.2).
//
// QUIRK: vsftpd 3.0.3 answers "CWD " with 550, proftpd 1.3.8 with 501, and both stay where they are; pure-ftpd 1.0.50
// goes to the directory of the login. Where it is refused the segment is left out, as most clients leave it out always;
// a note says so.
func (v *visit) enterDirectory(d directory, create bool) error {
	r, err := v.askAny("CWD", d.cwd)
	if err != nil {
		return err
	}
	switch {
	case r.class() == 2:
	case d.name == "" && r.class() == 5:
		v.noEmpty = r.shown()
	case create && r.code == 550:
		if err := v.makeDirectory(d); err != nil {
			return err
		}
	case r.class() >= 4:
		return r.fail("the server refused to go to the directory %s", quoted(d.name))
	default:
		return r.unexpected("CWD")
	}
	v.dirs = append(v.dirs, d.name)
	return nil
}

// makeDirectory makes a directory and goes there.
func (v *visit) makeDirectory(d directory) error {
	l, err := argument("MKD", "directory", d.name)
	if err != nil {
		return unsafeAsRefused(err)
	}
	made, err := v.ask("MKD", l)
	if err != nil {
		return err
	}
	r, err := v.askAny("CWD", d.cwd) // another client may have made it meanwhile
	if err != nil || r.class() == 2 {
		return err
	}
	if made.class() != 2 {
		return made.failWrite("the directory %s is not there and cannot be made", quoted(d.name))
	}
	return r.fail("the server made the directory %s but refused to go there", quoted(d.name))
}

// note says something to the person and the trace.
func (v *visit) note(text string) {
	v.notes = append(v.notes, text)
	v.env.Trace.OnNote(text)
}

// where asks PWD. "" is unknown: the server does not say, or says something that is no absolute path as Unix has it,
// of which nothing can be told.
func (c *control) where() (string, error) {
	r, err := c.ask("PWD", bare("PWD"))
	if err != nil {
		return "", err
	}
	if r.code != 257 {
		return "", nil
	}
	path, ok := parsePath(r.text())
	if !ok || !strings.HasPrefix(path, "/") {
		return "", nil
	}
	return path, nil
}

// parsePath reads the path of a 257 reply: in quotes, each quote in it doubled (RFC 959, appendix II).
//
// QUIRK: pure-ftpd 1.0.50 does not double them: a quote ends the path only where a blank or nothing follows it.
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

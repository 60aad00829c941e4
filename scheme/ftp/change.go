package ftp

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"locator"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
)

// Remove deletes a file (DELE) or removes a directory (RMD). A URL that ends in a slash names a
// directory; for any other URL, RMD follows a refused DELE unless the server says that the name is
// a file.
//
// Servers refuse to remove a directory that is not empty, although RFC 959 does not require it of
// them.
func (Scheme) Remove(ctx context.Context, env *scheme.Env, r scheme.Request) error {
	p, dir, err := newChangePlace(r.URL, r)
	if err != nil {
		return err
	}
	return change(ctx, env, p, func(s *session) error { return s.remove(dir) })
}

// Rename renames a file or directory (RNFR, RNTO). The new URL must name the same user, or none.
//
// It renames within one directory of the server, or into another one if the server's replies to PWD
// show that it understands absolute paths (RFC 1738 3.2.5 knows no other way from one directory to
// another); else it returns CodeUnsupported.
//
// Before RNTO it asks by MLST, or by SIZE, MDTM and CWD, whether something has the new name. RNTO
// itself replaces an existing file on most servers, so one that another client makes in between is
// lost, and so is one on a server that answers none of those commands.
func (Scheme) Rename(ctx context.Context, env *scheme.Env, r scheme.Request, to locator.URL) error {
	p, dir, err := newChangePlace(r.URL, r)
	if err != nil {
		return err
	}
	q, _, err := newChangePlace(to, r)
	if err != nil {
		return err
	}
	if q.login.User.IsSet() && q.login.User != p.login.User {
		return scheme.Fail(scheme.CodeUsage, "the new URL names another user than the old one")
	}
	target := q.name
	if !slices.Equal(p.dirs, q.dirs) {
		q.login, q.credentials = p.login, p.credentials
		if target, err = absoluteTarget(ctx, env, q); err != nil {
			return err
		}
	}
	return change(ctx, env, p, func(s *session) error { return s.rename(dir, target, target == q.name) })
}

// MakeDir makes a directory (MKD). The URL may end in a slash.
func (Scheme) MakeDir(ctx context.Context, env *scheme.Env, r scheme.Request) error {
	p, _, err := newChangePlace(r.URL, r)
	if err != nil {
		return err
	}
	return change(ctx, env, p, func(s *session) error { return s.makeNew() })
}

// newChangePlace returns the place for a change to what u names: its directories lead to the
// directory that holds it, and its name is the name there. dir is true if u ends in a slash, so
// that it names a directory.
func newChangePlace(u locator.URL, r scheme.Request) (p *place, dir bool, err error) {
	r.URL = u
	if p, err = newPlace(r, options{}); err != nil {
		return nil, false, err
	}
	if p.op == names {
		return nil, false, scheme.Fail(scheme.CodeUnsupported, "a URL with ;type=d names a list, which cannot be changed: leave the type out")
	}
	p.op = write
	if p.name == "" && len(p.dirs) > 0 {
		last := len(p.dirs) - 1
		p.name, p.dirs, dir = p.dirs[last], p.dirs[:last], true
	}
	switch p.name {
	case "":
		return nil, false, scheme.Fail(scheme.CodeUsage, "the URL names neither a file nor a directory by a name")
	case ".", "..":
		return nil, false, scheme.Fail(scheme.CodeUsage, "%s is not a name of its own: use the URL of the directory", dialogue.Quoted(p.name))
	}
	return p, dir, nil
}

// change calls do with a session for the place, whose connection is known to be open: a command
// that changes something must not be sent twice.
func change(ctx context.Context, env *scheme.Env, p *place, do func(*session) error) error {
	_, err := withSession(ctx, env, p, false, released(func(s *session) (none struct{}, err error) {
		if s.emptyCWDRefused != "" && slices.Contains(p.dirs, "") { // the thing of that name here is perhaps another
			return none, scheme.Fail(scheme.CodeUnsupported, "the server refuses an empty CWD (%s): leave the empty segment out of the URL", s.emptyCWDRefused)
		}
		if s.Untested {
			if _, err := s.ask("NOOP", dialogue.Bare("NOOP")); err != nil {
				return none, err
			}
		}
		return none, do(s)
	}))
	return err
}

// carryOut sends a command that changes something. An error of the connection is CodeInDoubt. For a
// new name it tries one spelling, which no server refuses.
func (s *session) carryOut(verb, name string, isNew bool) (reply, error) {
	lines, err := spellings(verb, "name", name)
	if err != nil {
		return reply{}, err
	}
	if isNew {
		lines = s.likely(lines)[:1]
	}
	r, err := s.askSpellings(verb, lines)
	if err == nil || r.Code == 421 {
		return r, err
	}
	if s.ctx.Err() != nil {
		return r, scheme.Fail(scheme.CodeInterrupted, "%w; the server may have carried out %s", context.Cause(s.ctx), verb)
	}
	var e *scheme.Error
	if errors.As(err, &e) && e.Code != scheme.CodeBroken {
		return r, err
	}
	return r, scheme.Fail(scheme.CodeInDoubt, "whether the server carried out %s is not known: %w", verb, err)
}

func (s *session) remove(dir bool) error {
	name := s.place.name
	if !dir {
		r, err := s.carryOut("DELE", name, false)
		if err != nil || r.Class() == 2 {
			return err
		}
		found := file
		switch {
		case r.Class() != 5 || r.missing() || r.isLink():
		case r.says("is a directory", "not a file"): // some servers have a SIZE for directories, too
			found = other
		default:
			if found, err = s.look(name); err != nil {
				return err
			}
		}
		if found == file || found == nothing {
			return s.refusal(r, name, "delete", found)
		}
	}
	r, err := s.carryOut("RMD", name, false)
	s.directoryChanged()
	if err != nil || r.Class() == 2 {
		return err
	}
	return s.refusal(r, name, "remove", untold)
}

// rename renames the place's name to target. If here is true, target is a name in the same
// directory.
func (s *session) rename(dir bool, target string, here bool) error {
	name := s.place.name
	found, err := s.look(name)
	switch {
	case err != nil:
		return err
	case found == nothing:
		return scheme.Fail(scheme.CodeNotFound, "the server has no %s", dialogue.Quoted(name))
	case found == file && dir:
		return scheme.Fail(scheme.CodeNotFound, "%s is a file, and the URL ends in a slash, as that of a directory does", dialogue.Quoted(name))
	}
	if here {
		if err := s.mustBeNew(target); err != nil {
			return err
		}
	}
	r, err := s.askAbout("RNFR", name)
	if err != nil {
		return err
	}
	if r.Class() != 3 {
		return s.refusal(r, name, "rename", found)
	}
	r, err = s.carryOut("RNTO", target, true)
	if found != file {
		s.directoryChanged()
	}
	if err != nil || r.Class() == 2 {
		return err
	}
	return r.failWrite("the server refused to rename %s to %s", dialogue.Quoted(name), dialogue.Quoted(target))
}

// absoluteTarget returns the absolute path of the place's name, which must be new. It is sure of
// the path if the server reports one for the directory, in the form of Unix, and CWD to it leads
// there.
func absoluteTarget(ctx context.Context, env *scheme.Env, p *place) (path string, err error) {
	if strings.Contains(p.name, "/") {
		return "", scheme.Fail(scheme.CodeUnsupported, "the new name %s holds a slash: it can only be used in the same directory", dialogue.Quoted(p.name))
	}
	err = change(ctx, env, p, func(s *session) error {
		at, err := s.pwd()
		if err != nil {
			return err
		}
		works, err := s.chdirTo(at, true)
		if err != nil {
			return err
		}
		if !works { // it may be in an unknown directory
			s.Unusable.Store(at != "")
			return scheme.Fail(scheme.CodeUnsupported, "the server does not show that it understands absolute paths: it can only rename within one directory")
		}
		path = strings.TrimSuffix(at, "/") + "/" + p.name
		return s.mustBeNew(p.name)
	})
	return path, err
}

func (s *session) makeNew() error {
	name := s.place.name
	r, err := s.carryOut("MKD", name, true)
	if err != nil || r.Class() == 2 {
		return err
	}
	if r.Class() == 5 && r.failure() != scheme.CodeUnsupported || r.Code == 521 { // 521: "directory exists" of some servers
		if there, err := s.exists(name); err == nil && there {
			return scheme.Replied(scheme.CodeUsage, r.Shown(), "%s: %w", dialogue.Quoted(name), fs.ErrExist)
		}
	}
	return r.failWrite("the server refused to make the directory %s", dialogue.Quoted(name))
}

// mustBeNew fails if something has the name in the directory of the session.
func (s *session) mustBeNew(name string) error {
	there, err := s.exists(name)
	if err == nil && there {
		err = scheme.Fail(scheme.CodeUsage, "%s: %w", dialogue.Quoted(name), fs.ErrExist)
	}
	return err
}

// refusal returns the error of a command that the server refused about something that should be
// there. Some servers answer 550 whatever the reason is, so it asks whether the thing is there if
// that is untold.
func (s *session) refusal(r reply, name, did string, found finding) error {
	if found == untold && (r.Code == 550 || r.Code == 553) && !r.missing() && !r.isLink() {
		if there, err := s.exists(name); err == nil && !there {
			found = nothing
		}
	}
	if found == nothing {
		return scheme.Replied(scheme.CodeNotFound, r.Shown(), "the server has no %s", dialogue.Quoted(name))
	}
	if r.says("not empty") {
		return scheme.Replied(scheme.CodeUsage, r.Shown(), "the directory %s is not empty", dialogue.Quoted(name))
	}
	err := r.failWrite("the server refused to %s %s", did, dialogue.Quoted(name))
	if e, ok := errors.AsType[*scheme.Error](err); ok && (r.denied() || r.isLink()) {
		e.Err = denial{e.Err}
	}
	return err
}

// isLink reports whether the reply to the removal of what is listed as a directory says that it is
// not one: then it is a link to one.
//
// QUIRK: ftp-srv 4.6.3, aioftp 0.21.4 and Twisted 22.4 list links to directories as directories,
// and the paths of PWD are those of the links. ftp-srv answers DELE and RMD with "550 ENOTDIR: not
// a directory", Twisted RMD with "550 Cannot rmd, [...] is not a directory".
func (r reply) isLink() bool { return r.Class() == 5 && r.says("not a directory") }

// denial is the cause of an error of a server that does not allow a change. It matches
// scheme.ErrDenied.
type denial struct{ error }

// Is implements the interface of errors.Is.
func (denial) Is(target error) bool { return target == scheme.ErrDenied }

// Unwrap returns the wrapped error.
func (d denial) Unwrap() error { return d.error }

// finding is what a server reports about a name.
type finding uint8

const (
	untold  finding = iota // perhaps nothing
	nothing                // nothing has that name
	file
	other // a directory, or something of an untold kind
)

// look asks what has a name in the directory of the session: by MLST, else by SIZE and MDTM.
func (s *session) look(name string) (finding, error) {
	f, err := s.features()
	if err != nil {
		return untold, err
	}
	if f.machineLists() {
		attr, r, err := s.facts(name)
		switch {
		case err != nil:
			return untold, err
		case r.Code == 250 && slices.Contains(attr.More, scheme.Attribute{Name: "type", Value: "dir"}):
			return other, nil
		case r.Code == 250:
			return file, nil
		case r.failure() == scheme.CodeNotFound:
			return nothing, nil
		}
	}
	if err := s.setType(image); err != nil { // proftpd refuses SIZE in TYPE A
		return untold, err
	}
	if size, err := s.size(name); err != nil || size >= 0 {
		return file, err
	}
	if at, err := s.modified(name); err != nil || !at.IsZero() {
		return other, err
	}
	return untold, nil
}

// exists reports whether something has the name in the directory of the session. If it is a
// directory, the session may be in it afterwards.
func (s *session) exists(name string) (bool, error) {
	found, err := s.look(name)
	if err != nil || found != untold {
		return found != nothing, err
	}
	r, err := s.enter(name)
	return err == nil && r.Class() == 2, err
}

// changeTime is how long a change to a directory is remembered: longer than connections are kept.
const changeTime = 24 * time.Hour

func changeKey(p *place) string { return "directory changed at " + strings.ToLower(p.addr) }

// lastChange returns a mark of the last directory that was removed or renamed on the server of a
// place; nil means none. A connection that was opened before may be in a directory that now has
// another name, or none.
func lastChange(env *scheme.Env, p *place) any {
	mark, _ := env.Cache.Get(changeKey(p))
	return mark
}

// directoryChanged marks the change of a directory below that of the session, so that other kept
// connections are not used again.
func (s *session) directoryChanged() {
	s.changed = new(byte) // its address differs from that of any other mark
	s.env.Cache.Put(changeKey(s.place), s.changed, changeTime)
}

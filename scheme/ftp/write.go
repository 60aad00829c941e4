package ftp

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"locator"
	"locator/internal/safename"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// upload stores a body, or appends it to a file (RFC 1738 3.2.2 allows "to update a file on a
// remote file server"; RFC 959 has the commands).
//
// QUIRK: no type is guessed for uploads. vsftpd 3.0.3 keeps the CR LF of TYPE A unless
// ascii_upload_enable is set, so only TYPE I stores the body unchanged.
func upload(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions, appends bool) (*scheme.Resource, error) {
	p, err := newPlace(r, options{})
	if err != nil {
		return nil, err
	}
	if p.op == names {
		return nil, scheme.Fail(scheme.CodeUnsupported, "a URL with ;type=d names a list, which cannot be written: leave the type out")
	}
	p.op = write
	if p.typeCode == 0 {
		p.typ = image
	}
	return (&uploading{r: r, body: b, appends: appends, modified: o.Modified}).start(ctx, env, p, o.CreateDirs)
}

// start runs the upload in a session for the place.
func (u *uploading) start(ctx context.Context, env *scheme.Env, p *place, create bool) (*scheme.Resource, error) {
	return withSession(ctx, env, p, create, released(func(s *session) (*scheme.Resource, error) {
		u.s = s
		return u.run()
	}))
}

// uploading is one upload.
type uploading struct {
	s       *session
	r       scheme.Request
	body    scheme.Body
	appends bool // to a file that may exist

	modified time.Time // of the file; zero leaves it to the server
	part     string    // the incomplete file that stays after an error; "" means one of the upload's own
	offset   int64     // bytes that it has already
	sent     int64     // bytes of the body that the last store has sent
}

func (u *uploading) run() (*scheme.Resource, error) {
	s, name := u.s, u.s.place.name
	err := s.setType(s.place.typ)
	switch {
	case err != nil:
	case name == "":
		return u.storeUnique()
	case u.appends:
		_, _, err = u.store("APPE", name)
	case u.offset > 0:
		err = u.resume(name)
	default:
		err = u.replace(name)
	}
	if err != nil {
		return nil, err
	}
	return u.result(u.r.URL), nil
}

func (u *uploading) result(at locator.URL) *scheme.Resource {
	return &scheme.Resource{URL: at, Kind: scheme.KindObject, Notes: u.s.notes}
}

// storeUnique stores under a name that the server chooses (RFC 959 4.1.3, STOU) and returns in the
// reply that begins the transfer (RFC 1123 4.1.2.9).
func (u *uploading) storeUnique() (*scheme.Resource, error) {
	replies, _, err := u.store("STOU", "")
	if err != nil {
		return nil, err
	}
	for _, r := range replies {
		name, ok := uniqueName(r)
		if !ok {
			continue
		}
		at, err := u.s.place.urlOf(u.s.place.dirs, name)
		if err == nil {
			return u.result(at), nil
		}
	}
	u.s.note("the server chose a name and did not tell it")
	return u.result(u.s.place.url), nil
}

// uniqueName returns the name after "FILE: " in any line of the reply (pure-ftpd 1.0.50 sends it in
// the first of two).
func uniqueName(r reply) (string, bool) {
	for _, line := range r.Lines {
		if i := strings.Index(strings.ToUpper(line), "FILE: "); i >= 0 {
			name := strings.TrimSpace(line[i+len("FILE: "):])
			name = name[strings.LastIndexByte(name, '/')+1:]
			return name, name != ""
		}
	}
	return "", false
}

// replace stores a file. If the server lets files be renamed, the old file stays until the new one
// is complete.
//
// RNFR of a name that does not exist shows whether it does: a server that forbids renaming says so,
// others say that there is no such file. RNFR is never sent for an existing name. QUIRK: vsftpd
// 3.0.3 without anon_other_write_enable stores a file but neither renames nor deletes it, so that a
// temporary file would stay; proftpd 1.3.8 answers 501 to everything between a successful RNFR and
// the next RNTO. Twisted 22.4 accepts RNFR of any name, and answers 503 to everything until RNTO;
// so that is sent, and its refusal shows what that of RNFR does not.
func (u *uploading) replace(name string) error {
	temp := temporary(name)
	if !u.s.renamesHere() {
		r, err := u.s.askAbout("RNFR", temp)
		if err != nil {
			return err
		}
		if r.Class() == 3 {
			if r, err = u.s.askAbout("RNTO", temp); err != nil {
				return err
			}
		}
		if r.Class() == 2 || r.denied() {
			u.s.note("this upload overwrites the file in place, since the server refuses to rename files (" + r.Shown() + ")")
			return u.storeInPlace(name)
		}
	}
	temp = cmp.Or(u.part, temp)
	_, begun, err := u.store("STOR", temp)
	switch {
	case err == nil:
		return u.complete(temp, name)
	case !begun: // the server may refuse only this name
		return u.storeInPlace(name)
	}
	return err
}

func (u *uploading) storeInPlace(name string) error {
	_, _, err := u.store("STOR", name)
	if err == nil {
		err = u.setTime(name)
	}
	return err
}

// complete sets the time and the name of a complete file.
func (u *uploading) complete(temp, name string) error {
	err := u.setTime(temp)
	if err == nil {
		err = u.rename(temp, name)
	}
	if err == nil {
		u.s.renamedIn = slices.Concat(u.s.dirs, []string{""}) // not nil in the directory of the login
	}
	return err
}

// renamesHere reports whether this connection has seen that files can be renamed in the directory
// of the session.
func (s *session) renamesHere() bool {
	n := len(s.renamedIn)
	return n > 0 && slices.Equal(s.renamedIn[:n-1], s.dirs)
}

// temporary returns a unique name derived from name, short enough for file systems with a limit of
// 255 bytes.
func temporary(name string) string {
	return safename.Shorten(name, 200) + "." + strings.ToLower(rand.Text()[:8]) + ".part"
}

// rename replaces the old file by the complete new one. Some servers do not rename onto an existing
// file; then the old file is deleted first.
func (u *uploading) rename(temp, name string) error {
	r, err := u.moveTo(temp, name)
	if err != nil {
		return fmt.Errorf("%w; the new file is stored as %s", err, dialogue.Quoted(temp))
	}
	if r.Class() == 5 && !r.missing() {
		d, err := u.s.askAbout("DELE", name)
		if err != nil {
			return fmt.Errorf("%w; the new file is stored as %s", err, dialogue.Quoted(temp))
		}
		if d.Class() == 2 {
			const text = "the old file %s is deleted, and the new file is stored as %s, which could not be renamed"
			switch r, err = u.moveTo(temp, name); {
			case err != nil:
				return fmt.Errorf(text+": %w", dialogue.Quoted(name), dialogue.Quoted(temp), err)
			case r.Class() != 2:
				return scheme.Replied(scheme.CodeBroken, r.Shown(), text, dialogue.Quoted(name), dialogue.Quoted(temp))
			}
		}
	}
	if r.Class() == 2 {
		return nil
	}
	return r.failWrite("the server took the file but would not rename it to %s; %s", dialogue.Quoted(name), u.remove("the new file", temp))
}

// moveTo sends RNFR and RNTO.
func (u *uploading) moveTo(temp, name string) (reply, error) {
	r, err := u.s.askAbout("RNFR", temp)
	if err != nil || r.Class() != 3 {
		return r, err
	}
	return u.s.askAbout("RNTO", name)
}

// remove deletes a file and returns the outcome in words.
func (u *uploading) remove(what, name string) string {
	r, err := u.s.askAbout("DELE", name)
	if err == nil && r.Class() == 2 {
		return "nothing is left behind"
	}
	return what + " " + dialogue.Quoted(name) + " may remain on the server"
}

// store sends the body by STOR, APPE or STOU. It returns the replies before and after. If begun is
// false, the server refused the command before any of the body was sent.
func (u *uploading) store(verb, name string) (replies []reply, begun bool, err error) {
	s := u.s
	lines := []wire.Line{dialogue.Bare(verb)}
	if name != "" {
		if lines, err = spellings(verb, "name", name); err != nil {
			return nil, true, err
		}
	}
	d, r, err := s.transfer(verb, lines, nil)
	if err != nil {
		return nil, true, err
	}
	if d == nil {
		return nil, false, r.failWrite("the server refused to store the file %s", dialogue.Quoted(name))
	}
	s.lease.Unbind() // a cancelled upload still needs the control connection
	src := u.body.Source(s.ctx)
	sent, err := src.Do(func() (int64, error) {
		var from io.Reader = src
		if s.place.typ == ascii {
			from = toASCII(src)
		}
		return io.Copy(struct{ io.Writer }{d.Conn}, from)
	})
	if s.ctx.Err() != nil {
		return nil, true, u.cancel(d, name)
	}
	if err == nil {
		err = u.body.Pass()
	}
	s.lease.Rebind(s.ctx)
	u.sent = sent
	if err != nil {
		return nil, true, u.abort(d, name, sent, err)
	}
	d.endUpload()
	end, err := d.finish("storing a file")
	if err != nil {
		return nil, true, scheme.Fail(scheme.CodeInDoubt, "whether the server stored the file is not known: %w", err)
	}
	if end.Class() != 2 {
		left := u.cleanUp(name)
		return nil, true, end.failWrite("the server did not store the file after %d bytes; %s", sent, left)
	}
	return []reply{r, end}, true, nil
}

// abort ends an upload that broke off after sent bytes.
func (u *uploading) abort(d *data, name string, sent int64, cause error) error {
	e, ok := errors.AsType[*scheme.Error](cause)
	local := ok && e.Code == scheme.CodeLocal // of the body
	if local && u.offset == 0 {
		u.part = "" // nothing will continue it
	}
	r, left, err := u.discard(d, name)
	switch {
	case local:
		return scheme.Fail(scheme.CodeLocal, "%w; %s", cause, left)
	case err == nil && r.Class() >= 4:
		return r.failWrite("the server broke off after %d bytes; %s", sent, left)
	}
	return scheme.Fail(scheme.CodeBroken, "the upload broke off after %d bytes: %w; %s", sent, cause, left)
}

// cancel ends an upload whose context has ended, if the server answers within abandonTime.
func (u *uploading) cancel(d *data, name string) error {
	late := time.AfterFunc(abandonTime, func() { u.s.Raw.Close() })
	defer late.Stop()
	_, left, _ := u.discard(d, name)
	return u.s.End(scheme.Fail(scheme.CodeInterrupted, "%w; %s", context.Cause(u.s.ctx), left))
}

// discard ends a transfer and deletes the incomplete file, unless the data were appended: the
// server takes the end of the data for the end of the file (RFC 959 3.4.1). It returns the final
// reply, and what remains on the server in words.
func (u *uploading) discard(d *data, name string) (r reply, left string, err error) {
	if r, err = d.finish("storing a file"); err != nil {
		return r, "an incomplete file may remain on the server", err
	}
	return r, u.cleanUp(name), nil
}

// cleanUp deletes an incomplete file unless it holds other data, and returns the outcome in words.
func (u *uploading) cleanUp(name string) string {
	switch {
	case u.part != "":
		return dialogue.Quoted(name) + " on the server has what has arrived"
	case name == "":
		return "an incomplete file may remain on the server"
	case u.appends:
		return "a part of it may have been appended"
	case name == u.s.place.name: // the server has overwritten the old file already
		return "the old file, if there was one, is gone; " + u.remove("an incomplete file", name)
	}
	return u.remove("an incomplete file", name)
}

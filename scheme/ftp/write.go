package ftp

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// intent is what an upload does to the file.
type intent uint8

const (
	appending intent = iota
	replacing
)

// upload sends a body (RFC 1738 3.2.2: "to update a file on a remote file server"; how is RFC 959's matter).
//
// QUIRK: no type is guessed here. vsftpd 3.0.3 keeps the CR LF of TYPE A where ascii_upload_enable is not set, which is
// its default, so only TYPE I stores what was sent.
func upload(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions, do intent) (*scheme.Resource, error) {
	p, err := newPlan(r, wishes{})
	if err != nil {
		return nil, err
	}
	if p.do == names {
		return nil, scheme.Fail(scheme.CodeUnsupported, "a URL with ;type=d names a list, which cannot be written: leave the type out")
	}
	p.do = write
	if p.given == 0 {
		p.typ = image
	}
	u := &uploading{r: r, body: b, do: do}
	return attend(ctx, env, p, o.CreateDirs, func(v *visit) (*scheme.Resource, error) {
		u.v = v
		res, err := u.run()
		if err == nil {
			v.leave()
		}
		return res, err
	})
}

// uploading is one upload.
type uploading struct {
	v    *visit
	r    scheme.Request
	body scheme.Body
	do   intent
	sent int64
}

func (u *uploading) run() (*scheme.Resource, error) {
	v, name := u.v, u.v.plan.name
	if err := v.setType(v.plan.typ); err != nil {
		return nil, err
	}
	switch {
	case name == "":
		return u.unique()
	case u.do == appending:
		if _, err := u.store("APPE", name); err != nil {
			return nil, err
		}
	default:
		if err := u.replace(name); err != nil {
			return nil, err
		}
	}
	return u.result(u.r.URL), nil
}

func (u *uploading) result(at locator.URL) *scheme.Resource {
	return &scheme.Resource{URL: at, Kind: scheme.KindObject, Notes: u.v.notes}
}

// unique stores under a name of the server's choice (RFC 959 4.1.3, STOU). The server tells the name in the reply that
// begins the transfer (RFC 1123 4.1.2.9).
func (u *uploading) unique() (*scheme.Resource, error) {
	replies, err := u.store("STOU", "")
	if err != nil {
		return nil, err
	}
	for _, r := range replies {
		name, ok := uniqueName(r)
		if !ok {
			continue
		}
		at, err := u.v.plan.build(&locator.FTP{Login: u.v.plan.login, Dirs: u.v.plan.path(), Name: locator.Some(name)})
		if err == nil {
			return u.result(at), nil
		}
	}
	u.v.note("the server chose a name and did not tell it")
	return u.result(u.v.plan.url), nil
}

// uniqueName reads "FILE: name", which may stand in any line of the reply (pure-ftpd 1.0.50 has it in the first of
// two).
func uniqueName(r reply) (string, bool) {
	for _, line := range r.lines {
		if i := strings.Index(strings.ToUpper(line), "FILE: "); i >= 0 {
			name := strings.TrimSpace(line[i+len("FILE: "):])
			name = name[strings.LastIndexByte(name, '/')+1:]
			return name, name != ""
		}
	}
	return "", false
}

// replace stores a file so that the old one stands until the new one is whole, where the server lets files be renamed.
//
// Whether it does is asked by RNFR of a name that is not there: servers that forbid renaming say so, the others say
// that there is no such file. It is never asked about a name that is there. QUIRK: vsftpd 3.0.3 without
// anon_other_write_enable takes a file but neither renames nor deletes it, so that a temporary file would stay for
// ever; proftpd 1.3.8 answers nothing but 501 from a successful RNFR to the next RNTO.
func (u *uploading) replace(name string) error {
	temp := temporary(name)
	r, err := u.v.askAbout("RNFR", temp)
	if err != nil {
		return err
	}
	if r.class() == 3 || r.denied() {
		u.v.note("the server does not let files be renamed (" + r.shown() + "): the file is written in its place")
		_, err := u.store("STOR", name)
		return err
	}
	if _, err := u.store("STOR", temp); err != nil {
		if errors.Is(err, errNotBegun) { // the server does not like the name
			_, err = u.store("STOR", name)
		}
		return err
	}
	return u.rename(temp, name)
}

// temporary is a name beside name that nobody else uses. It stays short enough for file systems with 255 octets.
func temporary(name string) string {
	const most = 200
	if len(name) > most {
		name = name[:most]
	}
	return name + "." + strings.ToLower(rand.Text()[:8]) + ".part"
}

// rename puts the whole new file in the place of the old one. Some servers rename onto no file that is there; then the
// old one is deleted first.
func (u *uploading) rename(temp, name string) error {
	r, err := u.moveTo(temp, name)
	if err != nil {
		return fmt.Errorf("%w; the file is whole under the name %s", err, quoted(temp))
	}
	if r.class() == 5 && !r.missing() {
		d, err := u.v.askAbout("DELE", name)
		if err != nil {
			return fmt.Errorf("%w; the new file is whole under the name %s", err, quoted(temp))
		}
		if d.class() == 2 {
			if r, err = u.moveTo(temp, name); err != nil || r.class() != 2 {
				return scheme.Replied(scheme.CodeBroken, r.shown(), "the old file %s is deleted, and the new one could not be renamed: it is whole under the name %s", quoted(name), quoted(temp))
			}
		}
	}
	if r.class() == 2 {
		return nil
	}
	return r.failWrite("the server took the file but would not rename it to %s; %s", quoted(name), u.remove(temp))
}

// moveTo sends RNFR and RNTO.
func (u *uploading) moveTo(temp, name string) (reply, error) {
	r, err := u.v.askAbout("RNFR", temp)
	if err != nil || r.class() != 3 {
		return r, err
	}
	return u.v.askAbout("RNTO", name)
}

// remove deletes what an upload left behind and says how that went.
func (u *uploading) remove(name string) string {
	r, err := u.v.askAbout("DELE", name)
	if err == nil && r.class() == 2 {
		return "nothing is left behind"
	}
	return "the file " + quoted(name) + " is left behind"
}

// errNotBegun says that the server refused the command before a body was sent.
var errNotBegun = errors.New("the server refused the command")

// store sends the body by STOR, APPE or STOU. It returns the replies before and after.
func (u *uploading) store(verb, name string) ([]reply, error) {
	v := u.v
	lines := []wire.Line{bare(verb)}
	if name != "" {
		var err error
		if lines, err = v.about(verb, name); err != nil {
			return nil, unsafeAsRefused(err)
		}
	}
	d, r, err := v.transfer(verb, lines, nil)
	if err != nil {
		return nil, err
	}
	if d == nil {
		return nil, &notBegun{r.failWrite("the server refused to store the file %s", quoted(name))}
	}
	type outcome struct {
		n   int64
		err error
	}
	sent := make(chan outcome, 1)
	v.unbind() // the control connection is wanted still where the upload is called off
	go func() {
		n, err := u.send(d)
		sent <- outcome{n, err}
	}()
	select {
	case o := <-sent:
		u.sent, err = o.n, o.err
	case <-v.ctx.Done(): // the body may be one that waits for a person
	}
	if v.ctx.Err() != nil {
		return nil, u.callOff(d, name)
	}
	v.unbind = scheme.Bind(v.ctx, v.raw)
	if err != nil {
		return nil, u.giveUp(d, name, err)
	}
	end, err := d.finish("storing a file")
	if err != nil {
		return nil, scheme.Fail(scheme.CodeInDoubt, "whether the server stored the file is not known: %w", err)
	}
	if end.class() != 2 {
		return nil, u.refusedLate(end, name)
	}
	return []reply{r, end}, nil
}

// notBegun is an error before anything was sent.
type notBegun struct{ error }

func (e *notBegun) Unwrap() error        { return e.error }
func (e *notBegun) Is(target error) bool { return target == errNotBegun }

// send copies the body and says how much of it was read. Trouble with the body is told from trouble with the
// connection.
func (u *uploading) send(d *data) (int64, error) {
	src := io.Reader(u.body)
	if u.v.plan.typ == ascii {
		src = toASCII(src)
	}
	counted := &counter{r: src}
	_, err := io.Copy(struct{ io.Writer }{d.Conn}, counted)
	switch {
	case counted.err != nil:
		err = &localError{counted.err}
	case err == nil && u.v.plan.typ == image && counted.n != u.body.Size.Or(counted.n):
		err = &localError{fmt.Errorf("%d octets were to be sent, and there were %d: %w", u.body.Size.Or(0), counted.n, io.ErrUnexpectedEOF)}
	case err == nil:
		if err := u.body.Pass(); err != nil {
			return counted.n, &localError{err}
		}
	}
	return counted.n, err
}

// counter remembers how much was read and why reading failed.
type counter struct {
	r   io.Reader
	n   int64
	err error
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}

// localError is trouble with the body that was to be sent.
type localError struct{ error }

func (e *localError) Unwrap() error { return e.error }

// giveUp ends an upload in its middle. The server takes the end of the data for the end of the file (RFC 959 3.4.1), so
// what it has must go, unless it is appended to what was there.
func (u *uploading) giveUp(d *data, name string, cause error) error {
	r, err := d.finish("storing a file")
	left := "what was sent may be left behind"
	if err == nil {
		left = u.cleanUp(name)
	}
	var local *localError
	switch {
	case errors.As(cause, &local):
		return scheme.Fail(scheme.CodeLocal, "reading what was to be sent: %w; %s", local.error, left)
	case err == nil && r.class() >= 4:
		return r.failWrite("the server broke off after %d octets; %s", u.sent, left)
	}
	return scheme.Fail(scheme.CodeBroken, "the upload broke off after %d octets: %w; %s", u.sent, cause, left)
}

// callOff ends an upload whose context has ended. The server takes the end of the data for the end of the file; so what it
// has is deleted, if the server is quick about it.
func (u *uploading) callOff(d *data, name string) error {
	late := time.AfterFunc(abandonTime, func() { u.v.raw.Close() })
	defer late.Stop()
	left := "what was sent may be left behind"
	if _, err := d.finish("storing a file"); err == nil {
		left = u.cleanUp(name)
	}
	return u.v.end(scheme.Fail(scheme.CodeInterrupted, "%w; %s", context.Cause(u.v.ctx), left))
}

// refusedLate is the error for a body that the server took and then did not keep.
func (u *uploading) refusedLate(end reply, name string) error {
	left := u.cleanUp(name)
	return end.failWrite("the server did not store the file after %d octets; %s", u.sent, left)
}

// cleanUp deletes what was stored of a body, where that is all that was stored.
func (u *uploading) cleanUp(name string) string {
	switch {
	case name == "":
		return "a part may be left behind"
	case u.do == appending:
		return "a part of it may have been appended"
	case name == u.v.plan.name: // what was there before, the server has overwritten already
		return "the old file, if there was one, is gone; " + u.remove(name)
	}
	return u.remove(name)
}

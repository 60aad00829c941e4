package ftp

import (
	"context"
	"strings"

	"locator/scheme"
	"locator/scheme/internal/dialogue"
)

// Resume continues the incomplete file part by APPE, and renames it. It compares the sizes before
// and after (SIZE), since another connection may still write to the file. REST before STOR
// (RFC 3659 5.4) is not used: a server that ignores it would truncate the file.
func (Scheme) Resume(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, part string, offset int64, o scheme.WriteOptions) (*scheme.Resource, error) {
	p, err := newPlace(r, options{})
	switch {
	case err != nil:
		return nil, err
	case p.op == names || p.name == "":
		return nil, scheme.Fail(scheme.CodeUsage, "the URL does not name a file, so the upload cannot be resumed")
	case p.typeCode == ascii:
		return nil, scheme.Fail(scheme.CodeUsage, "an upload of type a cannot be resumed, since its bytes are not counted: leave the type out")
	case part == "" || strings.Contains(part, "/"):
		return nil, scheme.Fail(scheme.CodeUsage, "%s is not a name for an incomplete file", dialogue.Quoted(part))
	}
	p.op, p.typ = write, image
	u := &uploading{r: r, body: b, modified: o.Modified, part: part, offset: offset}
	return u.start(ctx, env, p, o.CreateDirs)
}

// resume appends to the incomplete file.
func (u *uploading) resume(name string) error {
	size, err := u.s.size(u.part)
	if err != nil {
		return err
	}
	if size != u.offset {
		return scheme.Fail(scheme.CodeBroken, "the incomplete file %s does not have %d bytes any more", dialogue.Quoted(u.part), u.offset)
	}
	if _, _, err := u.store("APPE", u.part); err != nil {
		return err
	}
	want := u.offset + u.sent
	if size, err = u.s.size(u.part); err != nil {
		return err
	}
	if size != want {
		return scheme.Fail(scheme.CodeBroken, "the file has %d bytes and not %d after the upload was resumed; %s", size, want, u.remove("it", u.part))
	}
	return u.complete(u.part, name)
}

// setTime sets the time of a stored file by MFMT (draft-somers-ftp-mfxx-04 3.1). A server that
// cannot do that keeps its own time.
//
// QUIRK: vsftpd 3.0.3 has no MFMT and sets the time by MDTM with a time before the name. Other
// servers take that for a name that does not exist.
func (u *uploading) setTime(name string) error {
	s := u.s
	if u.modified.IsZero() || s.noSetTime {
		return nil
	}
	f, err := s.features()
	if err != nil {
		return err
	}
	verb := "MFMT"
	if !f.has(verb) {
		verb = "MDTM"
	}
	if !f.has(verb) {
		return nil
	}
	r, err := s.askAbout(verb, u.modified.UTC().Format("20060102150405")+" "+name)
	s.noSetTime = err == nil && r.Class() == 5
	return err
}

package ftp

import (
	"context"
	"slices"
	"strings"

	"locator/internal/mediatype"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
)

// attributes asks for attributes without a transfer: MLST (RFC 3659 7), else SIZE and MDTM.
func (s *session) attributes() (scheme.Attr, error) {
	f, err := s.features()
	if err != nil {
		return scheme.Attr{}, err
	}
	name := s.place.name
	if f.machineLists() {
		attr, r, err := s.facts(name)
		switch {
		case err == nil && r.Code == 250 && attr.Mode == 0o777 && name != "":
			// QUIRK: proftpd 1.3.8 calls a symbolic link a file and reports the link's own size and
			// time; such a link has the mode 0777.
			err := s.follow(name, &attr)
			return attr, err
		case err != nil || r.Code == 250:
			return attr, err
		case r.failure() != scheme.CodeUnsupported:
			return attr, r.fail("the server tells nothing about %s", s.target())
		}
	}
	if name == "" {
		return directoryAttr(scheme.Attr{}), nil // the CWDs have shown that it exists
	}
	return s.sizeAndTime(name)
}

// follow sets the size and time of the file that a symbolic link leads to, if the server reports
// them.
func (s *session) follow(name string, attr *scheme.Attr) error {
	if err := s.setType(image); err != nil {
		return err
	}
	size, err := s.size(name)
	if err != nil || size < 0 {
		return err
	}
	modified, err := s.modified(name)
	if err == nil && !modified.IsZero() {
		attr.Size, attr.Modified, attr.Precision = scheme.Known(size), modified, 0
	}
	return err
}

// facts sends MLST; without a name it is about the directory of the session.
func (s *session) facts(name string) (scheme.Attr, reply, error) {
	var r reply
	var err error
	if name == "" {
		r, err = s.ask("MLST", dialogue.Bare("MLST"))
	} else {
		r, err = s.askAbout("MLST", name)
	}
	if err != nil || r.Class() >= 4 {
		return scheme.Attr{}, r, err
	}
	it, ok := item{}, r.Code == 250 && len(r.Lines) >= 3
	if ok { // the facts follow a space (RFC 3659 7.2), which some servers omit
		it, ok = parseFacts(strings.TrimPrefix(r.Lines[1], " "))
	}
	if !ok {
		return scheme.Attr{}, r, scheme.Replied(scheme.CodeProtocol, r.Shown(), "the reply to MLST holds no facts")
	}
	if it.dir {
		return directoryAttr(it.attr), r, nil
	}
	if it.attr.Type == "" {
		it.attr.Type = mediatype.ByName(name)
	}
	it.attr.Ranges = true
	return it.attr, r, nil
}

func directoryAttr(a scheme.Attr) scheme.Attr {
	a.More = append([]scheme.Attribute{{Name: "type", Value: "dir"}}, a.More...)
	return a
}

// sizeAndTime sends SIZE and MDTM. A name that has neither may be a directory.
func (s *session) sizeAndTime(name string) (scheme.Attr, error) {
	attr := scheme.Attr{Type: mediatype.ByName(name)}
	if err := s.setType(image); err != nil { // proftpd refuses SIZE in TYPE A
		return attr, err
	}
	size, err := s.size(name)
	if err != nil {
		return attr, err
	}
	if attr.Modified, err = s.modified(name); err != nil {
		return attr, err
	}
	if size >= 0 {
		attr.Size, attr.Ranges = scheme.Known(size), true
		return attr, nil
	}
	if !attr.Modified.IsZero() {
		return attr, nil
	}
	r, err := s.tryDirectory()
	if err != nil {
		return attr, err
	}
	if r.Class() != 2 {
		return attr, r.fail("the server tells nothing about %s", s.target())
	}
	return directoryAttr(scheme.Attr{}), nil
}

// tryDirectory changes to the place's name if it is a directory; the session then has the place of
// the directory.
func (s *session) tryDirectory() (reply, error) {
	into, err := s.place.asDirectory()
	if err != nil {
		return reply{}, err
	}
	r, err := s.enter(s.place.name)
	if err == nil && r.Class() == 2 {
		s.place = into
	}
	return r, err
}

// enter changes to a directory in that of the session.
func (c *conn) enter(dir string) (reply, error) {
	lines, err := spellings("CWD", "directory", dir)
	if err != nil {
		return reply{}, err
	}
	r, err := c.askSpellings("CWD", lines)
	if err == nil && r.Class() == 2 {
		c.dirs = append(c.dirs, dir)
	}
	return r, err
}

// mustBeDirectory changes to the place's name, to list it.
func (s *session) mustBeDirectory() error {
	r, err := s.tryDirectory()
	switch {
	case err != nil:
		return err
	case r.Class() == 2:
		s.note("the name is a directory: its URL ends in a slash, " + s.place.url.Redacted())
		return nil
	}
	if err := s.setType(image); err != nil {
		return err
	}
	if size, err := s.size(s.place.name); err != nil {
		return err
	} else if size >= 0 {
		return scheme.Fail(scheme.CodeUnsupported, "%s is a file: there is nothing to list", s.target())
	}
	return r.fail("the server refused to go to the directory %s", s.target())
}

// Attributes asks for attributes without a transfer: MLST, else SIZE and MDTM (RFC 3659). A
// directory has the attribute "type" with the value "dir".
func (Scheme) Attributes(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AttributesOptions) (*scheme.Resource, error) {
	p, err := newPlace(r, options{AccessOptions: scheme.AccessOptions{Type: o.Type}})
	if err != nil {
		return nil, err
	}
	return withSession(ctx, env, p, false, released(func(s *session) (*scheme.Resource, error) {
		attr, err := s.attributes()
		if err != nil {
			return nil, err
		}
		res := &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Attr: attr}
		if p.op != retrieve || slices.Contains(attr.More, scheme.Attribute{Name: "type", Value: "dir"}) {
			res.Kind = scheme.KindListing
		}
		return res, nil
	}))
}

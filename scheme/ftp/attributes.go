package ftp

import (
	"strings"

	"locator/internal/mediatype"
	"locator/scheme"
)

// attributes finds what the server tells without a transfer: MLST (RFC 3659 7), else SIZE and MDTM.
func (v *visit) attributes() (scheme.Attr, error) {
	f, err := v.features()
	if err != nil {
		return scheme.Attr{}, err
	}
	name := v.plan.name
	if f.machineLists() {
		attr, r, err := v.facts(name)
		switch {
		case err != nil || r.code == 250:
			return attr, err
		case r.failure() != scheme.CodeUnsupported:
			return attr, r.fail("the server tells nothing about %s", v.what())
		}
	}
	if name == "" {
		return directoryAttr(scheme.Attr{}), nil // the CWDs have shown that it is there
	}
	return v.sizeAndTime(name)
}

// facts asks MLST; without a name it is about the directory of the visit.
func (v *visit) facts(name string) (scheme.Attr, reply, error) {
	var r reply
	var err error
	if name == "" {
		r, err = v.ask("MLST", bare("MLST"))
	} else {
		r, err = v.askAbout("MLST", name)
	}
	if err != nil || r.class() >= 4 {
		return scheme.Attr{}, r, err
	}
	if r.code != 250 || len(r.lines) < 3 {
		return scheme.Attr{}, r, scheme.Replied(scheme.CodeProtocol, r.shown(), "the reply to MLST holds no facts")
	}
	// The facts stand after a blank (RFC 3659 7.2), which some servers leave out.
	it, ok := parseFacts(strings.TrimPrefix(r.lines[1], " "))
	if !ok {
		return scheme.Attr{}, r, scheme.Replied(scheme.CodeProtocol, r.shown(), "the reply to MLST holds no facts")
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

// sizeAndTime asks SIZE and MDTM. A name that has neither may be a directory.
func (v *visit) sizeAndTime(name string) (scheme.Attr, error) {
	attr := scheme.Attr{Type: mediatype.ByName(name)}
	if err := v.setType(image); err != nil { // proftpd refuses SIZE in TYPE A
		return attr, err
	}
	size, err := v.size(name)
	if err != nil {
		return attr, err
	}
	if attr.Modified, err = v.modified(name); err != nil {
		return attr, err
	}
	if size >= 0 {
		attr.Size, attr.Ranges = scheme.Known(size), true
		return attr, nil
	}
	if !attr.Modified.IsZero() {
		return attr, nil
	}
	r, err := v.tryDirectory()
	if err != nil {
		return attr, err
	}
	if r.class() != 2 {
		return attr, r.fail("the server tells nothing about %s", v.what())
	}
	return directoryAttr(scheme.Attr{}), nil
}

// tryDirectory goes to the plan's name, if it is a directory; the visit's plan is then the directory's.
func (v *visit) tryDirectory() (reply, error) {
	into, err := v.plan.into()
	if err != nil {
		return reply{}, err
	}
	dir := into.dirs[len(into.dirs)-1]
	r, err := v.askAny("CWD", dir.cwd)
	if err == nil && r.class() == 2 {
		v.control.dirs = append(v.control.dirs, dir.name)
		v.plan = into
	}
	return r, err
}

// mustBeDirectory goes to the plan's name to list it.
func (v *visit) mustBeDirectory() error {
	r, err := v.tryDirectory()
	switch {
	case err != nil:
		return err
	case r.class() == 2:
		v.note("the name is a directory: its URL ends in a slash, " + v.plan.url.Redacted())
		return nil
	}
	if err := v.setType(image); err != nil {
		return err
	}
	if size, err := v.size(v.plan.name); err != nil {
		return err
	} else if size >= 0 {
		return scheme.Fail(scheme.CodeUnsupported, "%s is a file: there is nothing to list", v.what())
	}
	return r.fail("the server refused to go to the directory %s", v.what())
}

package nntp

import (
	"context"
	"strings"

	"locator/scheme"
	"locator/wire"
)

// Attributes returns the header fields of an article, or what the server knows about a group. For
// the list of groups, these are the capabilities of the server.
func (Scheme) Attributes(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AttributesOptions) (*scheme.Resource, error) {
	p, err := newPlace(r.URL)
	if err != nil {
		return nil, err
	}
	return withSession(ctx, env, p, func(s *session) (*scheme.Resource, error) {
		res := &scheme.Resource{URL: r.URL, Kind: scheme.KindListing}
		var err error
		switch p.kind {
		case article:
			res.Kind = scheme.KindObject
			res.Attr, err = s.header(o.Accept.Charset)
		case group:
			res.Attr, err = s.aboutGroup(o.Accept.Charset)
		case groups:
			res.Attr, err = s.aboutServer()
		}
		if err != nil {
			return nil, err
		}
		s.release()
		return res, nil
	})
}

// header returns the attributes of an article by HEAD.
func (s *session) header(charset string) (scheme.Attr, error) {
	r, err := s.article(s.place.lines.head, "HEAD")
	if err != nil {
		return scheme.Attr{}, err
	}
	if r.Code != 221 {
		return scheme.Attr{}, s.End(r.fail("HEAD"))
	}
	h, err := s.readHead()
	if err != nil {
		return scheme.Attr{}, err
	}
	return attributes(h, charset), nil
}

// readHead reads the lines after the reply to HEAD.
func (s *session) readHead() ([]byte, error) {
	s.Wire.StartReply()
	defer s.Wire.StopReply()
	b := s.newBlock(nil)
	b.left = int64(s.Max)
	var header []byte
	for line, err := range b.lines("HEAD") {
		if err != nil {
			return nil, err
		}
		header = append(header, line+"\r\n"...)
	}
	return header, nil
}

// aboutGroup returns the number of articles in a group, and its description.
func (s *session) aboutGroup(charset string) (scheme.Attr, error) {
	var attr scheme.Attr
	all, count, err := s.selectGroup()
	if err != nil {
		return attr, err
	}
	attr.More = []scheme.Attribute{{Name: "Articles", Value: digits(count)}, {Name: "First", Value: digits(all.first)}, {Name: "Last", Value: digits(all.last)}}
	l, err := wire.Command("LIST NEWSGROUPS", "group", s.place.group)
	if err != nil {
		return attr, refused(err)
	}
	r, err := s.ask("LIST NEWSGROUPS", l)
	switch {
	case err != nil:
		return attr, err
	case r.Class() < 4 && r.Code != 215:
		return attr, s.failed("LIST NEWSGROUPS", r)
	case r.Code != 215:
		return attr, nil
	}
	about := make(map[string]string)
	b := s.newBlock(nil)
	b.left = int64(s.Max)
	if err := b.descriptions(about, charset); err != nil {
		return attr, err
	}
	attr.Abstract = about[s.place.group]
	return attr, nil
}

// aboutServer returns the capabilities of the server.
func (s *session) aboutServer() (scheme.Attr, error) {
	if err := s.askCapabilities(); err != nil {
		return scheme.Attr{}, err
	}
	var attr scheme.Attr
	for _, label := range s.caps.labels() {
		attr.More = append(attr.More, scheme.Attribute{Block: "capabilities", Name: label, Value: strings.Join(s.caps[label], " ")})
	}
	return attr, nil
}

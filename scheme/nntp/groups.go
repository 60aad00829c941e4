package nntp

import (
	"cmp"
	"strings"

	"locator/internal/held"
	"locator/internal/mailtext"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// listGroups lists the groups that match the pattern of the place, with their descriptions. Both
// lists are requested in one write.
func (s *session) listGroups(o scheme.ListOptions) (*scheme.Resource, error) {
	if len(o.Filter.Match) > 0 {
		return nil, scheme.Fail(scheme.CodeUnsupported, "groups have no header fields to search; name one group")
	}
	about, active, err := s.place.listLines()
	if err != nil {
		return nil, err
	}
	after, code := "LIST ACTIVE", 215
	if since := o.Filter.Since; !since.IsZero() { // RFC 3977 7.3; its lines are those of LIST ACTIVE
		after, code = "NEWGROUPS", 231
		active = dialogue.Bare("NEWGROUPS " + since.UTC().Format(timeForm))
	}
	if err := s.Send("LIST NEWSGROUPS", about, active); err != nil {
		return nil, err
	}
	r, err := s.reply("LIST NEWSGROUPS")
	if err != nil {
		return nil, err
	}
	b := s.newBlock(nil)
	descriptions := make(map[string]string)
	switch {
	case r.Code == 215:
		if err := b.descriptions(descriptions, o.Accept.Charset); err != nil {
			return nil, err
		}
	case r.Class() < 4:
		return nil, s.failed("LIST NEWSGROUPS", r)
	}
	if r, err = s.reply(after); err != nil {
		return nil, err
	}
	if err := authenticate(after, r); err != nil {
		return nil, err
	}
	all := r.unknown() || code == 231
	if all && code == 215 { // RFC 977 3.6
		if r, err = s.command("LIST", dialogue.Bare("LIST")); err != nil {
			return nil, err
		}
	}
	if r.Code != code {
		return nil, s.failed(after, r)
	}
	b.copy = o.Copy
	return s.listing(func(yield func(scheme.Entry, error) bool) {
		for line, err := range b.lines(after) {
			if err != nil {
				yield(scheme.Entry{}, err)
				return
			}
			name, _, _ := strings.Cut(line, " ")
			if all && s.place.pattern != "" && !matches(s.place.pattern, name) {
				continue
			}
			if !yield(groupEntry(s.place, line, descriptions), nil) {
				return
			}
		}
	}, o.Max), nil
}

// timeForm is the form of a date and time in commands (RFC 3977 7.3.2).
const timeForm = "20060102 150405 GMT"

// listLines returns the commands that list descriptions and groups.
func (p *place) listLines() (about, active wire.Line, err error) {
	if p.pattern == "" {
		return dialogue.Bare("LIST NEWSGROUPS"), dialogue.Bare("LIST ACTIVE"), nil
	}
	if about, err = wire.Command("LIST NEWSGROUPS", "group", p.pattern); err == nil {
		active, err = wire.Command("LIST ACTIVE", "group", p.pattern)
	}
	return about, active, refused(err)
}

// descriptions reads the lines of LIST NEWSGROUPS: the name of a group, white space, and its
// description (RFC 3977 7.6.6), which is decoded as a subject in that group is.
func (b *block) descriptions(all map[string]string, charset string) error {
	kept, fits := held.Budget(heldBudget), true
	for line, err := range b.lines("LIST NEWSGROUPS") {
		if err != nil {
			return err
		}
		i := strings.IndexAny(line, " \t")
		if i <= 0 || !fits {
			continue
		}
		if fits = kept.Take(descriptionCost + len(line)); !fits {
			b.s.note("the descriptions of the groups need more than " + digits(heldBudget>>20) + " MiB; some are left out")
			continue
		}
		name := line[:i]
		all[name] = mailtext.Header(strings.TrimSpace(line[i:]), cmp.Or(charset, mailtext.GuessCharset(name)))
	}
	return nil
}

// groupEntry returns the entry of a line of LIST ACTIVE: name, last, first, status (RFC 3977
// 7.6.3).
func groupEntry(p *place, line string, descriptions map[string]string) scheme.Entry {
	words := strings.Fields(line)
	unread := scheme.Entry{Name: line, Kind: scheme.KindNote, Unread: true}
	if len(words) < 3 {
		return unread
	}
	name := strings.Clone(words[0]) // the URL keeps it, too
	u, err := p.groupURL(name)
	if err != nil {
		return unread
	}
	e := scheme.Entry{Name: name, URL: u, Kind: scheme.KindListing}
	e.Attr.Abstract = descriptions[words[0]]
	for i, name := range []string{"Last", "First", "Status"} {
		if i+1 < len(words) {
			e.Attr.More = append(e.Attr.More, scheme.Attribute{Name: name, Value: words[i+1]})
		}
	}
	detach(&e)
	return e
}

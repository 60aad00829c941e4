package nntp

import (
	"bufio"
	"io"
	"net/mail"
	"strings"

	"locator"
	"locator/internal/mailtext"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/scheme/message"
	"locator/wire"
)

// Bounds of a follow-up.
const (
	maxQuote      = 64 << 10 // bytes of the quoted text
	maxRefsLength = 900      // bytes of References, so that the field fits one line of 998 (RFC 5537 3.4.4)
)

// followUp returns the fields of a follow-up to the article of the place (RFC 5537 3.4.3, 3.4.4).
func (s *session) followUp() (*message.Draft, error) {
	r, err := s.article(s.place.lines.article, "ARTICLE")
	if err != nil {
		return nil, err
	}
	if r.Code != 220 {
		return nil, s.End(r.fail("ARTICLE"))
	}
	t := s.newText()
	header := t.readHeader(s.Max)
	h := fieldsOf(header)
	d, err := draftOf(h)
	if err == nil && s.place.id != "" && d.Answers != s.place.id {
		err = scheme.Fail(scheme.CodeProtocol, "the server answered with another article, %s", dialogue.Quoted(h["message-id"]))
	}
	if err != nil {
		t.Close()
		return nil, err
	}
	text := mailtext.NewReader(t, mailtext.Options{})
	d.Quote = attribution(h) + quote(text)
	text.Close()
	return d, t.Close()
}

// fieldsOf returns the fields of a header by name in lower case; of several, the first counts.
func fieldsOf(header []byte) map[string]string {
	h := make(map[string]string)
	for name, value := range mailtext.Fields(string(header)) {
		if name = strings.ToLower(name); h[name] == "" {
			h[name] = value
		}
	}
	return h
}

// draftOf returns the fields of a follow-up to an article with these fields, whose names are in
// lower case.
func draftOf(h map[string]string) (*message.Draft, error) {
	id := bareID(h["message-id"])
	if id == "" || wire.Check("message-id", id, " \t<>") != nil {
		return nil, scheme.Fail(scheme.CodeProtocol, "the article has no message-id, so that no follow-up can name it")
	}
	subject := subjectOf(h["subject"])
	d := &message.Draft{News: true, Answers: id}
	groups := h["newsgroups"]
	switch to := strings.TrimSpace(h["followup-to"]); {
	case strings.EqualFold(to, "poster"):
		return nil, byMail(h, subject, id)
	case to != "" && to != groups:
		groups = to
		d.Notes = append(d.Notes, "the author asks for follow-ups in "+wire.Excerpt(to, 200))
	}
	refs := references(h["references"])
	for i := 0; i < len(refs); i++ { // it may have been damaged on its way
		if wire.Check("message-id", refs[i], " \t<") != nil || !strings.Contains(refs[i], "@") {
			refs = append(refs[:i], refs[i+1:]...)
			i--
		}
	}
	refs = append(refs, id)
	for len(refs) > 3 && len(strings.Join(refs, "> <")) > maxRefsLength {
		refs = append(refs[:1], refs[2:]...) // the first and the last stay
	}
	d.Header = []message.Field{
		{Name: "Newsgroups", Value: groups}, {Name: "Subject", Value: subject}, {Name: "References", Value: "<" + strings.Join(refs, "> <") + ">"},
	}
	if where := h["distribution"]; where != "" && wire.Escape(where) == where {
		d.Header = append(d.Header, message.Field{Name: "Distribution", Value: where})
	}
	return d, nil
}

// byMail is the error for an article whose author wants answers by mail.
func byMail(h map[string]string, subject, id string) error {
	u, address, err := replyURL(h, subject, id)
	switch {
	case address == "":
		return scheme.Fail(scheme.CodeUsage, "the author asks for answers by mail, not in the group (Followup-To: poster), and gives no address that can be read")
	case err != nil:
		return scheme.Fail(scheme.CodeUsage, "the author asks for answers by mail, not in the group (Followup-To: poster): %s", wire.Escape(address))
	}
	return scheme.Fail(scheme.CodeUsage, "the author asks for answers by mail, not in the group (Followup-To: poster): %s", u.Redacted())
}

// replyURL returns the URL of a mail to the author of an article, and the address; that is "" if it
// cannot be read.
func replyURL(h map[string]string, subject, id string) (u locator.URL, address string, err error) {
	to := h["reply-to"]
	if to == "" {
		to = h["from"]
	}
	a, err := mail.ParseAddress(to)
	if err != nil {
		return u, "", err
	}
	u, err = locator.Build(&locator.Mailto{To: []string{a.Address},
		Headers: []locator.Pair{{Name: "subject", Value: subject}, {Name: "in-reply-to", Value: "<" + id + ">"}}})
	return u, a.Address, err
}

// subjectOf returns the subject of an answer.
func subjectOf(subject string) string {
	subject = printable(mailtext.Header(subject, ""))
	if len(subject) < 3 || !strings.EqualFold(subject[:3], "re:") {
		return "Re: " + subject
	}
	return subject
}

// attribution returns the line before a quoted text.
func attribution(h map[string]string) string {
	who := mailtext.Header(h["from"], "")
	if a, err := mail.ParseAddress(h["from"]); err == nil && a.Name != "" {
		who = mailtext.Header(a.Name, "")
	}
	who = printable(who)
	when, _ := mailtext.Date(h["date"])
	if when.IsZero() {
		return who + " wrote:\n\n"
	}
	return "On " + when.Format("2006-01-02") + ", " + who + " wrote:\n\n"
}

// quote returns the text of a decoded article with "> " before each line, up to the signature. Its
// header is left out.
func quote(decoded io.Reader) string {
	var b strings.Builder
	lines := bufio.NewScanner(io.LimitReader(decoded, maxQuote))
	lines.Buffer(nil, maxQuote)
	text := false
	for lines.Scan() {
		line := printable(lines.Text())
		switch {
		case !text:
			text = line == ""
		case line == "-- ":
			return b.String()
		case strings.HasPrefix(line, ">"):
			b.WriteString(">" + line + "\n")
		case line == "":
			b.WriteString(">\n")
		default:
			b.WriteString("> " + line + "\n")
		}
	}
	return b.String()
}

// printable returns a text with blanks in place of its control characters, which no article may
// have.
func printable(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' && c != '\t' || c >= 0x7F && c < 0xA0 {
			return ' '
		}
		return c
	}, s)
}

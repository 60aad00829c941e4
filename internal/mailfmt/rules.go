package mailfmt

import (
	"slices"
	"strings"

	"locator/internal/hint"
	"locator/internal/mailtext"
	"locator/scheme"
	"locator/scheme/message"
	"locator/wire"
)

// rules are what a medium requires of a message.
type rules struct {
	news      bool
	eightBit  bool              // it carries bytes outside ASCII in texts
	maxID     int               // bytes of a message-id with its angle brackets
	required  []string          // fields that only the user can set
	how       map[string]string // how to set them
	hints     map[string]string // the settings that set them
	forbidden map[string]string // fields by their names in lower case, and what to do
}

func rulesOf(news bool) *rules {
	if !news {
		return &rules{maxID: maxLine - len("Message-ID: ")}
	}
	const server = "the server sets this field; remove it"
	return &rules{
		news: true, eightBit: true, maxID: 250, // RFC 5536 3.1.3
		required: []string{"Newsgroups", "Subject"},
		hints:    map[string]string{"Subject": hint.Subject},
		how: map[string]string{
			"Newsgroups": "; name a newsgroup by the URL, or write a line Newsgroups: into the message",
		},
		forbidden: map[string]string{ // RFC 5537 3.4.1
			"xref": server, "injection-date": server, "injection-info": server, "nntp-posting-host": server, "nntp-posting-date": server,
			"bcc": "an article is public and has no Bcc; remove it",
		},
	}
}

// isID reports whether s is a message-id: by RFC 5536 3.1.3, or in mail any word in angle brackets,
// since mailers differ.
func (r *rules) isID(s string) bool {
	if len(s) > r.maxID || len(s) < len("<a@b>") || s[0] != '<' || s[len(s)-1] != '>' {
		return false
	}
	inside := s[1 : len(s)-1]
	left, right, ok := strings.Cut(inside, "@")
	if !r.news {
		return ok && strings.IndexFunc(inside, func(c rune) bool { return c <= ' ' || c > '~' || c == '<' || c == '>' }) < 0
	}
	return ok && isDotAtom(left) && (isDotAtom(right) || isLiteral(right))
}

// isLiteral reports whether s is a no-fold-literal (RFC 5536 3.1.3).
func isLiteral(s string) bool {
	s, opens := strings.CutPrefix(s, "[")
	s, closes := strings.CutSuffix(s, "]")
	return opens && closes && strings.IndexFunc(s, func(c rune) bool { return c <= ' ' || c > '~' || strings.ContainsRune(`<>[]\`, c) }) < 0
}

// judge checks a message as a whole.
func (r *rules) judge(h *header, m *Message, d *message.Draft) error {
	if list, err := h.fields[h.find("From")].addresses(r); err == nil && len(list) > 1 && !h.has("Sender") {
		return scheme.Fail(scheme.CodeUsage, "a message with several authors in From needs a field Sender")
	}
	if !r.news {
		return nil
	}
	for _, a := range d.Header {
		if !strings.EqualFold(a.Name, "Newsgroups") {
			continue
		}
		for _, name := range groupsOf(a.Value) {
			if !slices.Contains(m.Newsgroups, name) {
				return scheme.Fail(scheme.CodeUsage, "the URL names the newsgroup %s, which the field Newsgroups of the message leaves out; add it there, or remove the field", wire.Excerpt(name, 200))
			}
		}
	}
	if m.text.about.empty && m.parts == nil {
		return scheme.Fail(scheme.CodeUsage, "the article has no text; after header lines write an empty line, then the text")
	}
	return nil
}

// note notes what a field says of the message.
func (m *Message) note(f *field, r *rules) error {
	name := strings.ToLower(f.name)
	m.Approved = m.Approved || name == "approved"
	switch kinds[name].syntax {
	case addresses:
		if name != "from" && name != "to" && name != "cc" && name != "bcc" {
			return nil
		}
		list, err := f.addresses(r)
		if err != nil {
			return err
		}
		for _, a := range list {
			address := mailboxOf(a)
			key := address.Key()
			switch {
			case name != "from" && !m.known[key]:
				m.known[key] = true
				m.Recipients = append(m.Recipients, address.String())
			case name == "from" && m.From == "":
				m.From = address.String()
			}
		}
	case newsgroups:
		if name == "newsgroups" {
			m.Newsgroups = groupsOf(f.value)
		}
	case unstructured:
		if name == "subject" {
			m.Subject = f.value
			if f.raw != "" {
				m.Subject = mailtext.Header(f.value, "utf-8")
			}
		}
	case messageID:
		if name == "message-id" {
			m.ID = f.value[1 : len(f.value)-1]
		}
	case messageIDs:
		if name == "references" {
			for _, id := range strings.Fields(f.value) {
				m.References = append(m.References, strings.Trim(id, "<>"))
			}
		}
	}
	return nil
}

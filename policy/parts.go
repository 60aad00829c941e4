package policy

import (
	"strconv"
	"strings"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// part is a decoded part of a URL.
type part struct {
	name, text string
	further    string // octets that split it, beside CR, LF and NUL
}

// parts refuses encoded delimiters in what becomes a command (P2, RFC 1738 6). Nothing allows them. What http sends
// stays escaped, and so does what belongs to a scheme that is not known here; WAIS counts its octets.
func (s *Standard) parts(u locator.URL, h scheme.Hop) error {
	var parts []part
	switch v := u.View().(type) {
	case *locator.FTP:
		parts = login(v.Login)
		for _, dir := range v.Dirs {
			parts = append(parts, part{name: "directory", text: dir})
		}
		parts = append(parts, part{name: "name", text: v.Name.Or("")})
	case *locator.Gopher:
		parts = []part{
			{"type", v.Type.Or(""), "\t"}, {"selector", v.Selector.Or(""), "\t"}, {"search", v.Search.Or(""), "\t"},
		}
		if plus := v.Plus.Or(""); !isFilledForm(plus) {
			parts = append(parts, part{"Gopher+ string", plus, "\t"})
		} else if err := s.form(h); err != nil {
			return err
		}
	case *locator.Mailto:
		parts = []part{{name: "address", text: v.Address}}
	case *locator.News: // a blank or TAB begins another argument (RFC 3977 3.1)
		parts = []part{{"group", v.Group, "\t "}, {"message-id", v.Article, "\t "}}
	case *locator.NNTP:
		parts = []part{{"group", v.Group, "\t "}, {"article", v.Article.Or(""), "\t "}}
	case *locator.Telnet: // never sent; a person may copy them into the session
		parts = login(v.Login)
	case *locator.File:
		return onlyNUL("file name", v.Segments...)
	case *locator.Prospero: // LF is quoted by the one who writes it; a NUL has no quote, a CR no use
		return prospero(v)
	}
	for _, p := range parts {
		if err := wire.Check(p.name, p.text, p.further); err != nil {
			return unsafe(err)
		}
	}
	return nil
}

func login(l locator.Login) []part {
	return []part{{name: "user", text: l.User.Or("")}, {name: "password", text: l.Password.Or("")}}
}

func unsafe(err error) error { return scheme.Fail(scheme.Refused, "%w (RFC 1738 6)", err) }

func onlyNUL(name string, texts ...string) error {
	for _, text := range texts {
		if strings.IndexByte(text, 0) >= 0 {
			return scheme.Fail(scheme.Refused, "the %s holds the octet %%00, which no system can store; it is never used", name)
		}
	}
	return nil
}

func prospero(v *locator.Prospero) error {
	texts := []part{{name: "name", text: v.Name}}
	for _, f := range v.Fields {
		texts = append(texts, part{name: "field name", text: f.Name}, part{name: "field value", text: f.Value})
	}
	for _, p := range texts {
		if err := wire.Check(p.name, strings.ReplaceAll(p.text, "\n", ""), ""); err != nil {
			return unsafe(err)
		}
	}
	return nil
}

// form judges a filled form by how it was come by: submitting one may change something at the server, and which lines
// it holds is the choice of whoever wrote the URL (RFC 1738 6).
func (s *Standard) form(h scheme.Hop) error {
	switch {
	case h.Kind != scheme.Direct:
		return scheme.Fail(scheme.Refused, "a peer led to a filled form, which is not sent (RFC 1738 3.4.9, 6); access its URL itself if it is meant")
	case s.opt.RefuseForms:
		return scheme.Fail(scheme.Refused, "the URL holds a filled form, which is not sent from here (RFC 1738 3.4.9, 6)")
	}
	return nil
}

// isFilledForm reports whether a Gopher+ string is a filled form, whole and with nothing behind it (RFC 1738 3.4.9):
// "+", a view or none, TAB "1" CR LF, and a data block, which is either "+-1" CR LF, lines, and a line with a dot, or
// "+", a count, CR LF, and so many octets. Whoever sends it writes it anew from its parts.
func isFilledForm(plus string) bool {
	head, block, ok := strings.Cut(plus, "\r\n")
	view, flag, tab := strings.Cut(head, "\t")
	if !ok || !tab || flag != "1" || !strings.HasPrefix(view, "+") || strings.ContainsAny(view, "\r\n\x00") {
		return false
	}
	size, data, ok := strings.Cut(block, "\r\n")
	if !ok {
		return false
	}
	if size == "+-1" {
		return isDotted(data)
	}
	count, ok := strings.CutPrefix(size, "+")
	if !ok || count == "" || strings.Trim(count, "0123456789") != "" {
		return false
	}
	n, err := strconv.Atoi(count)
	return err == nil && n == len(data)
}

// isDotted reports whether a text is lines that end with CR LF, the last of which, and no other, is a dot.
func isDotted(text string) bool {
	for {
		line, rest, ok := strings.Cut(text, "\r\n")
		switch {
		case !ok, strings.ContainsAny(line, "\r\n\x00"):
			return false
		case line == ".":
			return rest == ""
		}
		text = rest
	}
}

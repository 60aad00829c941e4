package format

import (
	"bytes"

	"locator/internal/octet"
)

// isHTML reports whether a text begins like HTML or XML.
func isHTML(head []byte) bool {
	if len(head) == 0 || head[0] != '<' { // most texts: without a copy
		return false
	}
	if bytes.HasPrefix(head, []byte("<?xml ")) {
		return true
	}
	head = bytes.ToLower(head)
	for bytes.HasPrefix(head, []byte("<!--")) {
		_, rest, ok := bytes.Cut(head, []byte{'>'})
		if head = bytes.TrimLeft(rest, space); !ok {
			return false
		}
	}
	for _, tag := range []string{"<!doctype html", "<html", "<head", "<title", "<body", "<base", "<meta", "<link", "<script", "<style", "<h1", "<p>", "<div", "<table", "<a href", "<a name", "<isindex", "<plaintext"} {
		if rest, ok := bytes.CutPrefix(head, []byte(tag)); ok && (len(rest) == 0 || !octet.IsAlphanumeric(rest[0])) {
			return true
		}
	}
	return false
}

// isPaged reports whether a text has a page that ends like those of RFCs.
func isPaged(head []byte) bool {
	before, _, ok := bytes.Cut(head, []byte{'\f'})
	if !ok {
		return false
	}
	before = bytes.TrimRight(before, " \t\r\n")
	return isPageFooter(line{text: before[bytes.LastIndexByte(before, '\n')+1:], begin: true})
}

// isJSON reports whether a text begins like an object or a list.
func isJSON(head []byte) bool {
	if len(head) == 0 || head[0] != '{' && head[0] != '[' {
		return false
	}
	object := head[0] == '{'
	head = bytes.TrimLeft(head[1:], " \t\r\n")
	switch {
	case len(head) == 0:
		return false
	case object:
		return head[0] == '"' || head[0] == '}'
	case head[0] == '{' || head[0] == '[':
		return isJSON(head)
	}
	// Not a time, as in logs: "[10:02] <kim>", "[    0.000000] Linux".
	rest := bytes.TrimLeft(bytes.TrimLeft(head, "+-.0123456789eE"), " \t\r\n")
	isNumber := head[0] == '-' || octet.IsDigit(head[0])
	return head[0] == '"' || isNumber && bytes.HasPrefix(rest, []byte{','})
}

// isMbox reports whether a text begins like a mailbox: with a From line, and the header of a message.
func isMbox(head []byte) bool {
	first, rest, _ := bytes.Cut(head, []byte{'\n'})
	return isFromLine(first) && isMail(rest)
}

// mailFields are fields that the header of nearly every message has.
var mailFields = nameSet("bcc cc content-type date delivered-to from lines message-id mime-version newsgroups path received reply-to return-path sender subject to x-mailer xref")

// isMail reports whether a text begins like the header of a message: at least three lines are such fields, or two and the header ends, and no
// line is none.
func isMail(head []byte) bool {
	known := 0
	for text := range bytes.Lines(head) {
		switch name, _, ok := bytes.Cut(text, []byte{':'}); {
		case len(bytes.TrimRight(text, "\r\n")) == 0:
			return known >= 2
		case text[0] == ' ' || text[0] == '\t':
		case !ok && len(text) < 1000 && text[len(text)-1] == '\n' || bytes.ContainsAny(name, " \t<>\"/"):
			return known >= 3
		case mailFields[string(bytes.ToLower(name))]:
			known++
		}
	}
	return known >= 3
}

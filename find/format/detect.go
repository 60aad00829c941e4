package format

import (
	"bytes"
	"slices"
	"strings"

	"locator/internal/octet"
)

// HeadSize is how many bytes at the beginning of a source Detect looks at.
const HeadSize = 8 << 10

// Detect returns the format of a file with that name and beginning, of which HeadSize bytes are
// enough. The name, with or without folders, counts first; it may be empty. Text that looks like no
// other format is plain text. Detect returns nil for binary files: those with a NUL byte in the
// beginning. UTF-16 with a byte order mark is text.
func Detect(name string, head []byte) *Format {
	head = head[:min(len(head), HeadSize)]
	name = strings.ToLower(name[strings.LastIndexAny(name, `/\`)+1:])
	switch {
	case bytes.HasPrefix(head, []byte("%PDF-")):
		return Lookup("pdf")
	case isBinary(head):
		return nil
	}
	for _, f := range table {
		if slices.ContainsFunc(f.names, func(pattern string) bool { return matchName(pattern, name) }) {
			return f
		}
	}
	text := withoutMark(head)
	for _, f := range table {
		if f.matches != nil && f.matches(text) {
			return f
		}
	}
	return table[len(table)-1] // plain text
}

// matchName reports whether a file name has the pattern, which has one * at most.
func matchName(pattern, name string) bool {
	prefix, suffix, ok := strings.Cut(pattern, "*")
	if !ok {
		return pattern == name
	}
	return len(name) >= len(prefix)+len(suffix) && strings.HasPrefix(name, prefix) && strings.HasSuffix(name, suffix)
}

// isBinary reports whether a file does not begin with text.
func isBinary(head []byte) bool {
	return bytes.IndexByte(head, 0) >= 0 && byteOrder(head) == ""
}

// byteOrder returns the character set of a text that begins with a byte order mark of UTF-16, or
// "".
func byteOrder(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("\xFE\xFF")):
		return "utf-16be"
	case bytes.HasPrefix(head, []byte("\xFF\xFE")):
		return "utf-16le"
	}
	return ""
}

// withoutMark returns the text without the byte order mark and the white space before it. Of UTF-16
// it leaves only ASCII.
func withoutMark(head []byte) []byte {
	if byteOrder(head) != "" {
		head = bytes.ReplaceAll(head[2:], []byte{0}, nil)
	}
	return bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\uFEFF")), " \t\r\n")
}

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

// isMbox reports whether a text begins like a mailbox: with a From line, and the header of a
// message.
func isMbox(head []byte) bool {
	first, rest, _ := bytes.Cut(head, []byte{'\n'})
	return isFromLine(first) && isMail(rest)
}

// mailFields are fields that the header of nearly every message has.
var mailFields = nameSet("bcc cc content-type date delivered-to from lines message-id mime-version newsgroups path received reply-to return-path sender subject to x-mailer xref")

// isMail reports whether a text begins like the header of a message: at least three lines are such
// fields, or two and the header ends, and no line does not count.
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

package gopher

import (
	"bytes"
	"strings"
)

// shape is what the begin of a reply to a request for a menu turned out to be.
type shape uint8

const (
	unclear  shape = iota
	aMenu          // or what may be one
	anError        // one error and nothing to follow
	noMenu         // a text
	emptyish       // nothing at all
	webReply       // HTTP
)

// shapeOf judges the begin of a reply; eof says that it is all. words is the text of an error.
func shapeOf(b []byte, eof bool) (s shape, words string) {
	if isHTTP(b) {
		return webReply, ""
	}
	if eof && len(b) == 0 {
		return emptyish, ""
	}
	sep := []byte{'\n'}
	if bytes.IndexByte(b, '\n') < 0 && eof {
		sep = []byte{'\r'}
	}
	whole := b
	count, proper := 0, false
	var first item
	for len(b) > 0 {
		line, rest, ended := bytes.Cut(b, sep)
		if !ended && !eof {
			break
		}
		b = rest
		line = bytes.TrimRight(line, "\r")
		if string(line) == endMark {
			continue
		}
		it := parseItem(string(line))
		if it.tabs >= 2 {
			proper = true
			if !it.isError() && it.typ != 'i' {
				return aMenu, ""
			}
		}
		if len(line) > 0 {
			if count++; count == 1 {
				first = it
			}
		}
	}
	switch {
	case !eof:
		return unclear, ""
	case count == 1 && first.typ == '3', first.tabs > 0 && first.isError():
		return anError, first.display
	case proper || count == 0: // at least an end mark
		return aMenu, ""
	}
	// An error that is meant for a text comes for a menu, too: what is missing has no type.
	if words, found, _ := bodyError(whole, true); found {
		return anError, words
	}
	return noMenu, ""
}

// isHTTP reports whether a reply begins as one of HTTP does: whoever answers there is no gopher server (umn-2.3.0, 34).
func isHTTP(b []byte) bool {
	return len(b) >= len("HTTP/1.0 200") && string(b[:7]) == "HTTP/1." && b[8] == ' ' && b[9] >= '1' && b[9] <= '5' &&
		b[10] >= '0' && b[10] <= '9' && b[11] >= '0' && b[11] <= '9'
}

// maxError is the length of what can be an error in the place of a body, in octets.
const maxError = 4 << 10

// bodyError looks for an error at the begin of what should be a body; eof says that b is all. A text that happens to
// begin as an error must not be taken for one: the error is the whole reply, and names a host that none has.
//
// more says that it cannot be told yet.
func bodyError(b []byte, eof bool) (words string, found, more bool) {
	if len(b) == 0 || len(b) > maxError {
		return "", false, false
	}
	switch b[0] {
	case '0', '3':
		line, _, whole := bytes.Cut(b, []byte{'\n'})
		if !whole && !eof {
			return "", false, true
		}
		it := parseItem(string(bytes.TrimRight(line, "\r")))
		if it.tabs < 3 || !it.dummy() {
			return "", false, false
		}
		words = it.display
	case gophernicusBegin[0]:
		begin := b[:min(len(b), len(gophernicusBegin))]
		if string(begin) != gophernicusBegin[:len(begin)] {
			return "", false, false
		}
		line, _, _ := bytes.Cut(b, []byte{'\n'})
		words = string(bytes.TrimRight(line, "\r"))
		if eof && !bytes.Contains(b, []byte(gophernicusFooter)) && !strings.HasPrefix(words, gophernicusBegin+"File or directory not found!") {
			return "", false, false
		}
	case gophernicusPage[0]:
		begin := b[:min(len(b), len(gophernicusPage))]
		if string(begin) != gophernicusPage[:len(begin)] {
			return "", false, false
		}
		_, rest, _ := strings.Cut(string(b), "<STRONG>"+gophernicusBegin)
		words, _, found = strings.Cut(rest, "</STRONG>")
		return gophernicusBegin + words, found && eof && strings.Contains(rest, gophernicusFooter), !eof
	default:
		return "", false, false
	}
	if !eof {
		return "", false, true
	}
	n := bytes.Count(b, []byte{'\n'})
	if !bytes.HasSuffix(b, []byte{'\n'}) {
		n++
	}
	if bytes.HasSuffix(b, []byte("\n.\r\n")) || bytes.HasSuffix(b, []byte("\n.\n")) {
		n--
	}
	return words, n <= 3, false
}

// An error that gophernicus sends for a text and for HTML.
//
// QUIRK: it is a text itself, of three lines with its footer, which can be switched off (gophernicus, 10); for a name
// in .html it is a page (gophernicus 3.1.1 as Debian 12 has it). For an image it is an image, which nobody can tell.
const (
	gophernicusBegin  = "Error: "
	gophernicusFooter = " Gophered by Gophernicus/"
	gophernicusPage   = "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 3.2 Final//EN\">\n<HTML>\n<HEAD>\n  <META HTTP-EQUIV=\"Content-Type\" CONTENT=\"text/html;charset="
)

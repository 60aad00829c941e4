package gopher

import (
	"bytes"
	"strings"

	"locator/internal/octet"
)

// shape is what the begin of a reply to a request for a menu shows.
type shape uint8

const (
	shapeUnknown shape = iota // more of the reply is needed
	shapeMenu                 // or what may be one
	shapeError                // one error and nothing else
	shapeText                 // no menu
	shapeEmpty
	shapeHTTP
)

// shapeOf returns the shape of a reply by its begin b. eof says that b is the whole reply. words is
// the text of an error.
func shapeOf(b []byte, eof bool) (s shape, words string) {
	if isHTTP(b) {
		return shapeHTTP, ""
	}
	if eof && len(b) == 0 {
		return shapeEmpty, ""
	}
	sep := []byte{'\n'}
	if bytes.IndexByte(b, '\n') < 0 && eof {
		sep = []byte{'\r'}
	}
	whole := b
	count, proper := 0, false
	var first, refusal item
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
			switch {
			case !it.isError() && it.typ != 'i':
				return shapeMenu, ""
			case it.isError() && refusal.tabs == 0:
				refusal = it
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
		return shapeUnknown, ""
	case count == 1 && first.typ == '3', first.tabs > 0 && first.isError():
		return shapeError, first.display
	case refusal.tabs > 0: // among notes
		return shapeError, refusal.display
	case proper || count == 0: // there is at least an end mark
		return shapeMenu, ""
	}
	// A server may send the error of a text for a menu: it does not know the type of a missing
	// item.
	if words, found, _ := bodyError(whole, true); found {
		return shapeError, words
	}
	return shapeText, ""
}

// minHTTP is the length of a status line of HTTP up to its code, in bytes.
const minHTTP = len("HTTP/1.0 200")

// isHTTP reports whether a reply begins with a status line of HTTP. Its server is a web server
// (umn-2.3.0, 34).
func isHTTP(b []byte) bool {
	return len(b) >= minHTTP && string(b[:7]) == "HTTP/1." && b[8] == ' ' && b[9] >= '1' && b[9] <= '5' &&
		octet.IsDigit(b[10]) && octet.IsDigit(b[11])
}

// mayBegin reports whether b begins with text, as far as b goes.
func mayBegin(b []byte, text string) bool {
	return strings.HasPrefix(text, string(b[:min(len(b), len(text))]))
}

// maxError bounds an error instead of a body, in bytes.
const maxError = 4 << 10

// bodyError looks for an error instead of a body that begins with b. eof says that b is the whole
// reply. A text that happens to begin like an error must not be taken for one: an error is the
// whole reply, and it names a host that cannot exist, or the one of geomyidae. more says that more
// of the reply is needed.
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
		if it.isGeomyidaeError() {
			if !eof {
				return "", false, true
			}
			end := strings.TrimSpace(string(b[len(line):]))
			return it.display, end == "" || end == endMark, false
		}
		if it.tabs < 3 || !it.dummy() {
			return "", false, false
		}
		words = it.display
	case gophernicusBegin[0]:
		if !mayBegin(b, gophernicusBegin) {
			return "", false, false
		}
		line, _, _ := bytes.Cut(b, []byte{'\n'})
		words = string(bytes.TrimRight(line, "\r"))
		if eof && !bytes.Contains(b, []byte(gophernicusFooter)) && !strings.HasPrefix(words, gophernicusBegin+"File or directory not found!") {
			return "", false, false
		}
	case gophernicusPage[0]:
		if !mayBegin(b, gophernicusPage) {
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

// The begin and the footer of an error that gophernicus sends for a text and for HTML.
//
// QUIRK: for a text the error is a text of three lines with the footer, which can be switched off
// (gophernicus, 10). For a name in .html it is a page (gophernicus 3.1.1 of Debian 12). For an
// image it is an image and cannot be recognized.
const (
	gophernicusBegin  = "Error: "
	gophernicusFooter = " Gophered by Gophernicus/"
	gophernicusPage   = "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 3.2 Final//EN\">\n<HTML>\n<HEAD>\n  <META HTTP-EQUIV=\"Content-Type\" CONTENT=\"text/html;charset="
)

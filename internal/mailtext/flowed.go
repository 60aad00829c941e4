package mailtext

import "strings"

// flowed joins the lines of a paragraph (RFC 3676): a line that ends in a blank goes on in the next
// one, if that is quoted as deeply.
type flowed struct {
	delSp bool // the blank at the end of a line is not part of the text
	depth int  // of the quotation
	open  bool // the last line goes on
	fixed bool // the line does not go on, although it ends in a blank: the one before a signature
}

// newFlowed returns nil for a text that is not flowed.
func newFlowed(media string, params Parameters) *flowed {
	if media != "text/plain" || !strings.EqualFold(params.Get("format"), "flowed") {
		return nil
	}
	return &flowed{delSp: strings.EqualFold(params.Get("delsp"), "yes")}
}

// join returns what is written for a line, or for a piece of a long one: begins reports that it is
// the first piece, more that another one follows. An empty line stays, whatever is before it.
func (f *flowed) join(line string, begins, more bool) string {
	out := ""
	if begins {
		rest := strings.TrimLeft(line, ">")
		depth := len(line) - len(rest)
		rest = strings.TrimPrefix(rest, " ") // space-stuffing
		text := strings.TrimSuffix(rest, "\n")
		f.fixed = text == "-- "
		if f.open && depth == f.depth && text != "" && !f.fixed {
			if !f.delSp {
				out = " "
			}
		} else {
			out = f.end() + strings.Repeat(">", depth)
			if depth > 0 && text != "" {
				out += " "
			}
		}
		line, f.depth = rest, depth
	}
	text, ended := strings.CutSuffix(line, "\n")
	if f.open = ended && !more && !f.fixed && strings.HasSuffix(text, " "); f.open {
		return out + text[:len(text)-1]
	}
	return out + line
}

// end returns the end of the last line, if it has none.
func (f *flowed) end() string {
	if f != nil && f.open {
		f.open = false
		return "\n"
	}
	return ""
}

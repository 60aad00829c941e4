package locator

import (
	"iter"
	"strings"

	"locator/internal/octet"
)

// UnsafeOctets returns the encoded bytes of a URL that would end or split a command if they were sent decoded (RFC 1738 6): CR, LF
// and NUL, and blanks and TABs where they separate the fields of the protocol. It yields the name of the part, as in "name" or
// "selector", and the first such byte in it. It yields nothing for parts that are sent as they are written, such as the path
// of http, nor for a filled Gopher+ form ([Gopher.Form]), which its sender writes anew.
func UnsafeOctets(v View) iter.Seq2[string, byte] {
	return func(yield func(part string, octet byte) bool) {
		if v == nil {
			return
		}
		more := true
		v.commandParts(func(part, text, stops string) {
			if i := strings.IndexAny(text, stops); i >= 0 && more {
				more = yield(part, text[i])
			}
		})
	}
}

// MayBeUnsafe reports whether [UnsafeOctets] may yield anything for the view of u, or u may have a filled form ([Gopher.Form]). It
// decodes nothing.
func (u URL) MayBeUnsafe() bool {
	part := u.SchemePart()
	for i := range len(part) {
		c, escaped := octet.At(part, i)
		if !escaped {
			c = part[i] // only mailto, which has no host, has such a byte unescaped: the colon
		}
		if strings.IndexByte(delimiters, c) >= 0 && (escaped || !u.HasHost()) {
			return true
		}
	}
	return false
}

// delimiters are all bytes that a call of a lookFunc names.
const delimiters = lineEnds + "\t :"

// lookFunc is called with the name of a part, its decoded text, and the bytes that may not stand in a command.
type lookFunc func(part, text, stops string)

// lineEnds end a line in every protocol.
const lineEnds = "\r\n\x00"

func (l Login) commandParts(look lookFunc) {
	look("user", l.User.Or(""), lineEnds)
	look("password", l.Password.Or(""), lineEnds)
}

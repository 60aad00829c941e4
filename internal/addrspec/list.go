package addrspec

import (
	"errors"
	"strings"
)

// ParseList parses a list of mailboxes and groups, as in the field "To" (RFC 5322 3.4, 4.4), and
// returns their addresses. It skips names, comments, blanks, line ends, source routes, and empty
// members. The error says what is wrong, without the text.
func ParseList(s string) ([]Address, error) {
	r := reader{s: s}
	var list []Address
	for group := false; ; {
		a, end, err := r.member()
		if err != nil {
			return nil, err
		}
		if a != nil {
			list = append(list, *a)
		}
		switch end {
		case ':':
			if group {
				return nil, errors.New("a group contains another group")
			}
			group = true
		case ';':
			if !group {
				return nil, errors.New(`";" ends no group`)
			}
			group = false
		case 0:
			if group {
				return nil, errors.New(`a group does not end with ";"`)
			}
			return list, nil
		}
	}
}

// member reads up to the end of a mailbox, or to the colon after the name of a group. end is the
// byte that follows it: a comma, colon, semicolon, or 0 at the end of the list. The address is nil
// if there is none.
func (r *reader) member() (a *Address, end byte, err error) {
	var words strings.Builder
	isLocal, n := true, 0 // whether the words can be a local part, and their number
	dot := true           // a word may follow
	for {
		if err := r.blanks(); err != nil {
			return nil, 0, err
		}
		if r.i == len(r.s) {
			return r.ended(a, n, 0)
		}
		switch c := r.s[r.i]; {
		case c == ',' || c == ';' || c == ':' && a == nil && n > 0:
			r.i++
			if c == ':' {
				return nil, c, nil
			}
			return r.ended(a, n, c)
		case a != nil:
			return nil, 0, r.unexpected("the list")
		case c == '<':
			if a, err = r.angle(); err != nil {
				return nil, 0, err
			}
		case c == '@' && n > 0:
			if !isLocal || dot {
				return nil, 0, r.unexpected("the local part")
			}
			r.i++
			if a, err = r.afterAt(words.String()); err != nil {
				return nil, 0, err
			}
		case c == '.':
			r.i++
			words.WriteByte('.')
			isLocal, dot = isLocal && !dot, true
		default:
			if err := r.word(&words); err != nil {
				return nil, 0, err
			}
			isLocal, dot = isLocal && dot, false
			n++
		}
	}
}

// ended is the result of member at its end. n is the number of words.
func (r *reader) ended(a *Address, n int, end byte) (*Address, byte, error) {
	if a == nil && n > 0 {
		return nil, 0, errors.New("a member of the list has no @")
	}
	return a, end, nil
}

// angle reads an address in angle brackets, with the source route that RFC 5322 4.4 allows.
func (r *reader) angle() (*Address, error) {
	r.i++
	if err := r.blanks(); err != nil {
		return nil, err
	}
	if r.i < len(r.s) && r.s[r.i] == '@' {
		colon := strings.IndexByte(r.s[r.i:], ':')
		if colon < 0 {
			return nil, r.unexpected("the address")
		}
		r.i += colon + 1
	}
	var local strings.Builder
	for {
		if err := r.blanks(); err != nil {
			return nil, err
		}
		if err := r.word(&local); err != nil {
			return nil, err
		}
		if err := r.blanks(); err != nil {
			return nil, err
		}
		if !r.take('.') {
			break
		}
		local.WriteByte('.')
	}
	if !r.take('@') {
		return nil, r.unexpected("the local part")
	}
	a, err := r.afterAt(local.String())
	if err != nil {
		return nil, err
	}
	if err := r.blanks(); err != nil {
		return nil, err
	}
	if !r.take('>') {
		return nil, r.unexpected("the address")
	}
	return a, nil
}

// afterAt reads the domain of an address.
func (r *reader) afterAt(local string) (*Address, error) {
	if err := r.blanks(); err != nil {
		return nil, err
	}
	begin := r.i
	if err := r.domain(); err != nil {
		return nil, err
	}
	a, err := newAddress(local, r.s[begin:r.i])
	return &a, err
}

// blanks skips blanks, line ends and comments (RFC 5322 3.2.2).
func (r *reader) blanks() error {
	depth := 0
	for ; r.i < len(r.s); r.i++ {
		switch c := r.s[r.i]; {
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case c == '\\' && depth > 0 && r.i+1 < len(r.s):
			r.i++
		case depth == 0 && c != ' ' && c != '\t' && c != '\r' && c != '\n':
			return nil
		}
	}
	if depth > 0 {
		return errors.New("a comment is not closed")
	}
	return nil
}

// Package netrc reads the .netrc file of ftp clients: machine, default, login, password, account
// and macdef, with the quotes and comments that curl added.
package netrc

import (
	"errors"
	"fmt"
	"strings"
)

// Machine is one entry.
type Machine struct {
	Name                     string // in lower case; "" if Default is set
	Default                  bool
	Login, Password, Account string
}

var errQuote = errors.New("a quote is not closed")

// Parse parses the text of a .netrc file. An error names the line but never quotes it, since it may
// hold a password.
func Parse(text string) ([]Machine, error) {
	s := scanner{text: text, line: 1}
	var machines []Machine
	for {
		word, ok, err := s.next()
		if err != nil || !ok {
			return machines, err
		}
		switch word {
		case "machine":
			name, err := s.value("a machine")
			if err != nil {
				return nil, err
			}
			machines = append(machines, Machine{Name: strings.ToLower(name)})
		case "default":
			machines = append(machines, Machine{Default: true})
		case "macdef":
			s.skipMacro()
		case "login", "password", "account":
			line := s.line
			v, err := s.value("a " + word)
			if err != nil {
				return nil, err
			}
			if len(machines) == 0 {
				return nil, fmt.Errorf("line %d: %s before the first machine", line, word)
			}
			m := &machines[len(machines)-1]
			switch word {
			case "login":
				m.Login = v
			case "password":
				m.Password = v
			default:
				m.Account = v
			}
		default:
			return nil, fmt.Errorf("line %d: unknown keyword; a password with spaces needs quotes", s.line)
		}
	}
}

// Find returns the first entry for a host, or with named the first one for that host and user. The
// default entry matches every host. ok is false if there is no such entry.
func Find(machines []Machine, host, user string, named bool) (m Machine, ok bool) {
	host = strings.ToLower(host)
	for _, m := range machines {
		if (m.Default || m.Name == host) && (!named || m.Login == user) {
			return m, true
		}
	}
	return Machine{}, false
}

type scanner struct {
	text string
	line int
}

// next returns the next word, quoted or not. ok is false at the end of the text.
func (s *scanner) next() (word string, ok bool, err error) {
	for {
		s.blank()
		if !strings.HasPrefix(s.text, "#") {
			break
		}
		_, rest, _ := strings.Cut(s.text, "\n")
		s.text = rest
		s.line++
	}
	if s.text == "" {
		return "", false, nil
	}
	if s.text[0] == '"' {
		return s.quoted()
	}
	end := strings.IndexAny(s.text, " \t\r\n")
	if end < 0 {
		end = len(s.text)
	}
	word = s.text[:end]
	s.text = s.text[end:]
	return word, true, nil
}

func (s *scanner) blank() {
	for s.text != "" && strings.IndexByte(" \t\r\n", s.text[0]) >= 0 {
		if s.text[0] == '\n' {
			s.line++
		}
		s.text = s.text[1:]
	}
}

func (s *scanner) quoted() (string, bool, error) {
	var b strings.Builder
	for i := 1; i < len(s.text); i++ {
		switch c := s.text[i]; c {
		case '"':
			s.text = s.text[i+1:]
			return b.String(), true, nil
		case '\n':
			return "", false, fmt.Errorf("line %d: %w", s.line, errQuote)
		case '\\':
			i++
			if i == len(s.text) {
				return "", false, fmt.Errorf("line %d: %w", s.line, errQuote)
			}
			switch s.text[i] {
			case 'n':
				b.WriteByte('\n')
			case 'r':
				b.WriteByte('\r')
			case 't':
				b.WriteByte('\t')
			default:
				b.WriteByte(s.text[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", false, fmt.Errorf("line %d: %w", s.line, errQuote)
}

// value returns the word after a keyword. A "#" does not begin a comment there, since passwords
// contain it.
func (s *scanner) value(what string) (string, error) {
	s.blank()
	line := s.line
	if s.text != "" && s.text[0] == '#' {
		end := strings.IndexAny(s.text, " \t\r\n")
		if end < 0 {
			end = len(s.text)
		}
		v := s.text[:end]
		s.text = s.text[end:]
		return v, nil
	}
	v, ok, err := s.next()
	if err == nil && !ok {
		err = fmt.Errorf("line %d: the file ends where %s is expected", line, what)
	}
	return v, err
}

// skipMacro skips a macro, which ends at an empty line.
func (s *scanner) skipMacro() {
	for s.text != "" {
		line, rest, _ := strings.Cut(s.text, "\n")
		s.text = rest
		s.line++
		if strings.Trim(line, "\r") == "" {
			return
		}
	}
}

package wais

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"locator"
	"locator/scheme"
)

// defaultPort is the port of WAIS (RFC 1738 3.9).
const defaultPort = 210

// maxFields bounds the fields of a source, and maxDepth the parentheses in a value.
const (
	maxFields = 1000
	maxDepth  = 100
)

// Source is the description of a database, the content of a .src file: a list such as
//
//	(:source :version 3 :ip-name "host" :tcp-port 210 :database-name "db" :description "...")
type Source struct {
	Host        string // from :ip-name, else :ip-address; "" means the server that the source was read from
	Port        uint16 // 0 is not given
	Database    string
	Maintainer  string
	Description string
	// Fields are all fields, in order. The value of a string is its content, that of a list its
	// text.
	Fields []SourceField
}

// SourceField is a field of a Source.
type SourceField struct {
	Name  string // in lower case, without the colon
	Value string
	Text  bool // the value is a string
}

// SourceError is an error in a .src file.
type SourceError struct {
	Offset int // in bytes
	Msg    string
}

// Error returns the position and what is wrong.
func (e *SourceError) Error() string { return fmt.Sprintf("source: byte %d: %s", e.Offset, e.Msg) }

// ParseSource parses a .src file. Unknown fields are kept in Fields. The error is a *SourceError.
func ParseSource(text string) (Source, error) {
	var s Source
	p := &sourceParser{text: text}
	for f, err := range p.fields() {
		if err != nil {
			return Source{}, err
		}
		if len(s.Fields) == maxFields {
			return Source{}, p.fail("more than %d fields", maxFields)
		}
		s.Fields = append(s.Fields, f)
		switch f.Name {
		case "ip-name":
			s.Host = f.Value
		case "ip-address":
			if s.Host == "" {
				s.Host = f.Value
			}
		case "tcp-port":
			port, err := strconv.ParseUint(f.Value, 10, 16)
			if err != nil {
				return Source{}, p.fail("the port is not a number up to 65535")
			}
			s.Port = uint16(port)
		case "database-name":
			s.Database = f.Value
		case "maintainer":
			s.Maintainer = f.Value
		case "description":
			s.Description = strings.Trim(f.Value, "\r\n")
		}
	}
	return s, nil
}

// String returns the text of a .src file with the fields that are set. Fields is not used.
func (s Source) String() string {
	var b strings.Builder
	b.WriteString("(:source\n   :version  3\n")
	quoted := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "   :%s %s\n", name, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value)+`"`)
		}
	}
	quoted("ip-name", s.Host)
	if s.Port != 0 {
		fmt.Fprintf(&b, "   :tcp-port %d\n", s.Port)
	}
	quoted("database-name", s.Database)
	b.WriteString("   :cost 0.00\n   :cost-unit :free\n")
	quoted("maintainer", s.Maintainer)
	quoted("description", s.Description)
	b.WriteString(")\n")
	return b.String()
}

// URL returns the URL of the database. from is the server that the source was read from.
func (s Source) URL(from locator.Hostport) (locator.URL, error) {
	at := from
	if s.Host != "" {
		at = locator.Hostport{Host: s.Host}
		if strings.Contains(s.Host, ":") && !strings.HasPrefix(s.Host, "[") {
			at.Host = "[" + s.Host + "]"
		}
		if s.Port != 0 && s.Port != defaultPort {
			at.Port = strconv.Itoa(int(s.Port))
		}
	}
	// QUIRK: freeWAIS removes ".src" from the name of a database (52-db-with-src).
	return locator.Build(&locator.WAIS{Hostport: at, Kind: locator.WAISDatabase, Database: strings.TrimSuffix(s.Database, ".src")})
}

// attr returns the attributes of the database.
func (s Source) attr() scheme.Attr {
	var c charset
	attr := scheme.Attr{Admin: c.text(s.Maintainer), Abstract: c.Decode(s.Description)}
	for _, f := range s.Fields {
		attr.More = append(attr.More, scheme.Attribute{Name: f.Name, Value: c.text(f.Value)})
	}
	return attr
}

// sourceParser reads a .src file.
type sourceParser struct {
	text string
	i    int
}

func (p *sourceParser) fail(format string, args ...any) error {
	return &SourceError{p.i, fmt.Sprintf(format, args...)}
}

// blanks skips white space, and reports whether there is more.
func (p *sourceParser) blanks() bool {
	for p.i < len(p.text) && strings.IndexByte(" \t\r\n\f", p.text[p.i]) >= 0 {
		p.i++
	}
	return p.i < len(p.text)
}

// fields yields the fields of the first list whose first word is ":source". What follows the list
// is ignored.
func (p *sourceParser) fields() iter.Seq2[SourceField, error] {
	return func(yield func(SourceField, error) bool) {
		if !p.blanks() || p.text[p.i] != '(' {
			yield(SourceField{}, p.fail("expected \"(\""))
			return
		}
		p.i++
		if p.blanks(); !strings.EqualFold(p.word(), ":source") {
			yield(SourceField{}, p.fail("expected \":source\""))
			return
		}
		for {
			if !p.blanks() {
				yield(SourceField{}, p.fail("the list is not closed"))
				return
			}
			if p.text[p.i] == ')' {
				p.i++
				return
			}
			name, ok := strings.CutPrefix(p.word(), ":")
			if !ok || name == "" {
				yield(SourceField{}, p.fail("expected the name of a field, which begins with \":\""))
				return
			}
			f := SourceField{Name: strings.ToLower(name)}
			var err error
			if f.Value, f.Text, err = p.value(); !yield(f, err) || err != nil {
				return
			}
		}
	}
}

// word returns the characters up to the next delimiter.
func (p *sourceParser) word() string {
	begin := p.i
	for p.i < len(p.text) && strings.IndexByte(" \t\r\n\f()\"", p.text[p.i]) < 0 {
		p.i++
	}
	return p.text[begin:p.i]
}

// value returns the value of a field.
func (p *sourceParser) value() (value string, text bool, err error) {
	if !p.blanks() {
		return "", false, p.fail("expected a value")
	}
	switch c := p.text[p.i]; {
	case c == '"':
		value, err = p.quoted()
		return value, true, err
	case c == '(', c == '#' && strings.HasPrefix(p.text[p.i:], "#("):
		value, err = p.list()
		return value, false, err
	case c == ')':
		return "", false, p.fail("expected a value")
	}
	return p.word(), false, nil
}

// quoted returns the content of a string, in which a backslash escapes any character.
func (p *sourceParser) quoted() (string, error) {
	var b strings.Builder
	for p.i++; p.i < len(p.text); p.i++ {
		switch c := p.text[p.i]; c {
		case '"':
			p.i++
			return b.String(), nil
		case '\\':
			if p.i++; p.i == len(p.text) {
				return "", p.fail("the string is not closed")
			}
		}
		b.WriteByte(p.text[p.i])
	}
	return "", p.fail("the string is not closed")
}

// list returns the text of a list, with its parentheses.
func (p *sourceParser) list() (string, error) {
	begin, depth := p.i, 0
	for p.i < len(p.text) {
		switch p.text[p.i] {
		case '"':
			if _, err := p.quoted(); err != nil {
				return "", err
			}
			continue
		case '(':
			if depth++; depth > maxDepth {
				return "", p.fail("more than %d parentheses within each other", maxDepth)
			}
		case ')':
			if depth--; depth == 0 {
				p.i++
				return p.text[begin:p.i], nil
			}
		}
		p.i++
	}
	return "", p.fail("the list is not closed")
}

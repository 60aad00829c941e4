package gophertest

import (
	"fmt"
	"strings"
)

// Behavior describes how a server behaves: how it encodes texts, how it reports a missing item, how
// much of Gopher+ it supports. The numbers in comments are those of
// internal/capture/testdata/gopher.
type Behavior struct {
	name    string
	admin   string
	plus    bool // supports Gopher+
	oneTab  bool // an empty search field is an error if the item is not a search (umn-2.3.0, 46)
	typed   bool // selectors begin with the type
	crlf    bool // line ends become CR LF
	stuff   stuffing
	marks   bool   // a text ends in an end mark
	menuEnd bool   // a menu ends in an end mark
	counted bool   // Gopher+ texts have a length, else an end mark
	extra   bool   // an end mark follows a text with a length (umn-3.0.5, 08)
	toClose bool   // menus, attributes and errors of Gopher+ end with the connection (pygopherd, 02)
	bare    bool   // a request for attributes by name is a plain request (pygopherd, 08)
	exact   bool   // views have a size in bytes
	rough   bool   // else the size is in kilobytes without a zero before the point (umn-2.3.0, 09)
	all     bool   // a request for some attributes returns all (umn-2.3.0, 10)
	speaks  string // language of views without one
	missing func(selector string, text bool) string
	absent  string // the text of a Gopher+ error; %s is the selector
	noInfo  string // the same for a request for attributes
}

// stuffing is a rule for which dots a server doubles.
type stuffing uint8

const (
	stuffAll  stuffing = iota // every leading dot (RFC 1436 3.2)
	stuffLone                 // only a line that is a single dot
	stuffNone
)

// String returns the name of the server.
func (m Behavior) String() string { return m.name }

// Strict returns the behaviour of the specifications: RFC 1436 3.2 for plain requests, lengths for
// those of Gopher+.
func Strict() Behavior {
	return Behavior{
		name: "strict", admin: "Keeper <keeper@host.invalid>", plus: true, crlf: true, marks: true, menuEnd: true, counted: true, exact: true,
		missing: func(selector string, _ bool) string {
			return fmt.Sprintf("3'%s' is not here\t\terror.host\t1\r\n.\r\n", selector)
		},
		absent: "'%s' is not here", noInfo: "'%s' is not here",
	}
}

// Plain returns Strict without Gopher+.
func Plain() Behavior {
	m := Strict()
	m.name, m.plus = "plain", false
	return m
}

// UMN2 returns the behaviour of UMN gopherd 2.3.0.
func UMN2() Behavior {
	return Behavior{
		name: "UMN gopherd 2.3.0", admin: "Test Administrator <gopher@localhost>", plus: true, oneTab: true, typed: true,
		crlf: true, stuff: stuffLone, marks: true, menuEnd: true, rough: true, all: true, speaks: "En_US",
		missing: func(selector string, _ bool) string {
			return fmt.Sprintf("0'%s' does not exist!!\t\terror.host\t1\r\n.\r\n", untyped(selector))
		},
		absent: "'%s' does not exist!!", noInfo: "Cannot find item information for that item",
	}
}

// UMN3 returns the behaviour of UMN gopherd 3.0.5.
func UMN3() Behavior {
	m := UMN2()
	m.name, m.crlf, m.stuff, m.counted, m.extra = "UMN gopherd 3.0.5", false, stuffNone, true, true
	return m
}

// Pygopherd returns the behaviour of pygopherd 3.0.
func Pygopherd() Behavior {
	return Behavior{
		name: "pygopherd 3.0", admin: "Unconfigured Pygopherd Admin <pygopherd@nowhere.nowhere>", plus: true, stuff: stuffNone,
		counted: true, toClose: true, bare: true,
		missing: func(selector string, _ bool) string {
			return fmt.Sprintf("3'%s' does not exist (no handler found)\t\terror.host\t1\r\n", selector)
		},
		absent: "'%s' does not exist (no handler found)", noInfo: "'%s' does not exist (no handler found)",
	}
}

// Gophernicus returns the behaviour of gophernicus 3.1.1.
func Gophernicus() Behavior {
	const (
		line   = "___________________________________________________________________"
		footer = "                 Gophered by Gophernicus/3.1.1 on Debian/12 x86_64"
		sorry  = "Error: File or directory not found! (null)"
	)
	return Behavior{
		name: "gophernicus 3.1.1", crlf: true, stuff: stuffNone, menuEnd: true,
		missing: func(_ string, text bool) string {
			if text {
				return sorry + "\r\n" + line + "\r\n" + footer + "\r\n"
			}
			return "3" + sorry + "\tTITLE\tnull.host\t1\r\ni" + line + "\t\tnull.host\t1\r\ni" + footer + "\t\tnull.host\t1\r\n.\r\n"
		},
	}
}

// AllBehaviors returns the behavior of all captured servers.
func AllBehaviors() []Behavior {
	return []Behavior{Strict(), Plain(), UMN2(), UMN3(), Pygopherd(), Gophernicus()}
}

// untyped returns a selector without the type before it.
func untyped(selector string) string {
	if len(selector) > 1 && selector[1] == '/' && selector[0] != '/' {
		return selector[1:]
	}
	return selector
}

// text encodes a file for a plain reply.
func (m Behavior) text(content string) string {
	var b strings.Builder
	for line := range strings.Lines(content) {
		bare := strings.TrimSuffix(line, "\n")
		if m.stuff == stuffAll && strings.HasPrefix(bare, ".") || m.stuff == stuffLone && bare == "." {
			b.WriteByte('.')
		}
		b.WriteString(bare)
		switch {
		case m.crlf:
			b.WriteString("\r\n")
		case len(bare) < len(line):
			b.WriteByte('\n')
		case m.marks:
			b.WriteByte('\n') // the end mark needs a line of its own
		}
	}
	if m.marks {
		b.WriteString(".\r\n")
	}
	return b.String()
}

// closed returns a menu or attributes with their end.
func (m Behavior) closed(text string) string {
	if m.menuEnd {
		text += ".\r\n"
	}
	return text
}

// plusText returns a menu, attributes or an error with a Gopher+ header.
func (m Behavior) plusText(sign, text string) string {
	if m.toClose {
		return sign + "-2\r\n" + text
	}
	return sign + "-1\r\n" + text + ".\r\n"
}

// plusError returns a Gopher+ error.
func (m Behavior) plusError(code int, text string) string {
	return m.plusText("-", fmt.Sprintf("%d %s\r\n%s\r\n", code, m.admin, text))
}

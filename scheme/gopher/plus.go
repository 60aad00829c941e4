package gopher

import (
	"strconv"
	"strings"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// command is the Gopher+ string of a URL (RFC 1738 3.4.4 to 3.4.9).
type command struct {
	verb  byte   // '+', '!', '$', '?' or a byte of an unknown command; 0 means no command
	arg   string // the rest: a view and its language, or attribute names
	block *block // the data of a filled form
}

func (c command) set() bool { return c.verb != 0 }

// parseCommand parses the Gopher+ string of v. Only a filled form (3.4.9) may have delimiters
// (RFC 1738 section 6). It is parsed to the end, and what is sent is written anew from the parts.
func parseCommand(v *locator.Gopher) (command, error) {
	s := v.Plus.Or("")
	if s == "" {
		return command{}, nil
	}
	if strings.ContainsAny(s, "\r\n\t\x00") {
		f, ok := v.Form()
		if !ok {
			return command{}, scheme.Fail(scheme.CodeRefused, "the Gopher+ string has CR, LF, TAB or NUL and is not a filled form; it is never sent")
		}
		return command{verb: '+', arg: f.View, block: &block{counted: f.Counted, answers: f.Answers}}, nil
	}
	c := command{verb: s[0], arg: s[1:]}
	if c.verb == '!' || c.verb == '$' {
		c.arg = joinAttributes(c.arg)
	}
	return c, nil
}

// joinAttributes removes the blanks between attribute names.
//
// QUIRK: RFC 1738 3.4.7 separates them by a blank and the Gopher+ document does not. UMN gopherd
// understands only the latter: of "+VIEWS +ABSTRACT" it ignores the first (umn-2.3.0, 04, 05 and
// 52).
func joinAttributes(names string) string {
	var b strings.Builder
	for len(names) > 0 {
		rest := strings.TrimLeft(names, " ")
		if len(rest) < len(names) && (rest == "" || rest[0] == '+') {
			names = rest
			continue
		}
		b.WriteByte(names[0])
		names = names[1:]
	}
	return b.String()
}

// withData is the data flag of a request that a data block follows (the Gopher+ document 2.8).
const withData = "1"

// fields returns the fields of the command in the request line.
func (c command) fields() []string {
	f := []string{string([]byte{c.verb}) + c.arg}
	if c.block != nil {
		f = append(f, withData)
	}
	return f
}

// text returns the command as a URL has it, before escaping.
func (c command) text() string {
	s := strings.Join(c.fields(), "\t")
	if c.block != nil {
		s += "\r\n" + c.block.text()
	}
	return s
}

// block is the data of a filled form. Each line is an answer or a part of one.
type block struct {
	counted bool // begins with "+N"; else with "+-1", and ends with an end mark
	answers []string
	secret  []bool // answers that a trace must not show; may be shorter than answers
	file    []byte // bytes that follow the answers; only in a counted block
}

// endMark ends a text (RFC 1436 3.2).
const endMark = "."

// needsCount reports whether the block cannot be sent with an end mark. Dots at the begin of lines
// are not doubled: UMN gopherd passes ".." to the form unchanged (umn-2.3.0, 51).
func (b *block) needsCount() bool {
	for _, a := range b.answers {
		if a == endMark {
			return true
		}
	}
	return b.file != nil
}

// size returns the count of a counted block: all answers with their line ends, and the file.
func (b *block) size() int {
	n := len(b.file)
	for _, a := range b.answers {
		n += len(a) + 2
	}
	return n
}

// raw returns the lines of the block, without the file.
func (b *block) raw() []string {
	if b.counted {
		return append([]string{"+" + strconv.Itoa(b.size())}, b.answers...)
	}
	return append(append([]string{"+-1"}, b.answers...), endMark)
}

// lines returns the block as it is sent, without the file.
func (b *block) lines() ([]wire.Line, error) {
	var lines []wire.Line
	for i, text := range b.raw() {
		// An answer may have TABs, which delimit nothing here.
		line, err := wire.Fields([]string{"answer"}, strings.Split(text, "\t")...)
		if err != nil {
			return nil, err
		}
		if answer := i - 1; answer >= 0 && answer < len(b.secret) && b.secret[answer] {
			line = line.Masked("****")
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// text returns the block as a URL has it, before escaping.
func (b *block) text() string { return strings.Join(b.raw(), "\r\n") + "\r\n" }

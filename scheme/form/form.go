// Package form describes forms to be filled in, and their answers: a search, a Gopher+ ASK form.
package form

import (
	"io"
	"strings"
)

// Form is a form to be filled in. It holds no connection. A query is a form with one field. Use
// Client.Submit to send the answers.
type Form struct {
	// Fields are the fields of the form, in order.
	Fields []Field
	// State is private to the scheme that created the form. It lets the scheme send the answers
	// without requesting the form again.
	State any
}

// Field is a field of a form.
type Field struct {
	Name    string // the prompt
	Kind    Kind
	Default string
	Options []string // of a Choice
}

// Kind is the kind of input of a field.
type Kind uint8

// The kinds of field.
const (
	Text   Kind = iota // one line
	Secret             // one line that must not be shown, logged or put into a URL
	Lines              // many lines
	Choice             // one of Options
	Switch             // "1" or "0"
	File               // the contents of a file
	Note               // text for the user; it has no answer
)

// Answer is the answer to the field Name.
type Answer struct {
	Name  string
	Value string
	File  io.Reader // for a File
}

// SameName reports whether the name of an answer matches a field. It ignores case, surrounding
// blanks and the final colon of a prompt.
func SameName(field, answer string) bool {
	tidy := func(s string) string {
		return strings.ToLower(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(s), ":")))
	}
	return tidy(field) == tidy(answer)
}

package scheme

import (
	"io"
	"strings"
)

// Form is a form to be filled in. It holds no connection. A query is a form with one field. Use Client.Submit to send the
// answers.
type Form struct {
	// Fields are the fields of the form, in order.
	Fields []Field
	// State is private to the scheme that created the form. It lets the scheme send the answers without requesting the form
	// again.
	State any
}

// Field is a field of a form.
type Field struct {
	Name    string // the prompt
	Kind    FieldKind
	Default string
	Options []string // of a FieldChoice
}

// FieldKind is the kind of input of a field.
type FieldKind uint8

// The kinds of field.
const (
	FieldText   FieldKind = iota // one line
	FieldSecret                  // one line that must not be shown, logged or put into a URL
	FieldLines                   // many lines
	FieldChoice                  // one of Options
	FieldSwitch                  // "1" or "0"
	FieldFile                    // the contents of a file
	FieldNote                    // text for the user; it has no answer
)

// Answer is the answer to the field Name.
type Answer struct {
	Name  string
	Value string
	File  io.Reader // for FieldFile
}

// SameField reports whether the name of an answer matches a field. It ignores case, surrounding blanks and the final colon
// of a prompt.
func SameField(field, answer string) bool {
	tidy := func(s string) string {
		return strings.ToLower(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(s), ":")))
	}
	return tidy(field) == tidy(answer)
}

package scheme

import (
	"io"
	"strings"
)

// Form is a form that waits for answers. It is data: it holds no connection. A Query is a form of one field. Send the
// answers by Client.Submit.
type Form struct {
	// Fields are the questions, in the order in which a person answers them.
	Fields []Field
	// State belongs to the scheme that made the form: what it needs to send the answers without asking again.
	State any
}

// Field is one question of a form.
type Field struct {
	Name    string // the prompt
	Kind    FieldKind
	Default string
	Options []string // of a FieldChoice
}

// FieldKind says how a field is asked.
type FieldKind uint8

// The kinds of field.
const (
	FieldText   FieldKind = iota // one line
	FieldSecret                  // one line that is never shown, logged or put into a URL
	FieldLines                   // many lines
	FieldChoice                  // one of Options
	FieldSwitch                  // "1" or "0"
	FieldFile                    // the contents of a file
	FieldNote                    // text to read; it takes no answer
)

// Answer is the answer to the field of that name.
type Answer struct {
	Name  string
	Value string
	File  io.Reader // for FieldFile
}

// SameField reports whether an answer is for a field. Case, surrounding blanks and the final colon of a prompt do not
// count.
func SameField(field, answer string) bool {
	tidy := func(s string) string {
		return strings.ToLower(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(s), ":")))
	}
	return tidy(field) == tidy(answer)
}

package schemetest

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"locator/scheme"
)

// journal records every text that a user may see: traced lines, errors, printed results.
type journal struct {
	mu     sync.Mutex
	trail  []string // traced lines
	texts  []string // errors
	prints []string // results printed with fmt
}

func (j *journal) trace() *scheme.Trace {
	add := func(kind string) func(string) {
		return func(line string) {
			j.mu.Lock()
			defer j.mu.Unlock()
			j.trail = append(j.trail, kind+line)
		}
	}
	connected := add("connected ")
	return &scheme.Trace{
		Connected: func(c scheme.Connection) { connected(c.Dial.Addr + " " + c.Remote) },
		Sent:      add("> "),
		Received:  add("< "),
		Note:      add("note "),
	}
}

// note records an error, if it is not nil.
func (j *journal) note(err error) {
	if err == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.texts = append(j.texts, err.Error())
}

// print records v as printed by each verb of fmt.
func (j *journal) print(v any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		j.prints = append(j.prints, fmt.Sprintf(verb, v))
	}
}

// sent returns the traced lines that were sent so far.
func (j *journal) sent() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	var lines []string
	for _, line := range j.trail {
		if text, ok := strings.CutPrefix(line, "> "); ok {
			lines = append(lines, text)
		}
	}
	return lines
}

// holding returns the distinct texts that contain a secret, plain or as encoded in HTTP.
func (j *journal) holding(user, secret string) []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	forms := []string{
		secret,
		base64.StdEncoding.EncodeToString([]byte(user + ":" + secret)),
		base64.StdEncoding.EncodeToString([]byte(secret)),
	}
	var found []string
	for _, text := range slices.Concat(j.trail, j.texts, j.prints) {
		holds := slices.ContainsFunc(forms, func(form string) bool { return strings.Contains(text, form) })
		if holds && !slices.Contains(found, text) {
			found = append(found, text)
		}
	}
	return found
}

// unsafe returns a message for each text that contains control characters.
func (j *journal) unsafe() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	var found []string
	for _, line := range j.trail {
		if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' }) || !utf8.ValidString(line) {
			found = append(found, fmt.Sprintf("the traced line %q is not escaped", line))
		}
	}
	for _, text := range j.texts {
		if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r >= 0x7F && r < 0xA0 }) || !utf8.ValidString(text) {
			found = append(found, fmt.Sprintf("the text %q is not escaped", text))
		}
	}
	return found
}

// Package lineedit edits what is typed at a terminal in raw mode, and is sent to a server in lines
// or as it is typed, as the server wants.
package lineedit

import (
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"locator/scheme/session"
)

// Editor edits a line. The zero value is an empty line.
type Editor struct {
	line []byte
}

// Event is what a key means.
type Event uint8

// The events.
const (
	Edited      Event = iota
	Done              // Return: the line is complete
	Interrupted       // ^C
	Sent              // ^D or ^Z: the line and the key are to be sent
)

// maxLine is the longest line, in bytes.
const maxLine = 4 << 10

// Input handles what was typed in a session of the given mode. It calls echo with what the terminal
// must show, send with text for the server, and interrupt for a ^C that the server gets as a
// signal.
func (e *Editor) Input(b []byte, mode session.Mode, echo func(string), send func(text []byte), interrupt func()) {
	if mode.RemoteEcho {
		echo = func(string) {}
	}
	if !mode.LineMode {
		if text := append(e.Take(), b...); len(text) > 0 {
			echo(Shown(b))
			send(text)
		}
		return
	}
	for _, k := range b {
		switch e.Edit(k, echo) {
		case Done:
			send(append(e.Take(), '\n'))
		case Interrupted:
			e.Take()
			interrupt()
		case Sent:
			send(append(e.Take(), k))
		}
	}
}

// Edit handles a byte. echo is called with what the terminal must show.
func (e *Editor) Edit(k byte, echo func(string)) Event {
	switch k {
	case '\r', '\n':
		echo("\r\n")
		return Done
	case 0x03:
		echo("^C\r\n")
		return Interrupted
	case 0x04, 0x1A:
		return Sent
	case '\b', 0x7F:
		e.erase(1, echo)
	case 0x15: // ^U
		e.erase(len(e.line), echo)
	case 0x17: // ^W
		text := strings.TrimRight(string(e.line), " ")
		e.erase(utf8.RuneCount(e.line)-utf8.RuneCountInString(text[:strings.LastIndexByte(text, ' ')+1]), echo)
	default:
		if len(e.line) >= maxLine {
			echo("\a")
			return Edited
		}
		if e.line = append(e.line, k); k < utf8.RuneSelf {
			echo(Shown([]byte{k}))
		} else if start := lastRune(e.line); utf8.Valid(e.line[start:]) {
			echo(string(e.line[start:]))
		}
	}
	return Edited
}

// lastRune returns the offset of the last character, which may be incomplete.
func lastRune(b []byte) int {
	i := len(b) - 1
	for i > 0 && !utf8.RuneStart(b[i]) {
		i--
	}
	return i
}

// erase removes the last n characters.
func (e *Editor) erase(n int, echo func(string)) {
	for ; n > 0 && len(e.line) > 0; n-- {
		start := lastRune(e.line)
		r, _ := utf8.DecodeRune(e.line[start:])
		width := runewidth.RuneWidth(r)
		if r < ' ' || r == 0x7F {
			width = 2
		}
		e.line = e.line[:start]
		echo(strings.Repeat("\b \b", width))
	}
}

// Take returns the line, and begins a new one.
func (e *Editor) Take() []byte {
	line := e.line
	e.line = nil
	return line
}

// Shown returns what a terminal shows of what was typed: control characters as ^X, and Return
// as a new line.
func Shown(b []byte) string {
	var s strings.Builder
	for _, r := range string(b) {
		switch {
		case r == '\r' || r == '\n':
			s.WriteString("\r\n")
		case r == '\b' || r == 0x7F:
			s.WriteString("\b \b")
		case r < ' ':
			s.WriteString("^" + string(r+'@'))
		case r >= 0xA0 && r != utf8.RuneError || r < 0x7F:
			s.WriteRune(r)
		}
	}
	return s.String()
}

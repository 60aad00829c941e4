package console

import (
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// lineEditor edits a line that is typed at a terminal in raw mode. The zero value is an empty line.
type lineEditor struct {
	line []byte
}

// lineEvent is what a key means.
type lineEvent uint8

const (
	lineEdited      lineEvent = iota
	lineDone                  // Return: the line is complete
	lineInterrupted           // ^C
	lineSent                  // ^D or ^Z: the line and the key are to be sent
)

// maxInputLine is the longest line, in bytes.
const maxInputLine = 4 << 10

// edit handles a byte. echo is called with what the terminal must show.
func (e *lineEditor) edit(k byte, echo func(string)) lineEvent {
	switch k {
	case '\r', '\n':
		echo("\r\n")
		return lineDone
	case 0x03:
		echo("^C\r\n")
		return lineInterrupted
	case 0x04, 0x1A:
		return lineSent
	case '\b', 0x7F:
		e.erase(1, echo)
	case 0x15: // ^U
		e.erase(len(e.line), echo)
	case 0x17: // ^W
		text := strings.TrimRight(string(e.line), " ")
		e.erase(utf8.RuneCount(e.line)-utf8.RuneCountInString(text[:strings.LastIndexByte(text, ' ')+1]), echo)
	default:
		if len(e.line) >= maxInputLine {
			echo("\a")
			return lineEdited
		}
		if e.line = append(e.line, k); k < utf8.RuneSelf {
			echo(shownInput([]byte{k}))
		} else if start := lastRune(e.line); utf8.Valid(e.line[start:]) {
			echo(string(e.line[start:]))
		}
	}
	return lineEdited
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
func (e *lineEditor) erase(n int, echo func(string)) {
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

// take returns the line, and begins a new one.
func (e *lineEditor) take() []byte {
	line := e.line
	e.line = nil
	return line
}

// shownInput returns what a terminal shows of what was typed: control characters as ^X, and Return
// as a new line.
func shownInput(b []byte) string {
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

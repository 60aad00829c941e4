package screen

import (
	"bytes"
	"slices"
	"strings"
)

// plainFinals are the final bytes of control sequences without a prefix that move the cursor,
// erase, insert, delete, scroll, set colours, or save and restore the cursor. Missing are, among
// others: c, n and x, which the terminal answers; t, window manipulation; i, the printer; p, which
// redefines keys or resets; q, the LEDs; g, tab stops, which no sequence restores on every
// terminal.
const plainFinals = "@ABCDEFGHIJKLMPSTXZ`abdefmrsu"

// allowEscape reports whether the terminal may get ESC and this sequence: cursor movement, the sets
// of ASCII and line drawing, and the keypad. ESC Z is answered, ESC c resets the terminal, ESC H
// sets a tab stop, ESC % and ESC SP change its character set.
func (f *Filter) allowEscape(seq []byte) bool {
	switch {
	case len(seq) == 1 && strings.IndexByte("78DEM", seq[0]) >= 0:
		return true
	case len(seq) == 1 && (seq[0] == '=' || seq[0] == '>'):
		f.used.keypad = seq[0] == '='
		return true
	case len(seq) == 2 && strings.IndexByte("()*+", seq[0]) >= 0 && strings.IndexByte("0AB", seq[1]) >= 0:
		f.used.sets = true
		return true
	case len(seq) == 2 && seq[0] == '#' && strings.IndexByte("34568", seq[1]) >= 0: // double size, and the screen alignment test
		return true
	}
	return false
}

// allowControl reports whether the terminal may get CSI and this sequence.
func (f *Filter) allowControl(seq []byte) bool {
	final, params := seq[len(seq)-1], seq[:len(seq)-1]
	private := len(params) > 0 && params[0] == '?'
	if private {
		params = params[1:]
	}
	styled := len(params) > 0 && params[len(params)-1] == ' ' && final == 'q' // the shape of the cursor
	if styled {
		params = params[:len(params)-1]
	}
	numbers, ok := split(params)
	switch {
	case !ok:
		return false
	case styled:
		f.used.style = !private
		return !private
	case final == 'J' && slices.ContainsFunc(numbers, isThree): // it erases the lines that were scrolled out, and so hides what was there before
		return false
	case final == 'h' || final == 'l':
		return f.allowModes(numbers, private, final == 'h')
	case private:
		return final == 'J' || final == 'K' // selective erasing
	case strings.IndexByte(plainFinals, final) < 0, final == 'T' && len(numbers) > 1: // with five numbers it tracks the mouse
		return false
	}
	f.used.colours = f.used.colours || final == 'm'
	f.used.margins = f.used.margins || final == 'r' || final == 's' && len(numbers) > 1
	return true
}

// isThree reports whether a parameter is 3.
func isThree(number string) bool { return strings.TrimLeft(number, "0") == "3" }

// modes are the modes that may be set and reset, with what they are at the start. Missing are those
// that change what keys or the mouse send, but for those of cursor keys; that lock the keyboard;
// and that resize the window.
func modes(private bool) map[string]bool {
	if !private {
		return map[string]bool{"4": false} // insert
	}
	return map[string]bool{
		"1":  false,                                              // cursor keys of applications
		"5":  false,                                              // reverse video
		"6":  false,                                              // origin
		"7":  true,                                               // wrap at the margin
		"12": false,                                              // blinking cursor
		"25": true,                                               // the cursor is visible
		"47": false, "1047": false, "1048": false, "1049": false, // the other screen
	}
}

// allowModes reports whether all modes of a sequence may be set or reset, and notes those that are
// not as at the start.
func (f *Filter) allowModes(numbers []string, private, on bool) bool {
	known := modes(private)
	for _, n := range numbers {
		if _, ok := known[n]; !ok {
			return false
		}
	}
	for _, n := range numbers {
		m := mode{n, private}
		f.used.modes = slices.DeleteFunc(f.used.modes, func(x mode) bool { return x == m })
		if on != known[n] {
			f.used.modes = append(f.used.modes, m)
		}
	}
	return len(numbers) > 0
}

// split returns the parameters of a control sequence: numbers of at most four digits, with their
// subparameters. ok is false for anything else.
func split(params []byte) (numbers []string, ok bool) {
	if len(params) == 0 {
		return nil, true
	}
	numbers = strings.Split(strings.ReplaceAll(string(params), ":", ";"), ";")
	if slices.ContainsFunc(numbers, func(n string) bool { return len(n) > 4 }) {
		return nil, false
	}
	return numbers, len(bytes.Trim(params, "0123456789;:")) == 0
}

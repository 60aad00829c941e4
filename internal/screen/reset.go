package screen

// used is what has passed that outlives the session.
type used struct {
	shifted, sets, keypad, colours, margins, style bool
	modes                                          []mode // that are not as at the start
}

// mode is a mode of the terminal.
type mode struct {
	number  string
	private bool
}

// Reset returns the sequences that undo what has passed and still holds: modes, colours, margins,
// character sets. It is empty if there is nothing to undo. The filter is as new then.
func (f *Filter) Reset() []byte {
	var b []byte
	for _, m := range f.used.modes {
		b = append(b, esc, '[')
		if m.private {
			b = append(b, '?')
		}
		on := modes(m.private)[m.number]
		b = append(b, m.number...)
		b = append(b, map[bool]byte{true: 'h', false: 'l'}[on])
	}
	if f.used.margins {
		b = append(b, "\x1b7\x1b[r\x1b8"...) // without margins the cursor is in the corner
	}
	for _, x := range []struct {
		used bool
		undo string
	}{{f.used.keypad, "\x1b>"}, {f.used.sets, "\x1b(B\x1b)B"}, {f.used.shifted || f.used.sets, "\x0f"}, {f.used.style, "\x1b[0 q"}, {f.used.colours, "\x1b[m"}} {
		if x.used {
			b = append(b, x.undo...)
		}
	}
	*f = Filter{ASCII: f.ASCII}
	return b
}

package format

// flowed joins the lines of text that is format=flowed (RFC 3676), and leaves out the quote marks.
type flowed struct {
	to        sink
	delSp     bool // the blank before a soft line break is not part of the text
	depth     int  // of the quotation on this line
	softDepth int  // of the line that the last soft line break ended; negative after another line end
	state     flowedState
	begin     []byte // of the line, up to 4 bytes
	held      held   // a blank and CRs that may end the line
}

// maxHeldEnd bounds the blank and the CRs that may turn out to be the end of a line.
const maxHeldEnd = 1 << 10

type flowedState uint8

const (
	flowedQuote flowedState = iota // at the beginning of a line: quote marks
	flowedStuff                    // a blank that may follow them
	flowedText
)

func newFlowed(to sink, delSp bool) *flowed { return &flowed{to: to, delSp: delSp, softDepth: -1} }

func (f *flowed) write(text []byte, at, end int64) {
	from := 0
	pass := func(k int) {
		if from < k {
			a, e := part(len(text), at, end, from, k)
			f.to.write(text[from:k], a, e)
		}
		from = k
	}
	for i, c := range text {
		if f.state == flowedQuote && c == '>' {
			f.depth++
			from = i + 1
			continue
		}
		if f.state == flowedQuote {
			f.state = flowedStuff
			if a, _ := part(len(text), at, end, i, i); f.softDepth >= 0 && f.softDepth != f.depth { // the paragraph ends all the same
				f.to.write([]byte{'\n'}, a, a)
			}
		}
		if f.state == flowedStuff {
			f.state, f.begin = flowedText, f.begin[:0]
			if c == ' ' {
				from = i + 1
				continue
			}
		}
		switch c {
		case ' ', '\r':
			pass(i)
			if c == ' ' || len(f.held.text) >= maxHeldEnd {
				f.held.release(f.to)
			}
			a, _ := part(len(text), at, end, i, i)
			f.held.add(a, c)
			from = i + 1
		case '\n':
			pass(i)
			from = i + 1
			a, e := part(len(text), at, end, i, i+1)
			f.lineEnd(a, e)
			continue
		default:
			if len(f.held.text) > 0 {
				pass(i)
				f.held.release(f.to)
				from = i
			}
		}
		if c != '\r' && len(f.begin) < 4 {
			f.begin = append(f.begin, c)
		}
	}
	pass(len(text))
}

// lineEnd reads a line end.
func (f *flowed) lineEnd(at, end int64) {
	soft := len(f.held.text) > 0 && f.held.text[0] == ' ' && string(f.begin) != "-- " // the line before a signature
	if soft {
		if !f.delSp {
			f.to.write(f.held.text[:1], f.held.at, f.held.at+1)
			f.to.write([]byte{'\n'}, at, end) // a URL in angle brackets may go on after a line break, and not after a blank
		}
		f.held.drop()
		f.softDepth = f.depth
	} else {
		f.held.release(f.to)
		f.to.write([]byte{'\n'}, at, end)
		f.softDepth = -1
	}
	f.state, f.depth = flowedQuote, 0
}

func (f *flowed) close() {
	f.held.release(f.to)
	f.to.close()
}

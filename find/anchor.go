package find

// anchor is a byte or word that every form of a URL contains.
type anchor uint8

const (
	colon anchor = iota // ":", after the scheme
	at                  // "@", in a mail address
	www                 // "ww.", in "www."; its "w" may be in either case
	wwwUpper
	anchorCount
)

// anchors finds the anchors of a text in their order.
type anchors[T source] struct {
	*search[T]
	options bool // not only colons
	wanted  [anchorCount]bool
	next    [anchorCount]int // the next anchor of each kind, if it is not before the place where the search begins
}

func newAnchors[T source](f *Finder, s *search[T]) anchors[T] {
	return anchors[T]{search: s, options: f.Mail || f.Web, wanted: [...]bool{true, f.Mail, f.Web, f.Web}}
}

// find returns the first anchor in text from offset i on, and its offset. Without one, the offset
// is the length of text.
func (a *anchors[T]) find(text T, i int) (anchor, int) {
	if !a.options {
		return colon, a.colon(text, i)
	}
	best := colon
	for kind := range anchorCount {
		switch {
		case a.next[kind] >= i && a.next[kind] > 0: // known
		case !a.wanted[kind]:
			a.next[kind] = len(text)
		case kind == colon:
			a.next[kind] = a.colon(text, i)
		default:
			a.next[kind] = len(text)
			if n := a.index(text[i:], a.words[kind]); n >= 0 {
				a.next[kind] = i + n
			}
		}
		if a.next[kind] < a.next[best] {
			best = kind
		}
	}
	return best, a.next[best]
}

// forget must be called if the text has changed.
func (a *anchors[T]) forget() { clear(a.next[:]) }

// colon returns the offset of the next colon that may end a scheme or the prefix "URL:".
func (a *anchors[T]) colon(text T, i int) int {
	for {
		n := a.indexByte(text[i:], ':')
		if n < 0 {
			return len(text)
		}
		i += n
		if i+2 >= len(text) {
			return i
		}
		// Most colons of a text are followed by a blank, and most others do not follow a scheme. A
		// line may end after that of <http:...>.
		after := text[i+1]
		if i > 0 && (after != ' ' || text[i+2] < ' ' || text[i-1]|0x20 == 'l') && (table.ends[text[i-1]] || after == '/' && text[i+2] == '/') {
			return i
		}
		i++
	}
}

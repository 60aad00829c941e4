package format

import "sort"

// sink receives decoded text in order. The source bytes [at, end) stand for text: k bytes for each
// byte of it if they are k times as many, else all of them for all of it. What lies between two
// calls was left out. The text is only valid during the call.
type sink interface {
	write(text []byte, at, end int64)
	close()
}

// origin maps decoded text to its place in the source.
type origin interface {
	// locate returns the source of n bytes of text, n > 0. It reports false if the source stands
	// for more than these bytes.
	locate(pos, n int64) (at, end int64, exact bool)
	// copy writes text that is at pos to a sink.
	copy(to sink, pos int64, text []byte)
	// forget says that text before pos is not needed any more.
	forget(pos int64)
}

// ratio returns how many bytes of a source of size bytes stand for each of n bytes of text; 0 if
// that is not a whole number.
func ratio(n int, size int64) int64 {
	if n == 0 || size%int64(n) != 0 {
		return 0
	}
	return size / int64(n)
}

// part returns the source of text[i:j], for a text of n bytes that [at, end) stands for.
func part(n int, at, end int64, i, j int) (int64, int64) {
	if k := ratio(n, end-at); k > 0 {
		return at + k*int64(i), at + k*int64(j)
	}
	return at, end
}

// held is text that waits until what follows it shows its meaning. Each byte stands for one byte of
// the source.
type held struct {
	text []byte
	at   int64
}

// add adds text at at, which follows the text so far.
func (h *held) add(at int64, text ...byte) {
	if len(h.text) == 0 {
		h.at = at
	}
	h.text = append(h.text, text...)
}

// drop forgets the text.
func (h *held) drop() { h.text = h.text[:0] }

// release writes the text to a sink.
func (h *held) release(to sink) {
	if len(h.text) > 0 {
		to.write(h.text, h.at, h.at+int64(len(h.text)))
		h.drop()
	}
}

// asIs is the origin of text that was not decoded.
type asIs struct{}

func (asIs) locate(pos, n int64) (at, end int64, exact bool) { return pos, pos + n, true }

func (asIs) copy(to sink, pos int64, text []byte) { to.write(text, pos, pos+int64(len(text))) }

func (asIs) forget(int64) {}

// span says that the source bytes [at, end) stand for the text at pos, which ends where the next
// span begins.
type span struct {
	pos, at, end int64
	k            int64 // bytes of the source for each byte of text; 0 if they stand for it as a whole
}

// spans is the origin of decoded text.
type spans struct {
	list []span
	end  int64 // of the text
}

// add appends n bytes of text.
func (s *spans) add(n int, at, end int64) {
	if n == 0 {
		return
	}
	k := ratio(n, end-at)
	if i := len(s.list) - 1; i >= 0 && k > 0 && s.list[i].k == k && s.list[i].end == at {
		s.list[i].end = end
	} else {
		s.list = append(s.list, span{s.end, at, end, k})
	}
	s.end += int64(n)
}

// index returns the span that the byte at pos belongs to.
func (s *spans) index(pos int64) int {
	i := sort.Search(len(s.list), func(i int) bool { return s.list[i].pos > pos })
	return max(i-1, 0)
}

// textEnd returns where the text of span i ends.
func (s *spans) textEnd(i int) int64 {
	if i+1 < len(s.list) {
		return s.list[i+1].pos
	}
	return s.end
}

func (s *spans) locate(pos, n int64) (at, end int64, exact bool) {
	if len(s.list) == 0 {
		return 0, 0, false
	}
	i, j := s.index(pos), s.index(pos+n-1)
	first, last := s.list[i], s.list[j]
	at, end, exact = first.at, last.end, pos >= first.pos
	if first.k > 0 {
		at += first.k * max(pos-first.pos, 0)
	} else if pos != first.pos {
		exact = false
	}
	if last.k > 0 {
		end = last.at + last.k*max(pos+n-last.pos, 0)
	} else if pos+n != s.textEnd(j) {
		exact = false
	}
	return at, end, exact
}

func (s *spans) copy(to sink, pos int64, text []byte) {
	for len(text) > 0 {
		i := s.index(pos)
		n := max(min(s.textEnd(i)-pos, int64(len(text))), 1)
		at, end, _ := s.locate(pos, n)
		to.write(text[:n], at, end)
		pos, text = pos+n, text[n:]
	}
}

func (s *spans) forget(pos int64) {
	if i := s.index(pos); i > 64 && i > len(s.list)/2 { // what is copied is less than what was added since
		s.list = append(s.list[:0], s.list[i:]...)
	}
}

// reset makes the spans empty. The text begins at 0 again.
func (s *spans) reset() { s.list, s.end = s.list[:0], 0 }

package format

import "io"

// htmlSink finds in HTML that is written to it.
type htmlSink struct {
	s     *scanner
	spans spans
	buf   []byte
	f     *feeder
}

// newHTMLSink returns a sink of one document. It finds as the finder of a text does.
func newHTMLSink(s *scanner, like *finder) *htmlSink {
	h := &htmlSink{s: s}
	text := &finder{find: like.find, emit: like.emit} // it does not release what it finds: only write does
	r := &htmlReader{from: &h.spans, text: text, emit: like.emit, note: s.note}
	h.f = newFeeder(func(in io.Reader) { r.read(in) })
	return h
}

func (h *htmlSink) write(text []byte, at, end int64) {
	h.spans.add(len(text), at, end)
	if h.buf = append(h.buf, text...); len(h.buf) >= chunkSize {
		h.flush()
	}
}

func (h *htmlSink) flush() {
	h.s.nested = true
	h.f.write(h.buf)
	h.s.nested = false
	h.buf = h.buf[:0]
	h.s.release()
}

func (h *htmlSink) close() {
	h.flush()
	h.s.nested = true
	h.f.close()
	h.s.nested = false
	h.s.release()
}

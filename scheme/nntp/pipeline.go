package nntp

import (
	"io"
	"iter"

	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// Bounds of the commands that are sent ahead of their replies (RFC 3977 3.5). The bytes fit in the
// send buffer of a connection, so sending never waits for a server that waits for its replies to be
// read: neither side can block the other.
const (
	maxAhead      = 200     // commands
	maxAheadBytes = 4 << 10 // of commands
)

// pipeline requests articles of the selected group by number, many at once, and reads them in
// order.
type pipeline struct {
	s     *session
	more  func() (int64, bool) // the next number to request
	ahead []int64              // requested; the replies are to come
	bytes int                  // of the commands in ahead
	done  bool                 // more has no more
}

// articleBytes is the length of the command for a number.
func articleBytes(n int64) int { return len("ARTICLE \r\n") + len(digits(n)) }

// fill sends commands, in one write, when half of those that were sent have been answered.
func (p *pipeline) fill() error {
	if p.done || len(p.ahead) > maxAhead/2 || p.bytes > maxAheadBytes/2 {
		return nil
	}
	var lines []wire.Line
	for len(p.ahead) < maxAhead && p.bytes < maxAheadBytes-articleBytes(maxNumber) {
		n, ok := p.more()
		if !ok {
			p.done = true
			break
		}
		lines = append(lines, dialogue.Bare("ARTICLE "+digits(n)))
		p.ahead = append(p.ahead, n)
		p.bytes += articleBytes(n)
	}
	if len(lines) == 0 {
		return nil
	}
	return p.s.Send("ARTICLE", lines...)
}

// next reads the reply to the oldest command. ok is false after the last one.
func (p *pipeline) next() (n int64, r reply, ok bool, err error) {
	if err := p.fill(); err != nil {
		return 0, r, true, err
	}
	if len(p.ahead) == 0 {
		return 0, r, false, nil
	}
	n = p.ahead[0]
	p.ahead = p.ahead[1:]
	p.bytes -= articleBytes(n)
	r, err = p.s.reply("ARTICLE")
	return n, r, true, err
}

// drain reads the replies to the commands that were sent, which are of no use after a refusal, so
// that the connection can be used for a login.
func (p *pipeline) drain() error {
	for len(p.ahead) > 0 {
		p.ahead = p.ahead[1:]
		r, err := p.s.reply("ARTICLE")
		if err != nil {
			return err
		}
		if r.Code != 220 {
			continue
		}
		if err := p.s.newMember().skip(); err != nil {
			return err
		}
	}
	return nil
}

// fetched is the reply to one command of a pipeline: an article, or none if the server does not
// have the number.
type fetched struct {
	number int64
	reply  reply
	text   *member // nil if there is none
}

// run yields the articles with the numbers, and those that are missing. It ends after an error. The
// connection is unusable if it is stopped before its end.
func (s *session) run(numbers iter.Seq[int64]) iter.Seq2[fetched, error] {
	return func(yield func(fetched, error) bool) {
		more, stop := iter.Pull(numbers)
		defer stop()
		p, ended := &pipeline{s: s, more: more}, false
		defer func() {
			if !ended {
				s.Unusable.Store(true)
			}
		}()
		for {
			n, r, ok, err := p.next()
			switch {
			case !ok:
				ended = true
				return
			case err != nil:
				yield(fetched{}, err)
				return
			}
			f := fetched{number: n, reply: r}
			switch r.Code {
			case 220:
				if got, ok := r.numbers(1); ok && got[0] != n && got[0] != 0 {
					yield(f, s.End(scheme.Replied(scheme.CodeProtocol, r.Shown(), "the server sent article %d in reply to ARTICLE %d", got[0], n)))
					return
				}
				f.text = s.newMember()
			case 423, 430: // cancelled, expired, or not to be had now
			default:
				err := authenticate("ARTICLE", r)
				if err == nil {
					err = s.failed("ARTICLE", r)
				}
				if s.Unusable.Load() { // nobody knows what follows
					yield(f, err)
					return
				}
				if failed := p.drain(); failed == nil {
					ended = true
				}
				yield(f, err)
				return
			}
			if !yield(f, nil) {
				return
			}
			if f.text != nil {
				if err := f.text.skip(); err != nil {
					yield(f, err)
					return
				}
			}
		}
	}
}

// maxSkip bounds the rest of an article that is read and dropped because the caller does not want
// it. Beyond that a new connection is cheaper.
const maxSkip = 1 << 20

// member is the text of an article whose session goes on behind it.
type member struct {
	t      *text
	closed bool
}

func (s *session) newMember() *member {
	t := s.newText()
	t.goesOn = true
	return &member{t: t}
}

// Read implements io.Reader. It returns io.EOF only after the line that ends the text.
func (m *member) Read(p []byte) (int, error) {
	if m.closed {
		return 0, errClosed
	}
	return m.t.Read(p)
}

// Close ends reading.
func (m *member) Close() error {
	m.closed = true
	return nil
}

// skip reads the text to its end.
func (m *member) skip() error {
	m.closed = true
	limit := m.t.n + maxSkip
	for !m.t.ended && m.t.n <= limit {
		m.t.next() // its error is in t.last
	}
	switch {
	case !m.t.ended:
		return m.t.s.End(scheme.Fail(scheme.CodeBroken, "an article of more than %d bytes was not read to its end; the connection is closed", m.t.n))
	case m.t.last == io.EOF:
		return nil
	}
	return m.t.last
}

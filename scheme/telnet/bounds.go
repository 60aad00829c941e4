package telnet

import (
	"time"

	"locator/scheme"
)

// The number of replies that a server may cause at once, and per second after that.
const (
	maxReplies       = 256
	repliesPerSecond = 10
)

// storm detects a server that asks without end.
type storm struct {
	clock scheme.Clock
	left  float64
	last  time.Time
}

func newStorm(clock scheme.Clock) *storm {
	return &storm{clock: clock, left: maxReplies, last: clock.Now()}
}

// reply counts a reply. It returns an error if there are too many.
func (s *storm) reply() error {
	now := s.clock.Now()
	s.left = min(maxReplies, s.left+repliesPerSecond*max(0, now.Sub(s.last).Seconds())) - 1
	if s.last = now; s.left < 0 {
		s.left = -1
		return scheme.Fail(scheme.CodeProtocol, "the server sends requests for options without end: it got more than %d replies", maxReplies)
	}
	return nil
}

package schemetest

import (
	"strconv"
	"strings"

	"locator"
	"locator/scheme"
)

// checkSteps compares the result of Steps with the commands that an access sends.
//
// Covers: A15
func checkSteps(s *stage) {
	u := s.url("text.txt")
	steps, err := s.h.Scheme.(scheme.Explainer).Steps(u)
	if err != nil {
		s.Fatalf("Steps of %s: %v", u.Redacted(), err)
	}
	for _, step := range steps {
		if strings.ContainsFunc(step, func(r rune) bool { return r < ' ' || r > '~' }) {
			s.Errorf("the step %q is not escaped", step)
		}
	}
	if s.h.Local {
		return // no commands to compare
	}
	if len(steps) == 0 || !strings.HasPrefix(steps[0], "CONNECT ") {
		s.Fatalf("the steps %q do not begin with CONNECT", steps)
	}
	if want := "CONNECT " + s.address(u); u.HasHost() && steps[0] != want {
		s.Errorf("the first step is %q, want %q", steps[0], want)
	}
	if t := s.take(s.ctx, s.client(), scheme.Request{URL: u}); t.err != nil {
		s.Fatalf("%v", t.err)
	}
	sent := s.journal.sent()
	rest := sent
	for _, step := range steps[1:] {
		i := 0
		for i < len(rest) && rest[i] != step {
			i++
		}
		if i == len(rest) {
			s.Errorf("the step %q is not sent where it is told; sent were %q", step, sent)
			return
		}
		rest = rest[i+1:]
	}
}

// address returns the host and port of u.
func (s *stage) address(u locator.URL) string {
	if u.Port() == "" {
		u, _ = u.WithPort(strconv.Itoa(int(s.h.Scheme.Syntax().Port)))
	}
	addr, _ := u.Addr()
	return addr
}

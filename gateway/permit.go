package gateway

import (
	"net/http"
	"sync"

	"locator"
	"locator/scheme"
)

// permit returns why the client of the gateway may not do something that changes what others see, or nil: send a mail, an article or a form
// (update), or store a file (replace).
func (g *Gateway) permit(r *http.Request, op scheme.Op, u locator.URL) error {
	if g.opt.Permit == nil || g.opt.Permit(g.user(r), op, u) {
		return nil
	}
	if len(g.opt.Service.Users) > 0 && g.user(r) == "" {
		return scheme.Fail(scheme.CodeRefused, "this gateway sends and stores nothing for those it does not know; log in at %s first", accountPath)
	}
	return scheme.Fail(scheme.CodeRefused, "this gateway sends and stores nothing for you")
}

// maxSent is how many forms are remembered.
const maxSent = 10_000

// sentForms remembers which forms were sent, so that a page that is reloaded sends nothing twice.
type sentForms struct {
	mu    sync.Mutex
	known map[string]bool
	order []string // oldest first
}

// begin remembers a form. It returns false if the form is known.
func (s *sentForms) begin(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known[name] {
		return false
	}
	if s.known == nil {
		s.known = make(map[string]bool)
	}
	if len(s.order) == maxSent {
		delete(s.known, s.order[0])
		s.order = s.order[1:]
	}
	s.known[name] = true
	s.order = append(s.order, name)
	return true
}

// end forgets a form, of which nothing was sent.
func (s *sentForms) end(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.known, name)
}

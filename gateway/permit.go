package gateway

import (
	"errors"
	"net/http"
	"slices"
	"sync"

	"locator"
	"locator/scheme"
)

// unknownError refuses what a user of the gateway could do who has logged in.
type unknownError struct{}

func (*unknownError) Error() string {
	return "this gateway sends and stores nothing for those it does not know; log in at " + accountPath + " first"
}

// permit returns why the client of the gateway may not do something that changes what others see, or nil: send a mail, an article or a form
// (update), or store a file (replace).
func (g *Gateway) permit(r *http.Request, op scheme.Op, u locator.URL) error {
	if g.opt.Permit == nil {
		return nil
	}
	user := g.user(r) // which may take a password, and counts a wrong one
	if g.opt.Permit(user, op, u) {
		return nil
	}
	if len(g.opt.Service.Users) > 0 && user == "" {
		return &scheme.Error{Code: scheme.CodeRefused, Err: &unknownError{}}
	}
	return scheme.Fail(scheme.CodeRefused, "this gateway sends and stores nothing for you")
}

// wantsUser reports whether an error refuses what a user who has logged in could do.
func wantsUser(err error) bool {
	_, ok := errors.AsType[*unknownError](err)
	return ok
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
	s.order = slices.DeleteFunc(s.order, func(other string) bool { return other == name })
}

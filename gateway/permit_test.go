package gateway

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"locator"
	"locator/scheme"
)

// A refusal for want of a login leads to the page of it; so does the front page. The user is looked up once.
func TestLoginLink(t *testing.T) {
	link := `<a href="/-/login">`
	for name, users := range map[string][]User{"users": testUsers(), "none": {}} {
		s := serve(t, Options{Service: Service{Users: users}})
		for _, user := range []string{"", "<ann>"} {
			s.g.user = func(*http.Request) string { return user }
			if body := s.get("/").body; strings.Contains(body, link) != (name == "users") || strings.Contains(body, "logged in as &lt;ann&gt;") != (name == "users" && user != "") {
				t.Errorf("%s, %q: %s", name, user, body)
			}
			w := httptest.NewRecorder()
			r := httptest.NewRequest(http.MethodGet, "/mailto:a@host.dom", nil)
			asked := 0
			s.g.user = func(*http.Request) string { asked++; return user }
			err := s.g.permit(r, scheme.OpUpdate, locator.MustParse("mailto:a@host.dom"))
			if err == nil || asked != 1 || wantsUser(err) != (name == "users" && user == "") {
				t.Errorf("%s, %q: %v; the user was looked up %d times", name, user, err, asked)
			}
			s.g.problem(w, r, place{}, err)
			if w.Code != http.StatusForbidden || strings.Contains(w.Body.String(), link) != (name == "users" && user == "") {
				t.Errorf("%s, %q: %d %s", name, user, w.Code, w.Body)
			}
		}
	}
}

func TestSentForms(t *testing.T) {
	var s sentForms
	if !s.begin("a") || s.begin("a") {
		t.Error("a form is known before it was sent, or not after")
	}
	s.end("a")
	if !s.begin("a") {
		t.Error("a form that was not sent is known")
	}
	for i := range 2 * maxSent {
		s.begin(string(rune(i)) + "x")
	}
	if len(s.known) > maxSent || len(s.order) > maxSent {
		t.Errorf("%d, %d forms are remembered", len(s.known), len(s.order))
	}
}

// A form that was not sent and begun again is remembered for as long as others.
func TestSentFormsAgain(t *testing.T) {
	var s sentForms
	s.begin("a")
	s.end("a")
	if !s.begin("a") {
		t.Error("a form of which nothing was sent is known")
	}
	for i := range maxSent - 1 {
		s.begin(strconv.Itoa(i))
	}
	if s.begin("a") {
		t.Error("a form is forgotten too early")
	}
}

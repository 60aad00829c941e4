package gateway

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"locator"
	"locator/scheme"
	"locator/scheme/gopher/gophertest"
	"locator/schemetest/peer"
)

// Covers: G1
func TestForm(t *testing.T) {
	sent := make(chan string, 10)
	form := gophertest.Form{
		Ask:    []string{"Note: <b>Order</b>", "Ask: Name\tAnn", "AskP: Code\tsecret", "AskL: Words\tone\ttwo", "Select: Gift\t1", "Choose: Colour\tred\tgreen"},
		Handle: func(data string) string { sent <- data; return "thank you\r\n" },
	}
	menus, err := gophertest.Start(peer.Tree(), gophertest.Ask("form", form))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(menus.Close)
	u := menus.Item('0', "/form", "?")
	s := serve(t, Options{}, u)
	res := s.page(u)
	for _, want := range []string{"&lt;b&gt;Order", `value="Ann"`, `type="password"`, "<textarea", `<option>green</option>`, `type="checkbox"`, `name="token"`} {
		if !strings.Contains(res.body, want) {
			t.Errorf("the page lacks %s: %s", want, res.body)
		}
	}
	if strings.Contains(res.body, "<b>") {
		t.Errorf("the page has the HTML of a server: %s", res.body)
	}
	path := string(pathOf(viewPage, u))
	answers := url.Values{"f1": {"Bob\nEve"}, "f2": {"x"}, "f3": {"a\r\nb"}, "f5": {"green"}}
	for name, broken := range map[string]url.Values{"no token": {"token": {"x"}}, "another session": {"token": {s.g.sign("form", "other")}}} {
		if res := s.post(path, broken); res.status != http.StatusForbidden || len(sent) > 0 {
			t.Errorf("%s: %d, %d forms were sent", name, res.status, len(sent))
		}
	}
	foreign := s.send(http.MethodPost, path, "token="+s.g.sign("form", s.cookies[sessionCookie]), "Content-Type: application/x-www-form-urlencoded", "Origin: http://evil.example")
	if foreign.status != http.StatusForbidden || len(sent) > 0 {
		t.Errorf("a form of another site: %d", foreign.status)
	}
	if res := s.post(path, url.Values{"f1": {"Bob\nEve"}, "f5": {"green"}}); res.status != http.StatusBadRequest && res.status != http.StatusForbidden || len(sent) > 0 {
		t.Errorf("a line end in a line: %d, %d forms were sent", res.status, len(sent))
	}
	allow := s.g.allow
	s.g.allow = func(*http.Request, scheme.Op) error { return &statusError{http.StatusTooManyRequests, "too many"} }
	again := s.post(path, url.Values{"f1": {"Bob"}, "f2": {"hunter2"}, "f5": {"green"}})
	s.g.allow = allow
	if again.status != http.StatusTooManyRequests || !strings.Contains(again.body, `value="Bob"`) || strings.Contains(again.body, "hunter2") || strings.Contains(res.body+again.body, `value="secret"`) {
		t.Errorf("%d: the form to be sent again: %s", again.status, again.body)
	}
	answers.Set("f1", "Bob")
	if res := s.post(path, answers); res.status != http.StatusOK || !strings.Contains(res.body, "thank you") {
		t.Fatalf("%d: %s", res.status, res.body)
	}
	if data := <-sent; !strings.Contains(data, "Bob") || !strings.Contains(data, "green") {
		t.Errorf("the server got %q", data)
	}
	if len(sent) > 0 {
		t.Errorf("the form was sent %d more times", len(sent))
	}
}

// A form is sent only for those who may change something, and each counts as a change.
//
// Covers: GW48
func TestFormPermit(t *testing.T) {
	sent := make(chan string, 10)
	menus, err := gophertest.Start(peer.Tree(), gophertest.Ask("form", gophertest.Form{Ask: []string{"Ask: Name"}, Handle: func(data string) string { sent <- data; return "thank you\r\n" }}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(menus.Close)
	u := menus.Item('0', "/form", "?")
	path, button := string(pathOf(viewPage, u)), "<button>Send</button>"
	s := serve(t, Options{Service: Service{Users: testUsers()}}, u)
	for user, want := range map[string]string{"": `<a href="/-/login">`, "ann": "nothing for you"} {
		s.g.user = func(*http.Request) string { return user }
		if res := s.page(u); res.status != http.StatusOK || !strings.Contains(res.body, want) || strings.Contains(res.body, button) {
			t.Errorf("%q: %d %s", user, res.status, res.body)
		}
		if res := s.post(path, url.Values{"f0": {"Bob"}}); res.status != http.StatusForbidden || !strings.Contains(res.body, want) || len(sent) > 0 {
			t.Errorf("%q: %d %s", user, res.status, res.body)
		}
	}
	s.g.user = func(*http.Request) string { return "bob" }
	if res := s.page(u); !strings.Contains(res.body, button) {
		t.Errorf("%s", res.body)
	}
	count, more := 0, true
	s.g.allow = func(_ *http.Request, op scheme.Op) error {
		if count++; op != scheme.OpUpdate || !more {
			return &statusError{http.StatusTooManyRequests, "too many: " + string(op)}
		}
		return nil
	}
	if res := s.post(path, url.Values{"f0": {"Bob"}}); res.status != http.StatusOK || len(sent) != 1 || count != 1 {
		t.Errorf("%d, %d were sent: %s", res.status, len(sent), res.body)
	}
	more = false
	if res := s.post(path, url.Values{"f0": {"Bob"}}); res.status != http.StatusTooManyRequests || !strings.Contains(res.body, "too many: update") || len(sent) != 1 {
		t.Errorf("%d, %d were sent: %s", res.status, len(sent), res.body)
	}
}

// A link that holds a filled form sends nothing: it shows the form, with the answers.
func TestFilledForm(t *testing.T) {
	sent := make(chan string, 10)
	menus, err := gophertest.Start(peer.Tree(), gophertest.Ask("form", gophertest.Form{Ask: []string{"Ask: Name"}, Handle: func(data string) string { sent <- data; return "" }}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(menus.Close)
	u := locator.MustParse(strings.TrimSuffix(menus.Item('0', "/form", "?").Text(), "?") + "+%091%0D%0A+-1%0D%0ABob%0D%0A.%0D%0A")
	s := serve(t, Options{}, u)
	if res := s.page(u); len(sent) > 0 || res.status != http.StatusOK || !strings.Contains(res.body, "<form class=\"fields\"") {
		t.Errorf("%s: %d, %d forms were sent: %s", u, res.status, len(sent), res.body)
	}
}

func TestQuery(t *testing.T) {
	menus, err := gophertest.Start(peer.Tree())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(menus.Close)
	u := menus.Item('7', "/search", "")
	s := serve(t, Options{}, u)
	if res := s.page(u); res.status != http.StatusOK || !strings.Contains(res.body, "<button>Search</button>") {
		t.Errorf("%d: %s", res.status, res.body)
	}
	res := s.get("/-/go?" + url.Values{"url": {u.Text()}, "f0": {"text +a&b"}}.Encode())
	if to := res.header.Get("Location"); strings.HasPrefix(to, viewPrefix) {
		res = s.get(to)
	}
	to := res.header.Get("Location")
	if res.status != http.StatusSeeOther || to != "/"+u.Text()+"%09text%20+a&b" {
		t.Fatalf("%d to %q", res.status, to)
	}
	if res := s.get(to); res.status != http.StatusOK {
		t.Errorf("%s: %d", to, res.status)
	}
}

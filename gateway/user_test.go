package gateway

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/argon2"

	"locator"
	"locator/scheme"
)

// testUsers may do different things.
func testUsers() []User {
	return []User{{"ann", bcryptHash, []Right{MaySend, MayPut}}, {"bob", argonHash, []Right{MayPost}}}
}

// Covers: GWS11
func TestAccounts(t *testing.T) {
	s := serve(t, Options{Service: Service{Users: testUsers()}})
	if res := s.get("/-/login"); res.status != http.StatusOK || !strings.Contains(res.body, `type="password"`) {
		t.Fatalf("%d: %s", res.status, res.body)
	}
	try := func(user, password string) reply {
		t.Helper()
		return s.post("/-/login", url.Values{"user": {user}, "password": {password}})
	}
	for _, x := range [][2]string{{"ann", "wrong"}, {"ann", ""}, {"", "word"}, {"none", "word"}, {"ann", strings.Repeat("x", 5000)}, {"ann", bcryptHash}} {
		if res := try(x[0], x[1]); res.status != http.StatusForbidden || s.cookies[userCookie] != "" {
			t.Errorf("%.20q: %d", x, res.status)
		}
	}
	if res := s.send(http.MethodPost, "/-/login", "user=ann&password=word", "Content-Type: application/x-www-form-urlencoded"); res.status != http.StatusForbidden {
		t.Errorf("without a token: %d", res.status)
	}
	if res := try("ann", "word"); res.status != http.StatusSeeOther {
		t.Fatalf("%d: %s", res.status, res.body)
	}
	if res := s.get("/-/login"); !strings.Contains(res.body, "logged in as ann") {
		t.Errorf("%s", res.body)
	}
	cookie := s.cookies[userCookie]
	who := func(session, cookie string) string {
		r := httptest.NewRequest("GET", "/", nil)
		r.AddCookie(&http.Cookie{Name: sessionCookie, Value: session})
		r.AddCookie(&http.Cookie{Name: userCookie, Value: cookie})
		return s.g.user(r)
	}
	session := s.cookies[sessionCookie]
	if got := who(session, cookie); got != "ann" {
		t.Errorf("%q", got)
	}
	parts := strings.Split(cookie, ".")
	late := strconv.FormatInt(time.Now().Add(time.Hour).Unix(), 10)
	past := strconv.FormatInt(time.Now().Add(-time.Hour).Unix(), 10)
	bob := base64.RawURLEncoding.EncodeToString([]byte("bob"))
	for _, bad := range []string{"", "ann", "..", bob + "." + parts[1] + "." + parts[2], parts[0] + "." + late + "." + parts[2],
		parts[0] + "." + past + "." + s.g.sign("user", session, parts[0], past), "x." + late + "." + s.g.sign("user", session, "x", late)} {
		if got := who(session, bad); got != "" {
			t.Errorf("%q is of %q", bad, got)
		}
	}
	if got := who(strings.Repeat("A", len(session)), cookie); got != "" {
		t.Errorf("the cookie of another session is of %q", got)
	}
	if res := s.post("/-/login", url.Values{"leave": {"1"}}); res.status != http.StatusSeeOther || s.cookies[userCookie] != "" {
		t.Errorf("%d", res.status)
	}
	if log := s.log.String(); strings.Contains(log, "wrong") || strings.Contains(log, "password=") || !strings.Contains(log, "a login failed") {
		t.Errorf("log: %s", log)
	}
	if res := serve(t, Options{}).get("/-/login"); res.status != http.StatusNotFound {
		t.Errorf("without users: %d", res.status)
	}
}

// A password is compared with one hash, whether its user is known or not, so that the time does not tell.
//
// Covers: GWS11
func TestUnknownUser(t *testing.T) {
	s := serve(t, Options{Service: Service{Users: testUsers()}})
	var hashes []string
	s.g.accounts.matches = func(hash, _ string) bool { hashes = append(hashes, hash); return true }
	for name, want := range map[string]bool{"ann": true, "bob": true, "none": false, "": false} {
		hashes = nil
		if got := s.g.accounts.check(t.Context(), name, "word"); got != want || len(hashes) != 1 || !isHash(hashes[0]) {
			t.Errorf("%q: %v with %q", name, got, hashes)
		}
	}
}

// Passwords cannot be guessed at any speed, by forms or through the proxy.
//
// Covers: GWS11
func TestGuesses(t *testing.T) {
	s := serve(t, Options{Service: Service{Users: testUsers(), Changes: Share{PerSecond: 0.01, Burst: 3}}})
	s.get("/-/login")
	for i := range 5 {
		res := s.post("/-/login", url.Values{"user": {"ann"}, "password": {"wrong"}})
		if want := map[bool]int{true: http.StatusForbidden, false: http.StatusTooManyRequests}[i < 3]; res.status != want {
			t.Errorf("%d: %d", i, res.status)
		}
	}
	r := httptest.NewRequest("GET", "/", nil)
	r.RequestURI = "http://host.dom/"
	r.Header.Set("Proxy-Authorization", strings.TrimPrefix(basic("ann", "word"), "Authorization: "))
	r.RemoteAddr = "127.0.0.1:1"
	if got := s.g.user(r); got != "" {
		t.Errorf("%q after too many guesses", got)
	}
	r.RemoteAddr = "127.0.0.2:1"
	for range 10 { // what is right is not computed, nor counted, again
		if got := s.g.user(r); got != "ann" {
			t.Errorf("%q", got)
		}
	}
	s.g.accounts.mu.Lock()
	for key := range s.g.accounts.checked { // it is known for a while only
		s.g.accounts.checked[key] = time.Now().Add(-time.Second)
	}
	s.g.accounts.mu.Unlock()
	if s.g.accounts.known("ann", "word") {
		t.Error("a password is known for ever")
	}
	r.Header.Set("Proxy-Authorization", strings.TrimPrefix(basic("ann", "other"), "Authorization: "))
	if got := s.g.user(r); got != "" {
		t.Errorf("%q with a wrong password", got)
	}
}

// Covers: GWS11
func TestPermitUsers(t *testing.T) {
	s := serve(t, Options{Service: Service{Users: testUsers()}})
	mail, news, file := locator.MustParse("mailto:a@host.dom"), locator.MustParse("news:comp.x"), locator.MustParse("ftp://host.dom/a")
	for _, x := range []struct {
		user string
		op   scheme.Op
		u    locator.URL
		want bool
	}{
		{"ann", scheme.OpUpdate, mail, true}, {"ann", scheme.OpUpdate, news, false}, {"ann", scheme.OpReplace, file, true},
		{"bob", scheme.OpUpdate, mail, false}, {"bob", scheme.OpUpdate, news, true}, {"bob", scheme.OpReplace, file, false},
		{"", scheme.OpUpdate, mail, false}, {"eve", scheme.OpUpdate, news, false},
	} {
		if got := s.g.opt.Permit(x.user, x.op, x.u); got != x.want {
			t.Errorf("%s %s %s: %v", x.user, x.op, x.u.Text(), got)
		}
	}
	if err := s.g.permit(httptest.NewRequest("POST", "/", nil), scheme.OpUpdate, mail); err == nil || !strings.Contains(err.Error(), accountPath) {
		t.Errorf("somebody who is not known: %v", err)
	}
	nobody := serve(t, Options{Service: Service{Users: []User{}}})
	if nobody.g.opt.Permit("", scheme.OpUpdate, mail) || nobody.g.opt.Permit("ann", scheme.OpUpdate, mail) {
		t.Error("a gateway without users sends mail")
	}
}

func TestIsHash(t *testing.T) {
	for text, want := range map[string]bool{
		bcryptHash: true, argonHash: true, "word": false, "": false, "$2a$31$CBpddl8yGZSExFnjHOU5ge55u6oSwcseWKHSwxShTcjRfhKiEB8Q.": false,
		"$argon2id$v=19$m=4294967295,t=1,p=1$c2FsdHNhbHQ$ew2iteR+VWrgE4qJ3UPk/fsbi11EokYzKeSRRYaBcqc": false, "$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$": false,
		"$argon2i$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$ew2iteR+VWrgE4qJ3UPk/fsbi11EokYzKeSRRYaBcqc": false,
	} {
		if got := isHash(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if !matches(bcryptHash, "word") || !matches(argonHash, "word") || matches(bcryptHash, "wordx") || matches(argonHash, "wor") || matches("", "") {
		t.Error("passwords are compared wrongly")
	}
}

// Covers: GWS11
func TestAccountLimits(t *testing.T) {
	users := append(testUsers(), User{"", bcryptHash, []Right{MaySend}})
	s := serve(t, Options{Service: Service{Users: users}})
	a := s.g.accounts
	if s.g.permitUsers("", scheme.OpUpdate, locator.MustParse("mailto:a@host.dom")) {
		t.Error("somebody who is not known may send mail")
	}
	for i := range maxKnown + 1 {
		a.remember("ann", strconv.Itoa(i))
	}
	if n := len(a.checked); n > maxKnown || !a.known("ann", strconv.Itoa(maxKnown)) {
		t.Errorf("%d passwords are known", n)
	}
	if a.dummy != users[len(users)-1].Hash {
		t.Errorf("the hash for unknown users is %q", a.dummy)
	}
	a.remember("ann", "word")
	r := request(t, http.MethodGet, "/ftp://host.dom/", "Proxy-"+basic("ann", "word"))
	if got := s.g.user(r); got != "" {
		t.Errorf("a page is for %q by the login of a proxy", got)
	}
	if got := s.g.user(request(t, http.MethodGet, "ftp://host.dom/", "Proxy-"+basic("ann", "word"))); got != "ann" {
		t.Errorf("%q", got)
	}
	none := serve(t, Options{Service: Service{Users: []User{}}})
	if res := none.post("/-/login", url.Values{"user": {"ann"}, "password": {"word"}}); res.status != http.StatusMethodNotAllowed {
		t.Errorf("a login without users: %d", res.status)
	}
}

// A password that is too long is not computed, even if it is right.
//
// Covers: GWS11
func TestLongPassword(t *testing.T) {
	long := strings.Repeat("x", maxPassword+1)
	hash := func(password string) string {
		salt := []byte("saltsalt")
		return "$argon2id$v=19$m=64,t=1,p=1$" + base64.RawStdEncoding.EncodeToString(salt) + "$" + base64.RawStdEncoding.EncodeToString(argon2.IDKey([]byte(password), salt, 1, 64, 1, 32))
	}
	s := serve(t, Options{Service: Service{Users: []User{{"ann", hash(long), nil}, {"bob", hash(long[1:]), nil}}}})
	if s.g.accounts.check(t.Context(), "ann", long) || !s.g.accounts.check(t.Context(), "bob", long[1:]) {
		t.Error("the length of passwords is bounded wrongly")
	}
}

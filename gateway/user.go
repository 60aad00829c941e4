package gateway

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/bcrypt"

	"locator"
	"locator/scheme"
)

// userCookie names the cookie of a user who has logged in to the gateway itself. It has the name, when the login ends, and a signature.
const userCookie = "locator-user"

const (
	loginTime   = 12 * time.Hour
	knownTime   = 5 * time.Minute // how long the password of a proxy's client is not computed again
	maxKnown    = 1000
	maxPassword = 1024 // bytes
	verifiers   = 2    // passwords that are computed at once; each takes a processor and, for argon2, its memory
)

// accounts are the users of a gateway.
type accounts struct {
	g       *Gateway
	turns   chan struct{}
	matches func(hash, password string) bool
	dummy   string // a hash that no password has, so that unknown users take as long
	mu      sync.Mutex
	checked map[string]time.Time // signatures of names and passwords that are right, until when
}

func newAccounts(g *Gateway) *accounts {
	a := &accounts{g: g, turns: make(chan struct{}, verifiers), matches: matches, checked: make(map[string]time.Time)}
	for _, u := range g.opt.Service.Users {
		a.dummy = u.Hash
	}
	return a
}

// user returns the name of the user of the gateway who sent a request, or "".
func (a *accounts) user(r *http.Request) string {
	if len(a.g.opt.Service.Users) == 0 {
		return ""
	}
	if name, password, ok := proxyAuth(r); ok && !strings.HasPrefix(r.RequestURI, "/") {
		if a.known(name, password) {
			return name
		}
		if a.g.count(r, scheme.OpUpdate) == nil && a.check(r.Context(), name, password) {
			a.remember(name, password)
			return name
		}
		return ""
	}
	c, err := r.Cookie(userCookie)
	session := sessionOf(r)
	if err != nil || session == "" {
		return ""
	}
	parts := strings.Split(c.Value, ".")
	if len(parts) != 3 || !a.g.signed(parts[2], "user", session, parts[0], parts[1]) {
		return ""
	}
	name, err := base64.RawURLEncoding.DecodeString(parts[0])
	end, bad := strconv.ParseInt(parts[1], 10, 64)
	if err != nil || bad != nil || time.Now().Unix() >= end {
		return ""
	}
	return string(name)
}

// proxyAuth returns the login of the client of a proxy (RFC 9110 11.7.2).
func proxyAuth(r *http.Request) (user, password string, ok bool) {
	x := http.Request{Header: http.Header{"Authorization": r.Header.Values("Proxy-Authorization")}}
	return x.BasicAuth()
}

func (a *accounts) known(name, password string) bool {
	key := a.g.sign("known", name, password)
	a.mu.Lock()
	defer a.mu.Unlock()
	return time.Now().Before(a.checked[key])
}

func (a *accounts) remember(name, password string) {
	key := a.g.sign("known", name, password)
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.checked) >= maxKnown {
		clear(a.checked)
	}
	a.checked[key] = time.Now().Add(knownTime)
}

// check reports whether a password is that of a user. If there is no such user, a hash is computed, too.
func (a *accounts) check(ctx context.Context, name, password string) bool {
	if len(password) > maxPassword {
		return false
	}
	select {
	case a.turns <- struct{}{}:
		defer func() { <-a.turns }()
	case <-ctx.Done():
		return false
	}
	users := a.g.opt.Service.Users
	i := slices.IndexFunc(users, func(u User) bool { return u.Name == name })
	if i < 0 {
		a.matches(a.dummy, password)
		return false
	}
	return a.matches(users[i].Hash, password)
}

// matches reports whether a hash is that of a password.
func matches(hash, password string) bool {
	if x, ok := parseArgon(hash); ok {
		sum := argon2.IDKey([]byte(password), x.salt, x.time, x.memory, x.threads, uint32(len(x.sum)))
		return subtle.ConstantTimeCompare(sum, x.sum) == 1
	}
	return bcrypt.CompareHashAndPassword([]byte(hash), []byte(password)) == nil
}

// isHash reports whether a text is a hash that matches can compare.
func isHash(s string) bool {
	if _, ok := parseArgon(s); ok {
		return true
	}
	cost, err := bcrypt.Cost([]byte(s))
	return err == nil && len(s) == 60 && cost <= 16
}

// argon is a hash by argon2id.
type argon struct {
	memory, time uint32
	threads      uint8
	salt, sum    []byte
}

// parseArgon parses a hash in the form of PHC: $argon2id$v=19$m=65536,t=3,p=4$SALT$SUM.
func parseArgon(s string) (x argon, ok bool) {
	parts := strings.Split(s, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != "v="+strconv.Itoa(argon2.Version) {
		return x, false
	}
	if n, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &x.memory, &x.time, &x.threads); n != 3 || err != nil {
		return x, false
	}
	var err error
	if x.salt, err = base64.RawStdEncoding.DecodeString(parts[4]); err != nil {
		return x, false
	}
	x.sum, err = base64.RawStdEncoding.DecodeString(parts[5])
	return x, err == nil && len(x.salt) >= 8 && len(x.sum) >= 16 && len(x.sum) <= 128 && x.memory >= 8 && x.memory <= 1<<20 && x.time >= 1 && x.time <= 64 && x.threads >= 1
}

// accountData is what the page of a login shows.
type accountData struct {
	User  string // who is logged in
	Wrong string
}

// accountPath is the page on which a user logs in to the gateway.
const accountPath = ownPrefix + "login"

// accountPage serves that page.
func (g *Gateway) accountPage(w http.ResponseWriter, r *http.Request, status int, wrong string) {
	page := g.newPage(r, "Log in to this gateway", &accountData{User: g.user(r), Wrong: wrong})
	page.Token = g.token(w, r)
	g.whole(w, r, status, "account", page)
}

// logIn handles the form of that page.
func (g *Gateway) logIn(w http.ResponseWriter, r *http.Request, p place) {
	r.Body = http.MaxBytesReader(w, r.Body, 16<<10)
	if err := r.ParseForm(); err != nil {
		g.problem(w, r, p, &statusError{http.StatusBadRequest, "the form cannot be read, or is too long"})
		return
	}
	if err := g.checkToken(r); err != nil {
		g.problem(w, r, p, err)
		return
	}
	if r.PostForm.Has("leave") {
		g.setUser(w, r, "", "", -1)
		g.redirect(w, r, "/")
		return
	}
	if err := g.count(r, scheme.OpUpdate); err != nil {
		g.problem(w, r, p, err)
		return
	}
	name := r.PostForm.Get("user")
	if !g.accounts.check(r.Context(), name, r.PostForm.Get("password")) {
		g.opt.Log.Warn("a login failed", "remote", g.clientAddr(r).String())
		g.accountPage(w, r, http.StatusForbidden, "The name or the password is wrong.")
		return
	}
	end := strconv.FormatInt(time.Now().Add(loginTime).Unix(), 10)
	g.setUser(w, r, base64.RawURLEncoding.EncodeToString([]byte(name)), end, int(loginTime.Seconds()))
	g.redirect(w, r, "/")
}

func (g *Gateway) setUser(w http.ResponseWriter, r *http.Request, name, end string, age int) {
	value := ""
	if age > 0 {
		value = name + "." + end + "." + g.sign("user", g.browserSession(w, r), name, end)
	}
	g.setCookie(w, r, &http.Cookie{Name: userCookie, Value: value, MaxAge: age, SameSite: http.SameSiteStrictMode})
}

// permitUsers is Options.Permit for the users of a policy file. What is updated is a message to a mailbox if its scheme has no listings,
// and otherwise an article, a form, or what a page is sent.
func (g *Gateway) permitUsers(user string, op scheme.Op, u locator.URL) bool {
	right := MayPut
	if op == scheme.OpUpdate {
		right = MayPost
		if s, ok := g.opt.Client.Registry.Lookup(u.Scheme()); ok {
			if _, lists := s.(scheme.Lister); !lists {
				right = MaySend
			}
		}
	}
	return slices.ContainsFunc(g.opt.Service.Users, func(x User) bool { return x.Name == user && user != "" && slices.Contains(x.May, right) })
}

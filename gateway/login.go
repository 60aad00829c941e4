package gateway

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"strconv"
	"strings"

	"locator"
	"locator/client"
	"locator/scheme"
)

// A browser sends the login of one server also to pages below the same path, which may be those of another server. So the cookie
// loginCookie says for which servers this browser was asked, and which login it answered with: a login counts only for the server
// for which it was first sent after a question. The cookie has signatures only, and none that another browser could use.
const loginCookie = "locator-logins"

// maxLogins is how many servers the cookie holds.
const maxLogins = 40

// upstream names the server of a URL: a login counts for one scheme, host and port.
func upstream(u locator.URL) string {
	port, _ := u.PortNumber()
	return u.Scheme() + "://" + strings.ToLower(u.ASCIIHost()) + ":" + strconv.Itoa(int(port))
}

// asked is what the cookie says: the signatures of servers, each with that of the login that was sent for it.
func (x *exchange) asked() map[string]string {
	c, err := x.r.Cookie(loginCookie)
	if err != nil {
		return nil
	}
	list, signature, ok := strings.Cut(c.Value, ".")
	session := sessionOf(x.r)
	if !ok || session == "" || !x.g.signed(signature, "logins", session, list) {
		return nil
	}
	all := make(map[string]string)
	for item := range strings.SplitSeq(list, "&") {
		if server, login, ok := strings.Cut(item, "="); ok && len(all) < maxLogins {
			all[server] = login
		}
	}
	return all
}

func (x *exchange) keepAsked(all map[string]string) {
	var items []string
	for server, login := range all {
		items = append(items, server+"="+login)
	}
	list := strings.Join(items, "&")
	// A strict cookie would not come with a link of another site, and the next question would replace it.
	x.g.setCookie(x.w, x.r, &http.Cookie{
		Name: loginCookie, Value: list + "." + x.g.sign("logins", x.g.browserSession(x.w, x.r), list), SameSite: http.SameSiteLaxMode,
	})
}

// login returns the login that the browser sends for the server of the URL. ok is false if it sends none, or one that is for another
// server.
func (x *exchange) login() (user, password string, ok bool) {
	user, password, ok = x.r.BasicAuth() // RFC 7617
	if !ok || x.g.isContent(x.r) {
		return "", "", false
	}
	if x.place.view == viewProxy {
		return user, password, true // a program sends what it is told to, for the URL that it is told
	}
	all := x.asked()
	server := x.g.sign("server", upstream(x.u))
	bound, isAsked := all[server]
	if !isAsked {
		return "", "", false
	}
	login := x.g.sign("login", user, password)[:16]
	for other, of := range all {
		if other != server && of == login {
			return "", "", false
		}
	}
	if bound != login {
		all[server] = login
		x.keepAsked(all)
	}
	return user, password, true
}

// principal returns the user for whom the resource is accessed: nil without a login. Connections and what is known of servers are not
// shared between principals.
func (x *exchange) principal() *scheme.Principal {
	user, password, ok := x.login()
	if !ok {
		return nil
	}
	want := x.u
	port, _ := want.PortNumber()
	login := func(_ context.Context, l scheme.LoginRequest) (string, string, bool, error) {
		family := l.Scheme == want.Scheme()
		if s := locator.SyntaxOf(want.Scheme()); s != nil {
			family = family || l.Scheme == s.Family
		}
		if l.Foreign || l.Account || !family || !strings.EqualFold(l.Host, want.ASCIIHost()) || l.Port != port {
			return "", "", false, nil
		}
		if name, ok := l.User.Get(); ok && name != user {
			return "", "", false, nil
		}
		return user, password, true, nil
	}
	return &scheme.Principal{ID: x.g.sign("principal", upstream(want), user, password), Logins: []scheme.LoginFunc{login}}
}

// askLogin makes the response ask the browser for a login, if that is what an error is about.
func (x *exchange) askLogin(err error) {
	if client.CodeOf(err) != scheme.CodeLoginNeeded || !x.u.HasHost() || x.g.isContent(x.r) {
		return
	}
	if x.place.view != viewProxy && !x.ask() {
		return
	}
	user, _ := x.u.User()
	realm := cmp.Or(user, "a user") + " at " + upstream(x.u)
	x.w.Header().Set("WWW-Authenticate", `Basic realm="`+strings.Map(quotable, realm)+`", charset="UTF-8"`)
}

// ask remembers that this browser is asked for a login of the server. It reports whether that can be remembered. Logins that were sent
// stay known, since a browser sends them also to other servers; questions that were not answered make room.
func (x *exchange) ask() bool {
	x.g.browserSession(x.w, x.r)
	all, server := x.asked(), x.g.sign("server", upstream(x.u))
	if _, ok := all[server]; ok { // it stays known which login is of that server
		return true
	}
	if all == nil {
		all = make(map[string]string)
	}
	if len(all) >= maxLogins {
		maps.DeleteFunc(all, func(_, login string) bool { return login == "" })
	}
	if len(all) >= maxLogins {
		return false
	}
	all[server] = ""
	x.keepAsked(all)
	return true
}

// quotable replaces what a quoted string of a header field does not hold.
func quotable(c rune) rune {
	if c < ' ' || c > '~' || c == '"' || c == '\\' {
		return '_'
	}
	return c
}

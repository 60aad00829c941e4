package http

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"strings"
	"unicode"

	"golang.org/x/net/http/httpguts"

	"locator"
	"locator/internal/hint"
	"locator/internal/hostname"
	"locator/scheme"
	"locator/wire"
)

// maxLogins is how many logins are tried per request, and how often the server may report a stale
// nonce.
const maxLogins = 3

// loginState is the state of the login attempts of one request.
type loginState struct {
	user, password string
	logins         int // tried so far
	stale          int
}

// login handles a response of status 401: it finds a login and sets the Authorization of the
// request. The login in the URL is tried first, then those of Env.Login. It returns an error if
// there is none, or the server refused the last.
func (x *session) login(ctx context.Context, a *response) error {
	offers := a.Header.Values("WWW-Authenticate")
	c, ok := chooseChallenge(offers)
	realm := quoteText(c.params["realm"])
	refused := scheme.Replied(scheme.CodeLoginNeeded, a.statusLine(), "login refused (realm \"%s\")", realm)
	sent := x.req.Header.Get("Authorization") != ""
	switch {
	case !ok:
		return scheme.Replied(scheme.CodeLoginNeeded, a.statusLine(),
			"login required, but no supported method is offered (WWW-Authenticate: %s)", quoteText(strings.Join(offers, ", ")))
	case sent && x.tried.logins == 0: // Authorization set by the user as a header line
		return refused
	case sent && strings.EqualFold(c.params["stale"], "true") && x.tried.stale < maxLogins: // the login was right, but the nonce has expired
		x.tried.stale++
		x.req.Header.Set("Authorization", x.authorization(c))
		return nil
	}
	user, password, ok, err := x.credentials(ctx, realm, x.tried.logins)
	switch {
	case err != nil:
		return err
	case !ok && sent:
		return refused
	case !ok:
		return hint.Replied(hint.Login, scheme.CodeLoginNeeded, a.statusLine(), "login required (realm \"%s\")", realm)
	case strings.Contains(user, ":") || strings.ContainsFunc(user, unicode.IsControl):
		return scheme.Replied(scheme.CodeLoginNeeded, a.statusLine(), "a user name with a colon or a control character cannot be sent to this server")
	case sent && user == x.tried.user && password == x.tried.password: // it would be refused again
		return refused
	}
	x.tried.user, x.tried.password = user, password
	x.tried.logins++
	x.req.Header.Set("Authorization", x.authorization(c))
	return nil
}

// authorization returns the Authorization value for a challenge.
func (x *session) authorization(c challenge) string {
	if strings.EqualFold(c.scheme, "Digest") {
		return digest(c, x.req.Method, x.uri(), x.tried.user, x.tried.password, rand.Text())
	}
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(x.tried.user+":"+x.tried.password))
}

// uri returns the request target as the origin server sees it, with or without a proxy.
func (x *session) uri() string {
	if u, err := target(x.s.name, x.at.authority, x.r.URL); err == nil {
		return u.RequestURI()
	}
	return x.req.URL.RequestURI()
}

// preauthorize sets Authorization before the first request if the URL of another scheme, such as
// ftp, has a user name. The proxy logs in to the server with it; without it the proxy would log in
// as anonymous.
func (x *session) preauthorize(ctx context.Context) error {
	u := x.r.URL
	name, named := u.User()
	if s := u.Scheme(); !named || s == "http" || s == "https" {
		return nil
	}
	user, password := locator.Decode(name), ""
	if p, ok := u.Password(); ok {
		password = locator.Decode(p)
	} else {
		port, _ := u.PortNumber()
		_, found, ok, err := x.env.Login(ctx, scheme.LoginRequest{Scheme: u.Scheme(), Host: x.at.host, Port: port, User: locator.Some(user)})
		if err != nil {
			return err
		}
		if !ok {
			return hint.Fail(hint.Login, scheme.CodeLoginNeeded, "no password for user \"%s\"", wire.Escape(user))
		}
		password = found
	}
	if strings.Contains(user, ":") || strings.ContainsFunc(user+password, unicode.IsControl) {
		return scheme.Fail(scheme.CodeLoginNeeded, "a login with a control character, or a colon in its user name, cannot be sent through an http proxy")
	}
	x.tried = loginState{user: user, password: password, logins: 1}
	x.req.Header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(user+":"+password)))
	return nil
}

// credentials returns the login for an attempt: first that of the URL if it has a password, then
// those of Env.Login.
func (x *session) credentials(ctx context.Context, realm string, tries int) (user, password string, ok bool, err error) {
	l := scheme.LoginRequest{Scheme: x.s.name, Host: x.at.host, Realm: realm, Attempt: tries, Secure: x.s.name == "https"}
	l.Port, _ = x.r.URL.PortNumber()
	if v, ok := locator.As[*locator.HTTP](x.r.URL); ok {
		l.User = v.User
		if password, ok := v.Password.Get(); ok {
			if tries == 0 {
				return v.User.Or(""), password, true, nil
			}
			l.Attempt--
		}
	}
	if tries >= maxLogins {
		return "", "", false, nil
	}
	return x.env.Login(ctx, l)
}

// chooseChallenge returns the challenge to answer: the first supported Digest, which does not
// reveal the password, else Basic (RFC 7617 2).
func chooseChallenge(values []string) (best challenge, ok bool) {
	for _, v := range values {
		for _, c := range challenges(v) {
			switch {
			case canDigest(c):
				return c, true
			case strings.EqualFold(c.scheme, "Basic") && !ok:
				best, ok = c, true
			}
		}
	}
	return best, ok
}

// challenge is one way to log in that a server offers (RFC 9110 11.3).
type challenge struct {
	scheme string
	params map[string]string // names in lower case
}

// challenges parses a list of challenges (RFC 9110 11.6.1). A comma separates parameters or
// challenges, depending on what follows it. Invalid parts are skipped.
func challenges(s string) []challenge {
	var list []challenge
	for {
		s = strings.TrimLeft(s, " \t,")
		word, rest := token(s)
		if word == "" {
			if s == "" {
				return list
			}
			s = s[1:]
			continue
		}
		after := strings.TrimLeft(rest, " \t")
		if value, ok := strings.CutPrefix(after, "="); ok && len(list) > 0 {
			value, s = paramValue(strings.TrimLeft(value, " \t"))
			list[len(list)-1].params[strings.ToLower(word)] = value
			continue
		}
		list = append(list, challenge{scheme: word, params: make(map[string]string)})
		if s = rest; after != rest {
			s = token68(after)
		}
	}
}

// token68 returns s without a token68 at its start (RFC 9110 11.2). Unlike a parameter, a token68
// ends in "=" signs.
func token68(s string) (rest string) {
	i := 0
	for i < len(s) && (hostname.IsLabel(s[i]) || strings.IndexByte("._~+/", s[i]) >= 0) {
		i++
	}
	rest = strings.TrimLeft(s[i:], "=")
	if i == 0 || len(rest) == len(s)-i || rest != "" && strings.IndexByte(" \t,", rest[0]) < 0 {
		return s
	}
	return rest
}

func token(s string) (word, rest string) {
	i := 0
	for i < len(s) && httpguts.IsTokenRune(rune(s[i])) {
		i++
	}
	return s[:i], s[i:]
}

// paramValue parses a token or a quoted-string (RFC 9110 5.6.4).
func paramValue(s string) (value, rest string) {
	if !strings.HasPrefix(s, `"`) {
		return token(s)
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:]
		case s[i] == '\\' && i+1 < len(s):
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String(), ""
}

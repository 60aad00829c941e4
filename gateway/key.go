package gateway

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/netip"
	"strings"
)

// newKey returns a key for signatures.
func newKey() []byte {
	key := make([]byte, 32)
	rand.Read(key) // it never fails
	return key
}

// sign returns a signature of parts, for one purpose.
func (g *Gateway) sign(purpose string, parts ...string) string {
	h := hmac.New(sha256.New, g.key)
	for _, p := range append([]string{purpose}, parts...) {
		sum := sha256.Sum256([]byte(p)) // so that no two lists of parts are the same text
		h.Write(sum[:])
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:18])
}

func (g *Gateway) signed(signature, purpose string, parts ...string) bool {
	return hmac.Equal([]byte(signature), []byte(g.sign(purpose, parts...)))
}

// setCookie sets a cookie of the gateway, which no script reads. One that came by https goes back only so.
func (g *Gateway) setCookie(w http.ResponseWriter, r *http.Request, c *http.Cookie) {
	c.Path, c.HttpOnly, c.Secure = "/", true, g.isSecure(r)
	http.SetCookie(w, c)
}

// isSecure reports whether a request came by https, to the gateway or to a trusted proxy, which says so.
func (g *Gateway) isSecure(r *http.Request) bool {
	if r.TLS != nil {
		return true
	}
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	list := strings.Split(strings.Join(r.Header.Values("X-Forwarded-Proto"), ","), ",") // a client may have sent the first ones
	return err == nil && g.trusts(at.Addr()) && strings.EqualFold(strings.TrimSpace(list[len(list)-1]), "HTTPS")
}

// sessionCookie names the cookie of a browser's session. Its value is random.
const sessionCookie = "locator-session"

// browserSession returns the session of the browser. It begins one if there is none; then w must not have a body yet.
func (g *Gateway) browserSession(w http.ResponseWriter, r *http.Request) string {
	if id := sessionOf(r); id != "" {
		return id
	}
	id := rand.Text()
	g.setCookie(w, r, &http.Cookie{Name: sessionCookie, Value: id, SameSite: http.SameSiteLaxMode})
	r.AddCookie(&http.Cookie{Name: sessionCookie, Value: id})
	return id
}

func sessionOf(r *http.Request) string {
	if c, err := r.Cookie(sessionCookie); err == nil && len(c.Value) == len(rand.Text()) {
		return c.Value
	}
	return ""
}

// token returns the token that a form of a page must send.
func (g *Gateway) token(w http.ResponseWriter, r *http.Request) string {
	return g.sign("form", g.browserSession(w, r))
}

// checkToken refuses a form that is not of a page of this session.
func (g *Gateway) checkToken(r *http.Request) error {
	id := sessionOf(r)
	if id == "" || !g.signed(r.PostFormValue("token"), "form", id) {
		return &statusError{http.StatusForbidden, "the form is not of a page that this browser was sent, or is too old; go back, reload the page and send it again. The browser must accept cookies"}
	}
	return nil
}

package gateway

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// keySize is the length of a key for signatures, in bytes.
const keySize = 32

// newKey returns a key for signatures. A file keeps it, so that logins and forms stay right; "" is a key for this gateway only.
func newKey(file string) ([]byte, error) {
	key := make([]byte, keySize)
	rand.Read(key) // it never fails
	if file == "" {
		return key, nil
	}
	kept, err := readKey(file)
	if !errors.Is(err, fs.ErrNotExist) {
		return kept, err
	}
	if err := storeKey(file, key); !errors.Is(err, fs.ErrExist) {
		return key, err
	}
	return readKey(file) // another gateway made it meanwhile
}

// readKey reads a key. Others must not be able to.
func readKey(file string) ([]byte, error) {
	in, err := os.Stat(file)
	switch {
	case err != nil:
		return nil, err
	case !in.Mode().IsRegular() || in.Size() != keySize:
		return nil, fmt.Errorf("%s is not a key of %d bytes; delete it for a new one", file, keySize)
	case in.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows":
		return nil, fmt.Errorf("%s can be read by others; delete it for a new one, since they may have the key", file)
	}
	key, err := os.ReadFile(file)
	if err == nil && len(key) != keySize {
		err = fmt.Errorf("%s changed while it was read", file)
	}
	return key, err
}

// storeKey makes the file of a key, complete or not at all. The error is fs.ErrExist if there is one.
func storeKey(file string, key []byte) error {
	h, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*.part") // only for its owner
	if err != nil {
		return err
	}
	defer os.Remove(h.Name())
	_, err = h.Write(key)
	if err = errors.Join(err, h.Sync(), h.Close()); err != nil {
		return err
	}
	return os.Link(h.Name(), file) // unlike a renamed file, it replaces none
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

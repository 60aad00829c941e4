package httptest

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

// param matches a parameter of Authorization: Digest (RFC 7616 3.4).
var param = regexp.MustCompile(`(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^,\s]+))`)

// knows reports whether a request has valid Digest credentials. If not, it sends a challenge.
func (s *Server) knows(w http.ResponseWriter, r *http.Request) bool {
	p := make(map[string]string)
	if text, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Digest "); ok {
		for _, m := range param.FindAllStringSubmatch(text, -1) {
			p[m[1]] = m[2] + m[3]
		}
	}
	const realm = "the digest area"
	h := func(parts ...string) string {
		sum := sha256.Sum256([]byte(strings.Join(parts, ":")))
		return hex.EncodeToString(sum[:])
	}
	want := h(h(User, realm, Password), p["nonce"], p["nc"], p["cnonce"], p["qop"], h(r.Method, r.RequestURI))
	s.mu.Lock()
	fresh := s.nonces[p["nonce"]]
	delete(s.nonces, p["nonce"])
	s.mu.Unlock()
	if fresh && p["response"] == want && p["uri"] == r.RequestURI && p["username"] == User {
		return true
	}
	nonce := rand.Text()
	s.mu.Lock()
	if s.nonces == nil {
		s.nonces = make(map[string]bool)
	}
	s.nonces[nonce] = true
	s.mu.Unlock()
	w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Digest realm="%s", qop="auth", algorithm=SHA-256, nonce="%s"`, realm, nonce))
	http.Error(w, "401 Unauthorized", http.StatusUnauthorized)
	return false
}

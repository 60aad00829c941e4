package http

import (
	"crypto/md5" // what most servers still ask for (RFC 7616 3.2)
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"hash"
	"slices"
	"strings"
)

// hashFor returns the hash function of an algorithm (RFC 7616 6.1), and whether its name ends in
// "-sess". newHash is nil for an unknown algorithm.
func hashFor(name string) (newHash func() hash.Hash, session bool) {
	name = strings.ToUpper(name)
	name, session = strings.CutSuffix(name, "-SESS")
	switch name {
	case "", "MD5":
		return md5.New, session
	case "SHA-256":
		return sha256.New, session
	case "SHA-512-256":
		return sha512.New512_256, session
	}
	return nil, false
}

// canDigest reports whether c is a supported Digest challenge (RFC 7616 3.3). A challenge with only
// "auth-int" is not supported, since the body would have to be read twice.
func canDigest(c challenge) bool {
	if !strings.EqualFold(c.scheme, "Digest") || c.params["nonce"] == "" {
		return false
	}
	_, realm := c.params["realm"]
	newHash, _ := hashFor(c.params["algorithm"])
	_, qop := c.params["qop"]
	return realm && newHash != nil && (!qop || withAuth(c))
}

// withAuth reports whether c offers the quality of protection "auth". Servers older than RFC 2617
// offer none.
func withAuth(c challenge) bool {
	return slices.ContainsFunc(strings.Split(c.params["qop"], ","), func(s string) bool { return strings.EqualFold(strings.TrimSpace(s), "auth") })
}

// digest returns the Authorization value for a challenge for which canDigest is true (RFC 7616
// 3.4). Each nonce is used once.
func digest(c challenge, method, target, user, password, cnonce string) string {
	newHash, session := hashFor(c.params["algorithm"])
	h := func(parts ...string) string {
		sum := newHash()
		sum.Write([]byte(strings.Join(parts, ":")))
		return hex.EncodeToString(sum.Sum(nil))
	}
	realm, nonce := c.params["realm"], c.params["nonce"]
	const count = "00000001"
	a1 := h(user, realm, password)
	if session {
		a1 = h(a1, nonce, cnonce)
	}
	a2 := h(method, target)
	response := h(a1, nonce, a2)
	if withAuth(c) {
		response = h(a1, nonce, count, cnonce, "auth", a2)
	}
	hashed := strings.EqualFold(c.params["userhash"], "true")
	if hashed {
		user = h(user, realm)
	}
	var b strings.Builder
	b.WriteString("Digest username=" + quote(user) + ", realm=" + quote(realm) + ", nonce=" + quote(nonce) + ", uri=" + quote(target))
	if v, ok := c.params["algorithm"]; ok {
		b.WriteString(", algorithm=" + v)
	}
	if withAuth(c) || session {
		b.WriteString(", cnonce=" + quote(cnonce))
	}
	if withAuth(c) {
		b.WriteString(", qop=auth, nc=" + count)
	}
	if v, ok := c.params["opaque"]; ok {
		b.WriteString(", opaque=" + quote(v))
	}
	if hashed {
		b.WriteString(", userhash=true")
	}
	b.WriteString(", response=" + quote(response))
	return b.String()
}

// quote returns s as a quoted-string (RFC 9110 5.6.4).
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

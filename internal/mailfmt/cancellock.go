package mailfmt

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"locator/scheme"
)

// lock adds the fields of RFC 8315: Cancel-Lock, so that only who knows the secret can withdraw the
// article, and Cancel-Key if the article withdraws another one. Fields that the user wrote stay.
func (h *header) lock(secret string) {
	if secret == "" {
		return
	}
	add := func(name, value string) {
		if !h.has(name) {
			h.add(field{name: name, value: "sha256:" + value, code: scheme.CodeLocal})
		}
	}
	sum := sha256.Sum256([]byte(cancelKey(secret, h.get("Message-ID"))))
	add("Cancel-Lock", base64.StdEncoding.EncodeToString(sum[:]))
	other := h.get("Supersedes")
	if verb, id, _ := strings.Cut(h.get("Control"), " "); strings.EqualFold(verb, "cancel") {
		other = strings.TrimSpace(id)
	}
	if other != "" {
		add("Cancel-Key", cancelKey(secret, other))
	}
}

// cancelKey returns the key of the article with that message-id, which is in angle brackets
// (RFC 8315 4).
func cancelKey(secret, id string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(id))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

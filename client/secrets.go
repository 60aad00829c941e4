package client

import (
	"cmp"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"sync"

	"locator"
	"locator/scheme"
	"locator/scheme/form"
	"locator/wire"
)

// secrets are what an operation sends to a server and nobody else may see: passwords, and header lines that may hold a key. Servers
// repeat them in error messages and status lines.
type secrets struct {
	mu   sync.Mutex
	list []string // the longest first
}

// minSecret is the length of the shortest secret that is masked in what a server says. Shorter ones occur in any text.
const minSecret = 4

// add adds secrets, also in the form that messages show.
func (s *secrets) add(values ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range values {
		for _, form := range []string{v, wire.Escape(v)} {
			if len(form) >= minSecret && !slices.Contains(s.list, form) {
				s.list = append(s.list, form)
			}
		}
	}
	slices.SortStableFunc(s.list, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
}

// addLogin adds a login, also as Basic sends it (RFC 7617 2).
func (s *secrets) addLogin(user, password string) {
	if password != "" {
		s.add(password, base64.StdEncoding.EncodeToString([]byte(user+":"+password)))
	}
}

// addURL adds the passwords of a URL and of those within it.
func (s *secrets) addURL(u locator.URL) {
	for begin, end := range u.PasswordSpans() {
		password := u.Text()[begin:end]
		s.add(password, locator.Decode(password))
	}
	user, _ := u.User()
	password, _ := u.Password()
	s.addLogin(locator.Decode(user), locator.Decode(password))
}

// addHeader adds the values of header lines that may hold a key or a cookie, and the words in them.
func (s *secrets) addHeader(lines []string) {
	for _, line := range lines {
		_, value, _ := strings.Cut(line, ":")
		s.addField(fieldName(line), strings.TrimSpace(value))
	}
}

// addFields is addHeader for fields in the form of net/http.
func (s *secrets) addFields(header http.Header) {
	for name, values := range header {
		for _, value := range values {
			s.addField(strings.ToLower(name), value)
		}
	}
}

func (s *secrets) addField(name, value string) {
	if name == "host" || slices.Contains(foreignFields, name) {
		return
	}
	s.add(value)
	for _, word := range strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(` ,;="`, r) }) {
		if len(word) >= 2*minSecret { // not "Basic" or the name of a cookie
			s.add(word)
		}
	}
}

// addAnswers adds the answers to the fields of a form that must not be shown.
func (s *secrets) addAnswers(f *form.Form, answers []form.Answer) {
	if f == nil {
		return
	}
	for _, field := range f.Fields {
		for _, a := range answers {
			if field.Kind == form.Secret && form.SameName(field.Name, a.Name) {
				s.add(a.Value)
			}
		}
	}
}

// hide returns text with **** for each secret.
func (s *secrets) hide(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, secret := range s.list {
		text = strings.ReplaceAll(text, secret, "****")
	}
	return text
}

// hideError returns err with the secrets in its text masked.
func (s *secrets) hideError(err error) error {
	if err == nil {
		return nil
	}
	if text := err.Error(); s.hide(text) != text {
		return &textError{s.hide(text), err}
	}
	return err
}

// trace returns a trace without the secrets in what a server says, and without the passwords in u in what is sent: a path with a URL may be
// split into several commands. Schemes mask logins that they send.
func (s *secrets) trace(t *scheme.Trace, u locator.URL) *scheme.Trace {
	hidden := *t
	if sent := t.Sent; sent != nil {
		var own secrets
		own.addURL(u)
		hidden.Sent = func(line string) { sent(own.hide(line)) }
	}
	for _, hook := range []*func(string){&hidden.Received, &hidden.Note, &hidden.Warning} {
		if f := *hook; f != nil {
			*hook = func(text string) { f(s.hide(text)) }
		}
	}
	return &hidden
}

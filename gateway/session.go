package gateway

import (
	"crypto/rand"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"locator"
	"locator/client"
	"locator/scheme"
)

// sessionData is what the page of a session shows: a terminal, which a script opens.
type sessionData struct {
	Advice  []string
	Page    template.URL
	Secret  string // the password in the URL, if the user asked to see it
	Hidden  bool   // there is one that is not shown
	Socket  template.URL
	Program string // a command that connects without the gateway
	Address string
	Nonce   string
}

// sessionPage serves the page of a session that is not connected. reveal shows the password that its URL had.
func (x *exchange) sessionPage(res *scheme.Resource, reveal bool) {
	data := &sessionData{
		Page: pathOf(viewPage, x.u), Socket: pathOf(viewSession, x.u), Program: program(res.URL), Address: shown(res.URL).Text(), Nonce: rand.Text(),
	}
	for _, text := range res.Session.Advice() {
		data.Advice = append(data.Advice, line(text))
	}
	if secret, ok := x.g.secrets.get(x.secretKey()); ok {
		if data.Hidden = !reveal; reveal {
			data.Secret = line(secret)
		}
	}
	page := x.newPage(titleOf(res.URL), res.URL, data)
	page.Nonce, page.Token = data.Nonce, x.g.token(x.w, x.r)
	page.Address.Raw, page.Address.Detail = "", "" // it has no bytes and no attributes
	page.Notes = append(page.Notes, res.Notes...)
	if x.r.Method == http.MethodHead {
		ownHeader(x.w.Header())
		x.w.Header().Set(policyField, contentPolicy(page.Nonce))
		return
	}
	o := x.g.begin(x.w, x.r, http.StatusOK, page)
	defer o.Close()
	x.g.render(o, "session", page)
	x.end(o, res, -1)
}

// program returns the command that most systems have for a session, or "" if its protocol starts with TLS. It is named after the
// protocol.
func program(u locator.URL) string {
	s := locator.SyntaxOf(u.Scheme())
	port, ok := u.PortNumber()
	if s == nil || s.TLS || !ok {
		return ""
	}
	return s.Family + " " + strings.Trim(u.ASCIIHost(), "[]") + " " + strconv.Itoa(int(port))
}

// secrets keep the passwords of URLs of sessions, which no server gets, but which a user may have to type. A page is at a URL without
// a password, and shows it only if the user asks.
type secrets struct {
	mu  sync.Mutex
	all map[string]secret
}

type secret struct {
	text string
	ends time.Time
}

// The limits of secrets.
const (
	maxSecrets    = 256
	maxSecretSize = 1 << 10 // bytes
	secretTime    = 10 * time.Minute
)

func (s *secrets) put(key, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	for k, x := range s.all {
		if now.After(x.ends) || len(s.all) >= maxSecrets {
			delete(s.all, k)
		}
	}
	if s.all == nil {
		s.all = make(map[string]secret)
	}
	if len(text) <= maxSecretSize {
		s.all[key] = secret{text, now.Add(secretTime)}
	}
}

func (s *secrets) get(key string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, ok := s.all[key]
	return x.text, ok && time.Now().Before(x.ends)
}

// secretKey names the password of this URL for this browser.
func (x *exchange) secretKey() string {
	return x.g.sign("secret", x.g.browserSession(x.w, x.r), shown(x.u).Text())
}

// keepSecret keeps the password of a URL if it is that of a session. Other passwords are asked for by those who need them. A scheme
// of sessions has no attributes of resources; so nothing is connected to here.
func (x *exchange) keepSecret() {
	if x.r.Method != http.MethodGet || client.CodeOf(x.g.client.Supports(scheme.OpAttributes, x.request())) != scheme.CodeUnsupported {
		return
	}
	res, err := x.access(scheme.AccessOptions{})
	if err != nil {
		return // the page says it
	}
	defer res.Close()
	if res.Kind != scheme.KindSession {
		return
	}
	if text, ok := res.Session.Secret(); ok && text != "" {
		x.g.secrets.put(x.secretKey(), text)
	}
}

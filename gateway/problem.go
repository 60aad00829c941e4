package gateway

import (
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"strconv"

	"locator"
	"locator/client"
	"locator/explain"
	"locator/internal/present"
	"locator/repair"
	"locator/scheme"
)

// statusError is an error of HTTP itself.
type statusError struct {
	status int
	text   string
}

func (e *statusError) Error() string { return e.text }

// statusOf returns the HTTP status of an error.
func statusOf(err error) int {
	if s, ok := errors.AsType[*statusError](err); ok {
		return s.status
	}
	return client.CodeOf(err).HTTP()
}

// problemData is what the page of an error shows.
type problemData struct {
	Status int
	Title  string
	What   string // happened
	Fault  string // whose it is
	Try    []string
	Reply  string // of the server
	Offers []offer
	Means  string
	Lines  []string // of the dialogue
}

// offer is a URL that may be meant.
type offer struct {
	Text string
	Path template.URL
	Why  string
}

// faults say whose fault an error is, and what to try.
var faults = map[scheme.Code]struct {
	title, fault string
	try          []string
}{
	scheme.CodeUsage:       {"Something is missing", "The request is incomplete.", []string{"Fill in all fields and send the form again."}},
	scheme.CodeMalformed:   {"This is not a URL", "The address is wrong.", []string{"Compare it with where you found it."}},
	scheme.CodeRefused:     {"Refused by the gateway", "The rules of this gateway do not allow the address.", []string{"Whoever runs the gateway can change its policy."}},
	scheme.CodeUnreachable: {"The server cannot be reached", "The server does not exist, is down, or lets nobody connect.", []string{"Check the name of the host.", "Try again later."}},
	scheme.CodeLoginNeeded: {"A login is needed", "The server lets only users with a login in, or refused yours.", []string{"Reload the page to enter a user and a password."}},
	scheme.CodeNotFound:    {"Not found", "The server has nothing at this address.", []string{"Go up, and look for it in the listing.", "Compare the address with where you found it."}},
	scheme.CodeGone:        {"Gone", "The server says that it removed this for good.", []string{"Go up, and look for its successor."}},
	scheme.CodeBroken:      {"The transfer broke off", "The connection ended, stalled, or passed a limit of the gateway.", []string{"Reload the page."}},
	scheme.CodeProtocol:    {"The server made a mistake", "The server sent what its protocol does not allow.", []string{"Show the dialogue below to whoever runs the server."}},
	scheme.CodeUnsupported: {"This cannot be shown", "The gateway has no way to do that.", []string{"Look at what the URL means, below."}},
	scheme.CodeLocal:       {"Trouble in the gateway", "The gateway is at fault, not the server.", []string{"Try again later, or tell whoever runs the gateway."}},
	scheme.CodeUnavailable: {"Not now", "The server says that it cannot serve this now.", []string{"Try again later."}},
	scheme.CodeInDoubt:     {"Sent, but not answered", "No answer came, so it may have been done.", []string{"Find out whether it was done before you send it again."}},
	scheme.CodeLoop:        {"A circle", "The server leads from one address to the next without end.", []string{"Tell whoever runs the server."}},
	scheme.CodeUntrusted:   {"The certificate is not trusted", "The server cannot prove who it is.", []string{"Tell whoever runs the server."}},
}

// problem serves an error about a resource.
func (x *exchange) problem(err error) {
	x.askLogin(err)
	if client.CodeOf(err) != scheme.CodeLoginNeeded {
		x.share(nil)
	}
	x.g.problemWith(x.w, x.r, x.place, err, x)
}

// problem serves an error.
func (g *Gateway) problem(w http.ResponseWriter, r *http.Request, p place, err error) {
	g.problemWith(w, r, p, err, nil)
}

func (g *Gateway) problemWith(w http.ResponseWriter, r *http.Request, p place, err error, x *exchange) {
	status, code := statusOf(err), client.CodeOf(err)
	var of *scheme.Error
	if errors.As(err, &of) && of.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(of.RetryAfter.Seconds()+0.999)))
	}
	h := w.Header()
	for _, name := range []string{"Content-Length", "ETag", "Last-Modified", "Accept-Ranges", "Content-Disposition"} {
		h.Del(name)
	}
	if p.view == viewProxy || p.view == viewSession || wantsJSON(r) {
		g.problemDetails(w, status, err, locator.Redact(p.text))
		return
	}
	data := &problemData{Status: status, Title: http.StatusText(status), What: present.Bare(err).Error(), Fault: "The request is wrong."}
	if status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests {
		data.Fault, data.Try = "Too much is asked at once.", []string{"Reload the page later."}
	}
	if _, own := errors.AsType[*statusError](err); !own {
		f := faults[code]
		data.Title, data.Fault, data.Try = f.title, f.fault, f.try
	}
	if of != nil {
		data.Reply = of.Reply
	}
	page := g.newPage(r, data.Title, data)
	page.LogIn = wantsUser(err)
	if p.text != "" && p.view != viewOwn {
		page.Box = locator.Redact(p.text)
		data.Offers = g.offers(p.text, err)
		data.Means = g.means(p.text)
	}
	if x != nil {
		page.Address = addressOf(x.u, x.u)
		data.Lines, _, _ = x.dialogue.text()
	}
	g.whole(w, r, status, "problem", page)
}

// problemDetails sends an error to a program (RFC 9457).
func (g *Gateway) problemDetails(w http.ResponseWriter, status int, err error, target string) {
	var reply string
	if of, ok := errors.AsType[*scheme.Error](err); ok {
		reply = of.Reply
	}
	b, err := json.Marshal(struct {
		Type   string `json:"type"`
		Title  string `json:"title"`
		Status int    `json:"status"`
		Detail string `json:"detail"`
		URL    string `json:"instance,omitempty"`
		Code   string `json:"code"`
		Reply  string `json:"reply,omitempty"`
	}{"about:blank", http.StatusText(status), status, present.Bare(err).Error(), target, client.CodeOf(err).String(), reply})
	if err != nil {
		b = fmt.Appendf(nil, `{"type":"about:blank","status":%d}`, status)
	}
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(append(b, '\n')) // a client that has gone reads nothing
}

// offers returns the URLs that a text may mean.
func (g *Gateway) offers(text string, err error) (list []offer) {
	add := func(u locator.URL, why string) {
		for _, o := range list {
			if o.Text == shown(u).Text() {
				return
			}
		}
		list = append(list, offer{shown(u).Text(), pathOf(viewPage, u), why})
	}
	if len(text) > explain.MaxLength || client.CodeOf(err) != scheme.CodeMalformed {
		return nil
	}
	u, changes, repaired := repair.Parse(locator.Current, text)
	if repaired == nil && len(changes) > 0 {
		add(u, changes[0].String())
	}
	for _, u := range g.found(text) {
		add(u, "found in the text")
	}
	return list
}

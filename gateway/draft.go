package gateway

import (
	"context"
	"crypto/rand"
	"errors"
	"html/template"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"locator"
	"locator/client"
	"locator/internal/compose"
	"locator/internal/mailfmt"
	"locator/internal/present"
	"locator/internal/safename"
	"locator/scheme"
	"locator/scheme/message"
)

// draftData is what the page on which a message is written shows.
type draftData struct {
	Action template.URL
	News   bool
	Fields []draftField
	Body   string
	Quote  bool   // the text of the article can be inserted
	Send   bool   // the message can be sent by this gateway
	Once   string // names this form, which is sent at most once
	Wrong  string
}

// draftField is a field of the header of a message in a form.
type draftField struct {
	ID       string
	Name     string // of the field
	Value    string
	Required bool
}

// What a form about a message asks for: the field "do" of it.
const (
	doFile  = "file"
	doSend  = "send"
	doQuote = "quote"
)

// maxDraftFields is how many fields the form of a message has at most.
const maxDraftFields = 30

// mailFields and newsFields are the fields that every form has, in order.
var (
	mailFields = []string{"From", "To", "Cc", "Bcc", "Subject"}
	newsFields = []string{"From", "Newsgroups", "Followup-To", "Subject"}
)

// writePath returns the path of the page on which a message for u is written; "" if none can be.
func (x *exchange) writePath(u locator.URL) template.URL {
	r := x.request()
	if r.URL = u; x.g.client.Supports(scheme.OpDraft, r) != nil {
		return ""
	}
	return pathWith(u, url.Values{optDraft: {"1"}})
}

// isGroup reports whether articles can be posted to a listing. It connects to no server.
func (x *exchange) isGroup(res *scheme.Resource) bool {
	r := x.request()
	if r.URL = res.URL; x.g.client.Supports(scheme.OpDraft, r) != nil {
		return false
	}
	_, err := x.g.client.Draft(x.r.Context(), r)
	return err == nil
}

// followUp serves the page on which an article for a group, or an answer to a message, is written.
func (x *exchange) followUp() {
	d, err := x.g.client.Draft(x.r.Context(), x.request())
	if err != nil {
		x.problem(err)
		return
	}
	x.draftForm(d, nil, nil)
}

// draftPage serves the page on which the message that a URL describes is written.
func (x *exchange) draftPage(res *scheme.Resource) { x.draftForm(res.Draft, res, nil) }

// draftFields returns the fields of the form of a message, with what the URL says.
func (x *exchange) draftFields(d *message.Draft) (list []draftField) {
	names := mailFields
	if d.News {
		names = newsFields
	}
	values := map[string]string{"to": strings.Join(d.To, ", ")}
	if x.maySend(d) == nil { // the address is not for strangers
		values["from"] = x.g.opt.Client.Mail
	}
	for _, f := range d.Header {
		values[strings.ToLower(f.Name)] = f.Value
		if !slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, f.Name) }) && len(names) < maxDraftFields {
			names = append(slices.Clip(names), f.Name)
		}
	}
	for _, name := range names {
		id := strings.ToLower(name)
		required := id == "from" || d.News && (id == "newsgroups" || id == "subject")
		list = append(list, draftField{ID: "h-" + id, Name: name, Value: values[id], Required: required})
	}
	return list
}

// draftForm serves the form of a message. After a form that was not accepted it has what that had, and says why.
func (x *exchange) draftForm(d *message.Draft, res *scheme.Resource, wrong error) {
	sent := x.r.PostForm
	data := &draftData{
		Action: pathWith(x.u, x.place.opts), News: d.News, Fields: x.draftFields(d), Body: d.Body, Quote: d.Quote != "" && sent.Get("do") != doQuote,
		Send: x.maySend(d) == nil, Once: rand.Text(),
	}
	status := http.StatusOK
	if sent.Has("do") {
		for i := range data.Fields {
			data.Fields[i].Value = sent.Get(data.Fields[i].ID)
		}
		data.Body = lineFeeds.Replace(sent.Get("body"))
		if once := sent.Get("once"); len(once) == len(data.Once) {
			data.Once = once
		}
	}
	if sent.Get("do") == doQuote {
		data.Body = d.Quote + data.Body
	}
	if wrong != nil {
		data.Wrong, status = present.Bare(wrong).Error(), statusOf(wrong)
		x.askLogin(wrong)
	}
	title := "Write a mail"
	if d.News {
		title = "Write an article"
	}
	page := x.newPage(title, x.u, data)
	page.Token = x.g.token(x.w, x.r)
	page.LogIn = wantsUser(x.maySend(d))
	page.Notes = append(page.Notes, d.Notes...)
	if left := compose.Bcc(d, false); len(left) > 0 {
		page.Notes = append(page.Notes, "The link asks for a blind copy to "+shorten(strings.Join(left, ", "), maxFieldShown)+". To send one, write the address under Bcc.")
	}
	if x.r.Method == http.MethodHead {
		ownHeader(x.w.Header())
		return
	}
	o := x.g.begin(x.w, x.r, status, page)
	defer o.Close()
	x.g.render(o, "draft", page)
	x.end(o, res, -1)
}

// lineFeeds makes the line ends of a text in a form those of a draft.
var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// maySend returns why a message cannot be sent by this gateway, or nil.
func (x *exchange) maySend(d *message.Draft) error {
	if !d.Ready {
		return scheme.Fail(scheme.CodeRefused, "this gateway knows no server that takes the message; download it, and send it with another program")
	}
	return x.g.permit(x.r, scheme.OpUpdate, x.u)
}

// sendDraft handles the form of a message.
func (x *exchange) sendDraft(d *message.Draft, res *scheme.Resource) {
	do := x.r.PostForm.Get("do")
	if do == doQuote {
		x.draftForm(d, res, nil)
		return
	}
	m, err := x.complete(d)
	if err != nil {
		x.draftForm(d, res, err)
		return
	}
	switch do {
	case doFile:
		x.sendFile(m)
	case doSend:
		x.submitDraft(d, res, m)
	default:
		x.draftForm(d, res, &statusError{http.StatusBadRequest, "the form says neither to send the message nor to download it"})
	}
}

// complete returns the message of a form. It has what the form has, and nothing else of the URL.
func (x *exchange) complete(d *message.Draft) (*mailfmt.Message, error) {
	var fields []mailfmt.Field
	for _, f := range x.draftFields(d) {
		if value := strings.TrimSpace(x.r.PostForm.Get(f.ID)); value != "" {
			fields = append(fields, mailfmt.Field{Name: f.Name, Value: value, Where: f.Name})
		}
	}
	text := "\n" + lineFeeds.Replace(x.r.PostForm.Get("body")) // with the empty line, none of it is a header line
	return mailfmt.Complete(strings.NewReader(text), mailfmt.Options{Draft: &message.Draft{News: d.News}, Fields: fields, KeepBcc: !d.News, Now: time.Now()})
}

// sendFile sends a message as a file.
func (x *exchange) sendFile(m *mailfmt.Message) {
	name := safename.Portable().Make(m.Subject)
	if strings.TrimSpace(m.Subject) == "" {
		name = "message"
	}
	h := x.w.Header()
	sandbox(h)
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", "message/rfc822")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name + ".eml"}))
	m.WriteTo(x.w) // a client that has gone reads nothing
}

// receiptData is what the page after a message was sent shows.
type receiptData struct {
	News     bool
	Doubt    string // why it is not known whether the message was sent
	ID       string
	Path     template.URL // of the article
	Accepted []string
	Refused  []refusal
	Reply    string
}

type refusal struct{ Recipient, Reply string }

// submitDraft sends a message.
func (x *exchange) submitDraft(d *message.Draft, res *scheme.Resource, m *mailfmt.Message) {
	err := x.maySend(d)
	if err == nil {
		err = x.g.allow(x.r, scheme.OpUpdate)
	}
	if err != nil {
		x.draftForm(d, res, err)
		return
	}
	once := x.r.PostForm.Get("once")
	if len(once) != len(rand.Text()) {
		x.draftForm(d, res, &statusError{http.StatusBadRequest, "a part of the form is missing"})
		return
	}
	if once = sessionOf(x.r) + " " + once; !x.g.sent.begin(once) {
		x.problem(&statusError{http.StatusConflict, "this form was sent already; to send another message, open its page again"})
		return
	}
	done, err := x.update(m)
	data := &receiptData{News: d.News, ID: m.ID}
	var receipt *scheme.Receipt
	if err != nil {
		if client.CodeOf(err) != scheme.CodeInDoubt {
			x.g.sent.end(once)
			x.draftForm(d, res, err)
			return
		}
		data.Doubt = present.Bare(err).Error()
		if of, ok := errors.AsType[*scheme.Error](err); ok && of.Partial != nil {
			done = of.Partial
		}
	}
	if done != nil {
		defer done.Close()
		if receipt = done.Receipt; d.News && !done.URL.IsZero() {
			data.Path = pathOf(viewPage, done.URL)
		}
	}
	if receipt != nil {
		data.Reply = receipt.Reply
		for _, a := range receipt.Accepted {
			data.Accepted = append(data.Accepted, line(a))
		}
		for _, r := range receipt.Refused {
			data.Refused = append(data.Refused, refusal{line(r.Recipient), r.Reply})
		}
	}
	x.receipt(data, done)
}

// sendTime bounds how long a message is sent.
const sendTime = 5 * time.Minute

// update hands a message to its server.
func (x *exchange) update(m *mailfmt.Message) (*scheme.Resource, error) {
	n, err := m.Size()
	if err != nil {
		return nil, err
	}
	text := m.Reader()
	defer text.Close()
	// A browser that goes away must not leave a message half sent.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(x.r.Context()), sendTime)
	defer cancel()
	r := x.request()
	if !x.u.HasHost() { // a configured server
		r.Principal = &scheme.Principal{ID: "sender", Logins: x.g.opt.Logins}
	}
	return x.g.client.Update(ctx, r, scheme.Body{Reader: text, Size: scheme.Known(n)}, &scheme.WriteOptions{Whole: true})
}

// receipt serves the page after a message was sent, or may have been.
func (x *exchange) receipt(data *receiptData, res *scheme.Resource) {
	title, status := "The message was sent", http.StatusOK
	switch {
	case data.Doubt != "":
		title, status = "The message may have been sent", scheme.CodeInDoubt.HTTP()
	case len(data.Refused) > 0:
		title = "The message was sent to some recipients"
	case data.News:
		title = "The article was posted"
	}
	page := x.newPage(title, x.u, data)
	if res != nil {
		page.Notes = append(page.Notes, res.Notes...)
	}
	o := x.g.begin(x.w, x.r, status, page)
	defer o.Close()
	x.g.render(o, "receipt", page)
	x.end(o, res, -1)
}

package gateway

import (
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"locator/internal/present"
	"locator/scheme"
	"locator/scheme/form"
)

// formData is what the page of a form shows.
type formData struct {
	Action template.URL
	Fields []field
	Multi  bool   // it has a file
	Send   bool   // it may be sent
	Search string // the URL of a search, which its answers become a part of; "" for a form that is sent to the server
	Wrong  string
}

// field is a field of a form.
type field struct {
	ID      string
	Name    string // the prompt
	Input   string // the control: text, password, lines, choice, switch, file or note
	Value   string
	Options []string
	First   bool
}

// inputs are the controls of the kinds of field.
var inputs = map[form.Kind]string{
	form.Text: "text", form.Secret: "password", form.Lines: "lines", form.Choice: "choice", form.Switch: "switch", form.File: "file", form.Note: "note",
}

// formPage serves the page of a query or a form. wrong is why what was sent is not accepted.
func (x *exchange) formPage(res *scheme.Resource, status int, wrong error) {
	refused := x.maySubmit(res)
	if wrong == nil {
		wrong = refused
	}
	page := x.newPage(titleOf(x.u), res.URL, x.formOf(res, wrong))
	page.Notes = append(page.Notes, res.Notes...)
	if res.Kind == scheme.KindForm {
		page.Token = x.g.token(x.w, x.r)
	} else {
		x.share(res)
	}
	page.Fill().Send, page.LogIn = refused == nil, wantsUser(refused)
	o := x.g.begin(x.w, x.r, status, page)
	defer o.Close()
	x.g.render(o, "form", page)
	x.end(o, res, -1)
}

// maySubmit returns why the client of the gateway may not send a form, or nil. A search changes nothing.
func (x *exchange) maySubmit(res *scheme.Resource) error {
	if res.Kind != scheme.KindForm {
		return nil
	}
	return x.g.permit(x.r, scheme.OpUpdate, x.u)
}

// formOf returns what the page of a form shows.
func (x *exchange) formOf(res *scheme.Resource, wrong error) *formData {
	data := &formData{Action: pathOf(viewPage, x.u)}
	if res.Kind != scheme.KindForm {
		data.Search = shown(x.u).Text()
	}
	if wrong != nil {
		data.Wrong = present.Bare(wrong).Error()
	}
	for i, f := range res.Form.Fields {
		entry := field{ID: "f" + strconv.Itoa(i), Name: line(f.Name), Input: inputs[f.Kind], Value: f.Default, Options: f.Options, First: i == 0}
		if sent := x.r.PostForm; wrong != nil && sent.Has(entry.ID) {
			entry.Value = sent.Get(entry.ID)
		}
		data.Multi = data.Multi || f.Kind == form.File
		data.Fields = append(data.Fields, entry)
	}
	return data
}

// post handles what a form of a page sends.
func (x *exchange) post() {
	x.r.Body = http.MaxBytesReader(x.w, x.r.Body, maxForm)
	var err error
	if strings.HasPrefix(x.r.Header.Get("Content-Type"), "multipart/form-data") {
		if err = x.r.ParseMultipartForm(1 << 20); err == nil {
			defer x.r.MultipartForm.RemoveAll()
		}
	} else {
		err = x.r.ParseForm()
	}
	if err != nil {
		x.problem(&statusError{http.StatusRequestEntityTooLarge, "the form cannot be read, or is too long"})
		return
	}
	if err := x.g.checkToken(x.r); err != nil {
		x.problem(err)
		return
	}
	if x.place.opts.Has(optDraft) {
		d, err := x.g.client.Draft(x.r.Context(), x.request())
		if err != nil {
			x.problem(err)
			return
		}
		x.sendDraft(d, nil)
		return
	}
	res, err := x.access(scheme.AccessOptions{})
	if err != nil {
		x.problem(err)
		return
	}
	defer res.Close()
	switch {
	case res.Kind == scheme.KindForm:
		x.submit(res)
	case res.Kind == scheme.KindDraft:
		x.sendDraft(res.Draft, res)
	case res.Kind == scheme.KindSession:
		x.sessionPage(res, true)
	default:
		x.problem(&statusError{http.StatusMethodNotAllowed, "this resource takes no form"})
	}
}

// optAnswer is the first answer to a search.
const optAnswer = "f0"

// search leads the browser to the URL of a search, which its answers are a part of.
func (x *exchange) search() {
	page, err := x.access(scheme.AccessOptions{})
	if err != nil {
		x.problem(err)
		return
	}
	defer page.Close()
	if page.Form == nil || page.Kind == scheme.KindForm {
		x.problem(&statusError{http.StatusBadRequest, "this resource is not searched"})
		return
	}
	answers, err := x.answers(page.Form, x.place.opts)
	if err != nil {
		x.formPage(page, http.StatusBadRequest, err)
		return
	}
	to, ok := x.g.client.Fill(x.request(), page.Form, answers)
	if !ok {
		x.problem(scheme.Fail(scheme.CodeUnsupported, "the search has no URL"))
		return
	}
	x.g.redirect(x.w, x.r, string(pathOf(viewPage, to)))
}

// submit sends the answers to a form.
func (x *exchange) submit(page *scheme.Resource) {
	answers, err := x.answers(page.Form, x.r.PostForm)
	if err != nil {
		x.formPage(page, http.StatusBadRequest, err)
		return
	}
	err = x.maySubmit(page)
	if err == nil {
		err = x.g.allow(x.r, scheme.OpUpdate)
	}
	if err != nil {
		x.formPage(page, statusOf(err), err)
		return
	}
	res, err := x.g.client.Submit(x.r.Context(), x.request(), scheme.SubmitOptions{Answers: answers, Form: page.Form, Accept: x.accept()})
	if err != nil {
		x.problem(err)
		return
	}
	defer res.Close()
	if res.URL.IsZero() {
		res.URL = x.u
	}
	x.answer(res)
}

// answer serves the response to a form.
func (x *exchange) answer(res *scheme.Resource) {
	switch res.Kind {
	case scheme.KindListing:
		x.listing(res)
	case scheme.KindObject:
		x.object(res)
	case scheme.KindQuery, scheme.KindForm:
		x.formPage(res, http.StatusOK, nil)
	default:
		x.problem(scheme.Fail(scheme.CodeUnsupported, "the gateway has no page for a %s", res.Kind))
	}
}

// answers returns what was sent for the fields of a form.
func (x *exchange) answers(f *form.Form, sent url.Values) (list []form.Answer, err error) {
	for i, field := range f.Fields {
		id := "f" + strconv.Itoa(i)
		switch field.Kind {
		case form.Note:
		case form.File:
			file, _, err := x.r.FormFile(id)
			if err != nil {
				return nil, &statusError{http.StatusBadRequest, "choose a file for " + line(field.Name)}
			}
			list = append(list, form.Answer{Name: field.Name, File: file})
		case form.Switch:
			value := "0"
			if sent.Has(id) {
				value = "1"
			}
			list = append(list, form.Answer{Name: field.Name, Value: value})
		default:
			list = append(list, form.Answer{Name: field.Name, Value: strings.ReplaceAll(sent.Get(id), "\r\n", "\n")})
		}
	}
	return list, nil
}

package gateway

import (
	"html/template"
	"net/http"

	"locator/internal/present"
	"locator/scheme"
)

// optInfo is the option of the page of the attributes of a resource, which is not opened for it.
const optInfo = "info"

// infoData is what that page shows.
type infoData struct {
	Open template.URL // the path of the page of the resource
	Attr []present.Attribute
}

// info serves what a server says of a resource.
func (x *exchange) info() {
	res, err := x.g.client.Attributes(x.r.Context(), x.request(), &scheme.AttributesOptions{Accept: x.accept()})
	if err != nil {
		x.problem(err)
		return
	}
	defer res.Close()
	e := scheme.Entry{URL: x.u}
	page := x.newPage(titleOf(e.PlainURL()), res.URL, &infoData{Open: pathOf(viewPage, e.PlainURL()), Attr: attributesOf(res)})
	page.Notes = append(page.Notes, res.Notes...)
	if x.r.Method == http.MethodHead {
		ownHeader(x.w.Header())
		return
	}
	x.share(res)
	o := x.g.begin(x.w, x.r, http.StatusOK, page)
	defer o.Close()
	x.g.render(o, "info", page)
	x.end(o, res, -1)
}

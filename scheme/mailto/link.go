package mailto

import (
	"strings"

	"locator"
	"locator/internal/addrspec"
	"locator/scheme"
	"locator/scheme/message"
)

// Link returns the mailto URL of a draft, for a mail program (RFC 6068). It has the recipients, the
// fields that a link may set, and those of d.Bcc: the caller removes them if the user does not want
// blind copies. Lines of the body end in CR LF.
func (Scheme) Link(d *message.Draft) (locator.URL, error) {
	v := &locator.Mailto{To: []string{}}
	for _, text := range d.To {
		a, err := addrspec.Parse(text)
		if err != nil {
			return locator.URL{}, notAddress(text, err)
		}
		v.To = append(v.To, a.String())
	}
	for _, h := range d.Header {
		f, ok := fields[strings.ToLower(h.Name)]
		if !ok || f.name == "body" {
			continue
		}
		v.Headers = append(v.Headers, locator.Pair{Name: strings.ToLower(h.Name), Value: h.Value})
	}
	if len(d.Bcc) > 0 {
		v.Headers = append(v.Headers, locator.Pair{Name: "bcc", Value: strings.Join(d.Bcc, ", ")})
	}
	if d.Body != "" {
		v.Headers = append(v.Headers, locator.Pair{Name: "body", Value: strings.ReplaceAll(lineEnds.Replace(d.Body), "\n", "\r\n")})
	}
	u, err := locator.Build(v)
	if err != nil {
		return u, scheme.Fail(scheme.CodeMalformed, "the draft has no URL: %w", err)
	}
	if _, err = newDraft(u); err != nil { // a line end in a field
		return locator.URL{}, err
	}
	return u, nil
}

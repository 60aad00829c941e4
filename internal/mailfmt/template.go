package mailfmt

import (
	"io"
	"strings"

	"locator/scheme"
	"locator/scheme/message"
)

// Template returns a message for an editor: the header lines that r, the Fields and the Draft have,
// a line From: in any case, an empty line, and the text of r, else the Body and the Quote of the
// Draft. Lines end in LF. Its errors are those of [Complete].
func Template(r io.Reader, o Options) (string, error) {
	d := o.Draft
	if d == nil {
		d = &message.Draft{}
	}
	t, h, err := readText(r)
	if err != nil {
		return "", err
	}
	if err := h.overlay(d, o); err != nil {
		return "", err
	}
	if !h.has("From") {
		h.fields = append([]field{{name: "From", value: o.Mail, where: "the configured mail address", code: scheme.CodeLocal}}, h.fields...)
	}
	if !h.has("Subject") {
		h.add(field{name: "Subject"})
	}
	if err := h.checkText(); err != nil {
		return "", err
	}
	var b strings.Builder
	for _, f := range h.fields {
		b.WriteString(f.name + ": " + f.value + "\n")
	}
	b.WriteString("\n")
	if t.about.empty {
		b.WriteString(d.Body + d.Quote)
		return b.String(), nil
	}
	if err := t.rewind(); err != nil {
		return "", err
	}
	if _, err := io.Copy(&b, t.r); err != nil {
		return "", unreadable(err)
	}
	return strings.ReplaceAll(b.String(), "\r\n", "\n"), nil
}

package corpus

import (
	"fmt"
	"io/fs"
	"strings"
)

// Label is one marked place.
type Label struct {
	Form         string   // wrapped, prefixed, angled, bare or attr; not, any, web, mail or iri
	Offset       int      // of the place, in bytes from the start of the text without marks
	Length       int      // in bytes
	Line         int      // from 1
	URL          string   // with its fragment; with the scheme that a web or mail label leaves out
	Alternatives []string // other readings, after a hyphen at the end of a line
	Region       bool     // the place contains an encoded URL: only the URL is compared, not its span
}

// counts reports whether a finder must find the label.
func (l *Label) counts(options Options) bool {
	switch l.Form {
	case "not", "any":
		return false
	case "web", "mail", "iri":
		return options.Optional == l.Form
	}
	return true
}

// form returns the form of a find that matches the label.
func (l *Label) form() string {
	switch l.Form {
	case "web", "mail", "iri":
		return "bare"
	}
	return l.Form
}

// Document is a text and its labels, in the order of their offsets.
type Document struct {
	Name   string // of the file
	Kind   string // of the text: the name up to the first hyphen
	Text   string // without marks
	Labels []Label
}

const (
	open      = "⟦"
	separator = "¦"
	closing   = "⟧"
	formFeed  = "␌"
)

// Read reads all documents of a folder. README.md is not one of them.
func Read(folder fs.FS) ([]Document, error) {
	files, err := fs.ReadDir(folder, ".")
	if err != nil {
		return nil, err
	}
	var all []Document
	for _, f := range files {
		if f.Name() == "README.md" {
			continue
		}
		marked, err := fs.ReadFile(folder, f.Name())
		if err != nil {
			return nil, err
		}
		d, err := parse(f.Name(), string(marked))
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

// parse removes the marks from a text.
func parse(name, marked string) (Document, error) {
	d := Document{Name: name}
	var hyphen bool
	if d.Kind, _, hyphen = strings.Cut(name, "-"); !hyphen {
		return d, fmt.Errorf("corpus: %s: the name is not KIND-NAME", name)
	}
	var text strings.Builder
	line := 1
	write := func(s string) {
		line += strings.Count(s, "\n")
		text.WriteString(s)
	}
	rest := strings.ReplaceAll(marked, formFeed, "\f")
	for {
		before, after, found := strings.Cut(rest, open)
		write(before)
		if strings.Contains(before, closing) || strings.Contains(before, separator) {
			return d, fmt.Errorf("corpus: %s:%d: a mark outside a label", name, line)
		}
		if !found {
			d.Text = text.String()
			return d, nil
		}
		inside, after, found := strings.Cut(after, closing)
		if !found || strings.Contains(inside, open) {
			return d, fmt.Errorf("corpus: %s:%d: the label is not closed", name, line)
		}
		l, place, err := label(inside)
		if err != nil {
			return d, fmt.Errorf("corpus: %s:%d: %w", name, line, err)
		}
		l.Offset, l.Length, l.Line = text.Len(), len(place), line
		d.Labels = append(d.Labels, l)
		write(place)
		rest = after
	}
}

// label reads FORM¦TEXT, FORM¦TEXT¦URL or FORM¦TEXT¦URL¦ALTERNATIVE... and returns the TEXT beside
// the label.
func label(inside string) (l Label, place string, err error) {
	parts := strings.Split(inside, separator)
	if len(parts) < 2 || parts[1] == "" {
		return l, "", fmt.Errorf("%q is not FORM%sTEXT", inside, separator)
	}
	place = parts[1]
	l.Form, l.Region = strings.CutSuffix(parts[0], "~")
	switch l.Form {
	case "wrapped", "prefixed", "angled", "bare", "attr":
	case "not", "any", "web", "mail", "iri":
		if len(parts) > 2 || l.Region {
			return l, "", fmt.Errorf("%q: the form has no URL", inside)
		}
		l.URL = map[string]string{"web": "http://", "mail": "mailto:"}[l.Form] + place
		return l, place, nil
	default:
		return l, "", fmt.Errorf("%q: unknown form", inside)
	}
	if len(parts) > 2 {
		l.URL, l.Alternatives = parts[2], parts[3:]
		return l, place, nil
	}
	if l.URL = plainURL(l.Form, place); strings.ContainsAny(l.URL, "\t\n ") || l.Region {
		return l, "", fmt.Errorf("%q: write the URL", inside)
	}
	return l, place, nil
}

// plainURL removes the wrapper or prefix of a form.
func plainURL(form, place string) string {
	cut := func(prefix string) {
		if len(place) >= len(prefix) && strings.EqualFold(place[:len(prefix)], prefix) {
			place = place[len(prefix):]
		}
	}
	switch form {
	case "wrapped":
		cut("<url:")
		return strings.TrimSuffix(place, ">")
	case "angled":
		cut("<")
		return strings.TrimSuffix(place, ">")
	case "prefixed":
		cut("url:")
		return strings.TrimLeft(place, " ")
	}
	return place
}

// CRLF returns the document with CR LF at the ends of lines.
func (d *Document) CRLF() Document {
	c := Document{Name: d.Name, Kind: d.Kind, Text: strings.ReplaceAll(d.Text, "\n", "\r\n")}
	for _, l := range d.Labels {
		l.Length += strings.Count(d.Text[l.Offset:l.Offset+l.Length], "\n")
		l.Offset += strings.Count(d.Text[:l.Offset], "\n")
		c.Labels = append(c.Labels, l)
	}
	return c
}

package http

import (
	"bufio"
	"encoding/json"
	"errors"
	nethttp "net/http"
	"strings"
	"time"

	"locator"
	"locator/internal/jsontext"
	"locator/scheme"
)

// mediaObjects is the media type of a listing of objects, one per line, as "locator list --json" prints them. The gateway of this
// project sends it to a program that accepts it.
const mediaObjects = "application/x-ndjson"

// object is an entry of a listing of objects, or the error with which the listing ends.
type object struct {
	Name, URL, Plain, Kind, Type, Precision, Abstract, Admin text
	From, ID, Owner, Group, Target, Mode                     text
	Modified                                                 time.Time
	Size, Lines, Score                                       *int64
	References                                               []text
	Alternates, Mirrors                                      []object
	Unread                                                   bool
	Error                                                    *text
}

// text is a string of which bytes may not be UTF-8.
type text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	s, err := jsontext.Parse(b)
	*t = text(s)
	return err
}

func isObjects(mediaType string) bool {
	t, _, _ := strings.Cut(mediaType, ";")
	return strings.EqualFold(strings.TrimSpace(t), mediaObjects)
}

// objects yields the entries of a listing of objects. Unlike those of an index page they may lead anywhere, as the items of a menu do. unframed says that only
// the end of the connection ends the listing, so that it may be cut.
func objects(res *scheme.Resource, unframed bool, env *scheme.Env, most int, yield func(scheme.Entry, error) bool) {
	limits := env.Limits
	lines := bufio.NewScanner(nethttp.MaxBytesReader(nil, res.Body, limits.Listing))
	lines.Buffer(nil, maxToken)
	for n := 0; lines.Scan(); {
		if len(lines.Bytes()) == 0 {
			continue
		}
		if n++; n > limits.Entries {
			yield(scheme.Entry{}, scheme.Fail(scheme.CodeBroken, "the listing exceeds the limit of %d entries", limits.Entries))
			return
		}
		var o object
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			yield(scheme.Entry{}, scheme.Fail(scheme.CodeBroken, "line %d of the listing is not the object of an entry", n))
			return
		}
		if o.Error != nil {
			yield(scheme.Entry{}, scheme.Fail(scheme.CodeBroken, "the gateway cannot read the rest of the listing: %s", quoteText(string(*o.Error))))
			return
		}
		if !yield(o.entry(), nil) || n == most {
			return
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong), errors.As(err, new(*nethttp.MaxBytesError)):
		yield(scheme.Entry{}, scheme.Fail(scheme.CodeBroken, "the listing exceeds the limit of %d bytes, or %d in a line", limits.Listing, maxToken))
	case err != nil:
		yield(scheme.Entry{}, err)
	case unframed:
		yield(scheme.Entry{Name: "the listing may be cut: it has no length", Kind: scheme.KindNote, Unread: true}, nil)
	}
}

// entry returns the entry of an object.
func (o *object) entry() scheme.Entry {
	e := scheme.Entry{Name: string(o.Name), Kind: scheme.KindNote, Target: string(o.Target), Unread: o.Unread}
	e.Attr = scheme.Attr{
		Size: known(o.Size), Lines: known(o.Lines), Score: known(o.Score), Modified: o.Modified, Type: string(o.Type), Abstract: string(o.Abstract), Admin: string(o.Admin),
		From: string(o.From), ID: string(o.ID), Owner: string(o.Owner), Group: string(o.Group),
	}
	if len(o.Mode) == len("-rwxrwxrwx") {
		for _, c := range o.Mode[1:] {
			if e.Attr.Mode <<= 1; c != '-' {
				e.Attr.Mode |= 1
			}
		}
	}
	switch o.Precision {
	case "minute":
		e.Attr.Precision = time.Minute
	case "day":
		e.Attr.Precision = 24 * time.Hour
	}
	for _, id := range o.References {
		e.Attr.References = append(e.Attr.References, string(id))
	}
	if o.URL != "" {
		u, err := locator.Current.Parse(string(o.URL))
		if e.URL, e.Unread = u, o.Unread || err != nil; err == nil {
			e.Kind = kindOf(string(o.Kind))
			if plain, err := locator.Current.Parse(string(o.Plain)); err == nil && plain.Text() != e.PlainURL().Text() {
				e.Plain = plain
			}
		}
	}
	e.Alternates, e.Mirrors = entries(o.Alternates), entries(o.Mirrors)
	return e
}

func entries(list []object) (all []scheme.Entry) {
	for i := range list {
		all = append(all, list[i].entry())
	}
	return all
}

func known(n *int64) (c scheme.Count) {
	if n != nil && *n >= 0 {
		return scheme.Known(*n)
	}
	return c
}

// kindOf returns the kind of a name, and KindUnknown for another text.
func kindOf(name string) scheme.Kind {
	for k := scheme.KindUnknown; k < scheme.KindNote; k++ {
		if k.String() == name {
			return k
		}
	}
	return scheme.KindUnknown
}

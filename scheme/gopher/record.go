package gopher

import (
	"bufio"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"

	"locator/internal/octet"
	"locator/scheme"
)

// record is an item with its attribute blocks (the Gopher+ document 2.5).
type record struct {
	item   item
	blocks []attrBlock
}

// attrBlock is one block, in the order of the reply. Names may repeat.
type attrBlock struct {
	name  string   // "+ADMIN"
	value string   // the rest of the line of the name
	lines []string // each without its leading blank
}

// Blocks of the Gopher+ document 2.6.
const (
	infoBlock     = "+INFO" // the first block of a record
	adminBlock    = "+ADMIN"
	abstractBlock = "+ABSTRACT"
)

// records yields the records of in.
//
// QUIRK: the colon after a name may be missing (umn-2.3.0, 06), and so may the blank before a line.
func (a *reply) records(in *bufio.Reader) iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		var rec record
		limits, lines := a.env.Limits, a.lines(in)
		for n, size := 0, 0; ; {
			text, err := lines.read()
			name, value := blockHead(text)
			if len(rec.blocks) > 0 && (name == infoBlock || err == io.EOF) {
				if n++; n > limits.Entries {
					err = scheme.Fail(scheme.CodeBroken, "the menu passed the limit of %d entries", limits.Entries)
				} else if !yield(rec, nil) {
					return
				}
				rec, size = record{}, 0
			}
			if size += len(text) + 1; err == nil && size > limits.Header {
				err = scheme.Fail(scheme.CodeBroken, "the attributes of an item passed the limit of %d bytes", limits.Header)
			}
			switch {
			case err == io.EOF:
				return
			case err != nil:
				yield(record{}, a.failed(err))
				return
			case name != "":
				if name == infoBlock {
					rec.item = parseItem(value)
				}
				rec.blocks = append(rec.blocks, attrBlock{name, value, nil})
			case len(rec.blocks) > 0:
				b := &rec.blocks[len(rec.blocks)-1]
				b.lines = append(b.lines, strings.TrimPrefix(text, " "))
			}
		}
	}
}

// blockHead parses the first line of a block. name is "" for any other line.
func blockHead(line string) (name, value string) {
	if len(line) < 2 || line[0] != '+' || !octet.IsAlphanumeric(line[1]) {
		return "", ""
	}
	end := strings.IndexAny(line, ": \t")
	if end < 0 {
		end = len(line)
	}
	value = strings.TrimPrefix(line[end:], ":")
	return line[:end], strings.TrimPrefix(value, " ")
}

// find returns the first block of that name.
func (rec record) find(name string) (attrBlock, bool) {
	for _, b := range rec.blocks {
		if b.name == name {
			return b, true
		}
	}
	return attrBlock{}, false
}

// attr returns the attributes of the record. The type and size are those of the first view; the
// size is known only if it is in bytes. The abstract is that of the first +ABSTRACT block. More has
// all blocks.
func (rec record) attr(chars charset) scheme.Attr {
	var a scheme.Attr
	for i, v := range rec.views() {
		if i == 0 {
			a.Type, a.Size = v.media(), v.octets()
		}
	}
	for _, b := range rec.blocks {
		first := len(a.More)
		if b.value != "" {
			a.More = append(a.More, scheme.Attribute{Block: b.name, Value: chars.fields(b.value)})
		}
		switch b.name {
		case adminBlock:
			for _, line := range b.lines {
				name, value, _ := strings.Cut(line, ":")
				value = strings.TrimSpace(value)
				a.More = append(a.More, scheme.Attribute{Block: b.name, Name: chars.text(name), Value: chars.text(value)})
				switch {
				case name == "Admin" && a.Admin == "":
					a.Admin = chars.text(value)
				case name == "Mod-Date" && a.Modified.IsZero():
					a.Modified = modified(value)
				}
			}
		case viewsBlock:
			for _, line := range b.lines {
				v := parseView(line)
				a.More = append(a.More, scheme.Attribute{Block: b.name, Name: chars.text(v.name()), Value: chars.text(v.size)})
			}
		default:
			var lines []string
			for _, line := range b.lines {
				lines = append(lines, chars.fields(line))
			}
			if lines != nil {
				a.More = append(a.More, scheme.Attribute{Block: b.name, Value: strings.Join(lines, "\n")})
			}
		}
		if b.name == abstractBlock && a.Abstract == "" && len(a.More) > first {
			a.Abstract = a.More[first].Value
		}
	}
	return a
}

// fields decodes a text and keeps its TABs.
func (c charset) fields(s string) string {
	parts := strings.Split(s, "\t")
	for i := range parts {
		parts[i] = c.text(parts[i])
	}
	return strings.Join(parts, "\t")
}

// modified parses "... <YYYYMMDDhhmmss>".
//
// QUIRK: it is the local time of the server in an unknown zone. It is taken as UTC.
func modified(value string) time.Time {
	_, stamp, ok := strings.Cut(value, "<")
	stamp, _, ok2 := strings.Cut(stamp, ">")
	t, err := time.Parse("20060102150405", stamp)
	if !ok || !ok2 || err != nil {
		return time.Time{}
	}
	return t
}

// blocks reads the items of a menu with their attributes (RFC 1738 3.4.6).
func (a *reply) blocks(r options) (*scheme.Resource, error) {
	return &scheme.Resource{
		Kind: scheme.KindListing, Attr: scheme.Attr{Type: mediaPlusMenu}, Closer: a,
		Entries: func(yield func(scheme.Entry, error) bool) {
			defer a.Close()
			n := 0
			for rec, err := range a.records(a.stream(r.copy)) {
				if err != nil {
					yield(scheme.Entry{}, err)
					return
				}
				if n++; !yield(a.described(rec), nil) || n == r.max {
					return
				}
			}
		},
	}, nil
}

// described returns the entry of an item with its attributes. Its views are the alternates.
func (a *reply) described(rec record) scheme.Entry {
	if rec.item.typ == 0 {
		rec.item.typ = 'i' // blocks without an item
	}
	e := a.reader.entry(rec.item)
	attr := rec.attr(a.reader.chars)
	if attr.Type == "" {
		attr.Type = e.Attr.Type
	}
	attr.More = append(e.Attr.More, attr.More...)
	e.Attr = attr
	q, err := newPlace(e.URL)
	if err != nil || e.Kind != scheme.KindObject && e.Kind != scheme.KindListing {
		return e
	}
	views := rec.views()
	if len(views) > maxAlternates {
		if !a.views {
			a.views = true
			a.env.Tell("an item has more than " + strconv.Itoa(maxAlternates) + " views: the others are left out")
		}
		views = views[:maxAlternates]
	}
	for _, view := range views {
		q.plus = command{verb: '+', arg: view.name()}
		u, err := q.url()
		if err != nil {
			continue
		}
		alt := scheme.Entry{Name: a.reader.chars.text(view.name()), URL: u, Kind: e.Kind}
		alt.Attr.Type, alt.Attr.Size = view.media(), view.octets()
		for _, m := range [][2]string{{"language", view.language}, {"size", view.size}} {
			if m[1] != "" {
				alt.Attr.More = append(alt.Attr.More, scheme.Attribute{Name: m[0], Value: a.reader.chars.text(m[1])})
			}
		}
		e.Alternates = append(e.Alternates, alt)
	}
	return e
}

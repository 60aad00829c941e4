package gopher

import (
	"bufio"
	"io"
	"iter"
	"strings"
	"time"

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

// records reads records.
type records struct {
	lines *lines
	max   int    // bytes of a record, with line ends
	info  string // the +INFO line of the next record, if it has been read
	ended bool
}

// records returns the records of in, which begin with begin.
func (a *reply) records(in *bufio.Reader, begin []byte) *records {
	limits := a.env.Limits
	return &records{
		lines: newLines(in, begin, limits.Line, limits.Listing, a.idle.sawEndMark, a.env.Tell),
		max:   limits.Header,
	}
}

// Blocks of the Gopher+ document 2.6.
const (
	infoBlock     = "+INFO" // the first block of a record
	adminBlock    = "+ADMIN"
	abstractBlock = "+ABSTRACT"
)

// next returns the next record. The error io.EOF ends them.
//
// QUIRK: the colon after a name may be missing (umn-2.3.0, 06), and so may the blank before a line.
func (rs *records) next() (record, error) {
	var rec record
	started := false
	if rs.info != "" {
		rec.start(rs.info)
		rs.info, started = "", true
	}
	size := 0
	for !rs.ended {
		text, err := rs.lines.read()
		if err == io.EOF {
			rs.ended = true
			break
		}
		if err != nil {
			return record{}, err
		}
		if size += len(text) + 1; size > rs.max {
			return record{}, scheme.Fail(scheme.CodeBroken, "the attributes of an item passed the limit of %d bytes", rs.max)
		}
		switch name, value := blockHead(text); {
		case name == infoBlock && started:
			rs.info = value
			if value == "" {
				rs.info = "i" // an empty descriptor still ends the record
			}
			return rec, nil
		case name == infoBlock:
			rec.start(value)
			started = true
		case name != "":
			started = true
			rec.blocks = append(rec.blocks, attrBlock{name: name, value: value})
		case len(rec.blocks) > 0:
			b := &rec.blocks[len(rec.blocks)-1]
			b.lines = append(b.lines, strings.TrimPrefix(text, " "))
		}
	}
	if !started {
		return record{}, io.EOF
	}
	return rec, nil
}

func (rec *record) start(descriptor string) {
	rec.item = parseItem(descriptor)
	rec.blocks = append(rec.blocks, attrBlock{name: infoBlock, value: descriptor})
}

// blockHead parses the first line of a block. name is "" for any other line.
func blockHead(line string) (name, value string) {
	if len(line) < 2 || line[0] != '+' || !isAlphanumeric(line[1]) {
		return "", ""
	}
	end := strings.IndexAny(line, ": \t")
	if end < 0 {
		end = len(line)
	}
	value = strings.TrimPrefix(line[end:], ":")
	return line[:end], strings.TrimPrefix(value, " ")
}

func isAlphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
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

// attr returns the attributes of the record. The type and size are those of the first view; the size is known only if it is
// in bytes. The abstract is that of the first +ABSTRACT block. More has all blocks.
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
	if isPlain(s) {
		return s
	}
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
func (a *reply) blocks(r wishes) (*scheme.Resource, error) {
	return &scheme.Resource{
		Kind: scheme.KindListing, Attr: scheme.Attr{Type: mediaPlusMenu}, Closer: a,
		Entries: func(yield func(scheme.Entry, error) bool) {
			defer a.Close()
			n := 0
			for rec, err := range a.all() {
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

// all yields the records of a reply.
func (a *reply) all() iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		in := a.stream()
		begin, err := look(in, 0)
		if err != nil && err != io.EOF {
			yield(record{}, a.failed(err))
			return
		}
		rs := a.records(in, begin)
		for n := 0; ; n++ {
			rec, err := rs.next()
			switch {
			case err == io.EOF:
				return
			case err == nil && n >= a.env.Limits.Entries:
				err = scheme.Fail(scheme.CodeBroken, "the menu passed the limit of %d entries", a.env.Limits.Entries)
			case err != nil:
				err = a.failed(err)
			}
			if !yield(rec, err) || err != nil {
				return
			}
		}
	}
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
	q, err := newRequest(e.URL)
	if err != nil || e.Kind != scheme.KindObject && e.Kind != scheme.KindListing {
		return e
	}
	views := rec.views()
	if len(views) > maxAlternates {
		a.noteViews()
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
		for _, m := range [][2]string{{attrLang, view.language}, {attrSize, view.size}} {
			if m[1] != "" {
				alt.Attr.More = append(alt.Attr.More, scheme.Attribute{Name: m[0], Value: a.reader.chars.text(m[1])})
			}
		}
		e.Alternates = append(e.Alternates, alt)
	}
	return e
}

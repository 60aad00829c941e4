package present

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"locator/internal/units"
	"locator/scheme"
	"locator/wire"
)

// Form is a form of the entries of a listing.
type Form struct {
	Print func(out *bufio.Writer, e scheme.Entry) error
	End   func(out *bufio.Writer) // prints what is held back; may be nil
}

// JSON returns the form of entries as JSON objects, one per line. line is that of the URL in a
// list; 0 means none.
func JSON(line int) Form {
	return Form{Print: func(out *bufio.Writer, e scheme.Entry) error {
		j := EntryOf(e)
		j.Line = line
		text, err := Marshal(j)
		if err == nil {
			out.Write(append(text, '\n'))
		}
		return err
	}}
}

// Columns returns the form of entries for programs: one per line, in columns.
func Columns() Form {
	return Form{Print: func(out *bufio.Writer, e scheme.Entry) error {
		printEntry(out, e)
		printAbstract(out, e)
		for _, m := range e.Mirrors {
			printEntry(out, m)
		}
		return nil
	}}
}

// printAbstract prints the summary of an entry, which --details requests.
func printAbstract(out io.Writer, e scheme.Entry) {
	if e.Attr.Abstract != "" {
		for line := range strings.SplitSeq(e.Attr.Abstract, "\n") {
			fmt.Fprintf(out, "    %s\n", wire.TextLine(line))
		}
	}
}

func printEntry(w io.Writer, e scheme.Entry) {
	size, modified, u := "-", "-", "-"
	if n, ok := e.Attr.Size.Get(); ok {
		size = strconv.FormatInt(n, 10)
	}
	if t := TimeText(e.Attr.Modified); t != "" {
		modified = t
	}
	if !e.URL.IsZero() {
		u = e.PlainURL().Redacted()
	}
	author := ""
	if e.Attr.From != "" {
		author = "\t" + wire.TextLine(e.Attr.From)
	}
	fmt.Fprintf(w, "%-8s %10s %20s  %s  %s%s\n", e.Kind, size, modified, wire.TextLine(u), wire.TextLine(e.Name), author)
}

// Entry is the object of an entry of a listing. An unknown value is null.
type Entry struct {
	Name       Octets   `json:"name"`
	URL        *Octets  `json:"url"`
	Kind       string   `json:"kind"`
	Size       *int64   `json:"size"`
	Modified   *Octets  `json:"modified"`
	Type       *Octets  `json:"type"`
	Alternates []Entry  `json:"alternates"`
	Mirrors    []Entry  `json:"mirrors"`
	Score      *int64   `json:"score"`
	Lines      *int64   `json:"lines"`
	Admin      *Octets  `json:"admin"`
	Views      []Octets `json:"views"`
	Abstract   *Octets  `json:"abstract"`
	Precision  *Octets  `json:"precision"`
	Mode       *Octets  `json:"mode"`
	Owner      *Octets  `json:"owner"`
	Group      *Octets  `json:"group"`
	Target     *Octets  `json:"target"`
	From       *Octets  `json:"from"`
	ID         *Octets  `json:"id"`
	References []Octets `json:"references"`
	Thread     *Octets  `json:"thread"`
	Plain      *Octets  `json:"plain"`
	Unread     bool     `json:"unread,omitempty"`
	Line       int      `json:"line,omitempty"`
}

// EntryOf returns the object of an entry.
func EntryOf(e scheme.Entry) Entry {
	j := Entry{
		Name: Octets(e.Name), Kind: e.Kind.String(), Size: Count(e.Attr.Size), Modified: OrNull(TimeText(e.Attr.Modified)),
		Type: OrNull(e.Attr.Type), Score: Count(e.Attr.Score), Lines: Count(e.Attr.Lines),
		Alternates: []Entry{}, Mirrors: []Entry{}, Views: []Octets{},
		Admin: OrNull(e.Attr.Admin), Abstract: OrNull(e.Attr.Abstract),
		From: OrNull(e.Attr.From), ID: OrNull(e.Attr.ID), References: []Octets{}, Thread: OrNull(threadOf(e)),
		Owner: OrNull(e.Attr.Owner), Group: OrNull(e.Attr.Group), Target: OrNull(e.Target),
		Unread: e.Unread,
	}
	if !e.Attr.Modified.IsZero() {
		j.Precision = OrNull(units.Precision(e.Attr.Precision))
	}
	if e.Attr.Mode != 0 {
		j.Mode = OrNull(e.Attr.Mode.String())
	}
	if !e.URL.IsZero() {
		j.URL, j.Plain = OrNull(e.URL.Redacted()), OrNull(e.PlainURL().Redacted())
	}
	for _, id := range e.Attr.References {
		j.References = append(j.References, Octets(id))
	}
	for _, x := range e.Alternates {
		j.Alternates = append(j.Alternates, EntryOf(x))
		j.Views = append(j.Views, Octets(x.Name))
	}
	for _, x := range e.Mirrors {
		j.Mirrors = append(j.Mirrors, EntryOf(x))
	}
	return j
}

// Count returns nil for an unknown number.
func Count(c scheme.Count) *int64 {
	if n, ok := c.Get(); ok {
		return &n
	}
	return nil
}

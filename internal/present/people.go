package present

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"net/mail"
	"strconv"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"

	"locator"
	"locator/internal/units"
	"locator/scheme"
	"locator/wire"
)

// People returns the form of a listing for people, on a terminal with that many columns: a
// directory of names where the scheme has a hierarchy of names, a menu otherwise. urls adds the URL
// of each entry.
func People(u locator.URL, width int, urls bool) Form {
	if u.Hierarchical() {
		d := &directory{width: width, urls: urls}
		return Form{d.print, d.end}
	}
	m := &menu{width: width, urls: urls}
	return Form{Print: m.print}
}

// menu prints entries with a number, a word for the type, and the text; messages with "#" and that
// number, and the number that the server assigned, which differs. Notes have the same indent, so
// that drawings keep their shape.
type menu struct {
	width int // columns of the terminal
	urls  bool
	n     int // of the last entry with a URL
}

const menuIndent = "          " // before a note: the columns of a number and a type

func (m *menu) print(out *bufio.Writer, e scheme.Entry) error {
	if e.URL.IsZero() {
		fmt.Fprintln(out, strings.TrimRight(menuIndent+wire.TextLine(e.Name), " "))
		return nil
	}
	m.n++
	if e.Attr.From != "" {
		from := runewidth.FillRight(runewidth.Truncate(wire.TextLine(authorName(e.Attr.From)), authorWidth, "…"), authorWidth)
		number := "#" + strconv.Itoa(m.n)
		if n := e.Position.Number; n > 0 {
			number = fmt.Sprintf("%4s %5d", number, n)
		}
		line := fmt.Sprintf("%4s %-16s  %s  ", number, Time(e.Attr), from)
		fmt.Fprintln(out, line+runewidth.Truncate(wire.TextLine(e.Name), max(leastSubject, m.width-runewidth.StringWidth(line)), "…"))
	} else {
		fmt.Fprintf(out, "%4d %-4s %s\n", m.n, typeWord(e), wire.TextLine(e.Name))
	}
	if e.Attr.Abstract != "" {
		printAbstract(out, e)
	}
	if m.urls {
		printURLs(out, menuIndent, e)
	}
	return nil
}

// authorWidth is the columns of the author of a message, and leastSubject those of its subject on a
// terminal however narrow.
const (
	authorWidth  = 20
	leastSubject = 20
)

// authorName returns the display name in a From field, or the address if it has none.
func authorName(from string) string {
	if a, err := mail.ParseAddress(from); err == nil {
		return cmp.Or(a.Name, a.Address)
	}
	return from
}

// printURLs prints the URLs of an entry and its mirrors.
func printURLs(out io.Writer, indent string, e scheme.Entry) {
	fmt.Fprintf(out, "%s%s\n", indent, wire.TextLine(e.PlainURL().Redacted()))
	for _, u := range e.MirrorURLs() {
		fmt.Fprintf(out, "%s%s\n", indent, wire.TextLine(u.WithoutPlus().Redacted()))
	}
}

// typeWord returns a word of at most four letters for what an entry is.
func typeWord(e scheme.Entry) string {
	switch e.Kind {
	case scheme.KindListing:
		return "DIR"
	case scheme.KindQuery:
		return "FIND"
	case scheme.KindForm:
		return "FORM"
	case scheme.KindSession:
		return "TERM"
	case scheme.KindDraft:
		return "MAIL"
	case scheme.KindObject:
		return fileWord(e.Attr.Type)
	}
	return "LINK"
}

// fileWord returns the word for an object of a media type.
func fileWord(mediaType string) string {
	top, _, _ := strings.Cut(mediaType, "/")
	switch {
	case strings.HasPrefix(mediaType, "text/html"):
		return "HTML"
	case top == "text":
		return "TEXT"
	case top == "image":
		return "IMG"
	case top == "audio":
		return "SND"
	case top == "video":
		return "FILM"
	case top == "":
		return "FILE"
	}
	return "BIN"
}

// directory prints entries with the name first, then size and time, aligned.
type directory struct {
	width int
	urls  bool
	rows  []scheme.Entry // not printed yet
}

// maxRows is how many entries are aligned together. More are printed in several parts.
const maxRows = 1000

func (d *directory) print(out *bufio.Writer, e scheme.Entry) error {
	if d.rows = append(d.rows, e); len(d.rows) == maxRows {
		d.end(out)
	}
	return nil
}

// detailsWidth is the columns of a size and a time, and the blanks before them.
const detailsWidth = len("  1023.9 KiB  2006-01-02 15:04")

func (d *directory) end(out *bufio.Writer) {
	names, most := make([]string, len(d.rows)), 0
	for i, e := range d.rows {
		names[i] = nameForPeople(e)
		if n := runewidth.StringWidth(names[i]); e.Kind != scheme.KindNote && n <= d.width-1-detailsWidth {
			most = max(most, n)
		}
	}
	for i, e := range d.rows {
		bytes := ""
		if n, ok := e.Attr.Size.Get(); ok && e.Kind != scheme.KindListing {
			bytes = units.Size(n)
		}
		line := fmt.Sprintf("%s  %10s  %s", runewidth.FillRight(names[i], most), bytes, Time(e.Attr))
		fmt.Fprintln(out, strings.TrimRight(line, " "))
		printAbstract(out, e)
		if d.urls && !e.URL.IsZero() {
			printURLs(out, "    ", e)
		}
	}
	d.rows = d.rows[:0]
}

// nameForPeople marks a directory and the target of a link.
func nameForPeople(e scheme.Entry) string {
	name := wire.TextLine(e.Name)
	if e.Kind == scheme.KindListing && !strings.HasSuffix(name, "/") {
		name += "/"
	}
	if e.Target != "" {
		name += " -> " + wire.TextLine(e.Target)
	}
	return name
}

// Time formats a time in UTC, as exactly as it is known, to the minute.
func Time(attr scheme.Attr) string {
	switch {
	case attr.Modified.IsZero():
		return ""
	case attr.Precision == 24*time.Hour:
		return attr.Modified.UTC().Format(time.DateOnly)
	}
	return attr.Modified.UTC().Format("2006-01-02 15:04")
}

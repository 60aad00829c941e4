package format

import (
	"slices"
	"strings"
)

// A Format is a kind of text, such as Markdown. It is safe for concurrent use.
type Format struct {
	name    string
	names   []string               // of files, in lower case: "*.ext", "prefix*.ext" or a whole name
	matches func(head []byte) bool // reports whether a text begins like one of the format; nil if that cannot be known
	read    func(*scanner) error
	// document is how many bytes of text read keeps in memory, if they are more than maxToken.
	document int64
}

// table has the formats; nothing modifies it.
var table = formats()

// formats returns the table of formats. To add a format, add a row. The order is that in which
// Detect asks them about the content.
func formats() []*Format {
	return []*Format{
		{name: "markdown", names: strings.Fields("*.md *.markdown *.mdown *.mkd *.mdx"), read: readMarkdown, document: maxMarkdown},
		{name: "html", names: strings.Fields("*.html *.htm *.xhtml *.xht *.shtml *.xml *.svg *.rss *.atom *.xsl *.opml"), matches: isHTML, read: readHTML},
		{name: "paged", names: strings.Fields("rfc*.txt draft-*.txt"), matches: isPaged, read: readPaged},
		{name: "mbox", names: strings.Fields("*.mbox *.mbx mbox"), matches: isMbox, read: readMbox},
		{name: "mail", names: strings.Fields("*.eml *.mht *.mhtml *.nws *.rfc822"), matches: isMail, read: readMail},
		{name: "json", names: strings.Fields("*.json *.jsonl *.ndjson *.jsonc *.geojson *.har *.ipynb *.webmanifest"), matches: isJSON, read: readJSON},
		{name: "roff", names: strings.Fields("*.man *.mdoc *.roff *.troff"), matches: isRoff, read: roff.read},
		{name: "tex", names: strings.Fields("*.tex *.ltx *.sty *.dtx *.bib *.bbl"), matches: isTeX, read: tex.read},
		{name: "calendar", names: strings.Fields("*.ics *.ifb *.vcf *.vcard"), matches: isCalendar, read: calendar.read},
		{name: "properties", names: strings.Fields("*.properties"), read: properties.read},
		{name: "po", names: strings.Fields("*.po *.pot"), read: po.read},
		{name: "csv", names: strings.Fields("*.csv *.tsv *.tab"), read: readCSV},
		{name: "pdf", names: strings.Fields("*.pdf"), read: readPDF},
		{name: "text", read: readPlain},
	}
}

// All returns the formats.
func All() []*Format { return slices.Clone(table) }

// Lookup returns the format of that name, in either case; nil if there is none.
func Lookup(name string) *Format {
	for _, f := range table {
		if strings.EqualFold(f.name, name) {
			return f
		}
	}
	return nil
}

// Name returns the name of the format for Lookup, such as "markdown".
func (f *Format) Name() string { return f.name }

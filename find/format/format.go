package format

import (
	"bytes"
	"slices"
	"strings"
)

// A Format is a kind of text, such as Markdown. It is safe for concurrent use.
type Format struct {
	name    string
	names   []string               // of files, in lower case: "*.ext", "prefix*.ext" or a whole name
	matches func(head []byte) bool // reports whether a text begins like one of the format; nil if that cannot be told
	read    func(*scanner) error
	// document is how many bytes of text read keeps in memory, if they are more than maxToken.
	document int64
}

// table has the formats; nothing modifies it.
var table = formats()

// formats returns the table of formats. To add a format, add a row. The order is that in which Detect asks them about the content.
func formats() []*Format {
	return []*Format{
		{
			name:  "markdown",
			names: []string{"*.md", "*.markdown", "*.mdown", "*.mkd", "*.mdx"}, read: readMarkdown, document: maxMarkdown,
		},
		{
			name:  "html",
			names: []string{"*.html", "*.htm", "*.xhtml", "*.xht", "*.shtml", "*.xml", "*.svg", "*.rss", "*.atom", "*.xsl", "*.opml"}, matches: isHTML, read: readHTML,
		},
		{
			name:  "paged",
			names: []string{"rfc*.txt", "draft-*.txt"}, matches: isPaged, read: readPaged,
		},
		{
			name:  "mbox",
			names: []string{"*.mbox", "*.mbx", "mbox"}, matches: isMbox, read: readMbox,
		},
		{
			name:  "mail",
			names: []string{"*.eml", "*.mht", "*.mhtml", "*.nws", "*.rfc822"}, matches: isMail, read: readMail,
		},
		{name: "json", names: []string{"*.json", "*.jsonl", "*.ndjson", "*.jsonc", "*.geojson", "*.har", "*.ipynb", "*.webmanifest"}, matches: isJSON, read: readJSON},
		{name: "csv", names: []string{"*.csv", "*.tsv", "*.tab"}, read: readCSV},
		{
			name:  "pdf",
			names: []string{"*.pdf"}, read: readPDF,
		},
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

// HeadSize is how many bytes at the beginning of a source Detect looks at.
const HeadSize = 8 << 10

// Detect returns the format of a file with that name and beginning, of which HeadSize bytes are enough. The name, with or without folders,
// counts first; it may be empty. Text that looks like no other format is plain text. Detect returns nil for binary files: those with a NUL
// byte in the beginning. UTF-16 with a byte order mark is text.
func Detect(name string, head []byte) *Format {
	head = head[:min(len(head), HeadSize)]
	name = strings.ToLower(name[strings.LastIndexAny(name, `/\`)+1:])
	switch {
	case bytes.HasPrefix(head, []byte("%PDF-")):
		return Lookup("pdf")
	case isBinary(head):
		return nil
	}
	for _, f := range table {
		if slices.ContainsFunc(f.names, func(pattern string) bool { return matchName(pattern, name) }) {
			return f
		}
	}
	text := withoutMark(head)
	for _, f := range table {
		if f.matches != nil && f.matches(text) {
			return f
		}
	}
	return table[len(table)-1] // plain text
}

// Name returns the name of the format for Lookup, such as "markdown".
func (f *Format) Name() string { return f.name }

// matchName reports whether a file name has the pattern, which has one * at most.
func matchName(pattern, name string) bool {
	prefix, suffix, ok := strings.Cut(pattern, "*")
	if !ok {
		return pattern == name
	}
	return len(name) >= len(prefix)+len(suffix) && strings.HasPrefix(name, prefix) && strings.HasSuffix(name, suffix)
}

// isBinary reports whether a file does not begin with text.
func isBinary(head []byte) bool {
	return bytes.IndexByte(head, 0) >= 0 && byteOrder(head) == ""
}

// byteOrder returns the character set of a text that begins with a byte order mark of UTF-16, or "".
func byteOrder(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("\xFE\xFF")):
		return "utf-16be"
	case bytes.HasPrefix(head, []byte("\xFF\xFE")):
		return "utf-16le"
	}
	return ""
}

// withoutMark returns the text without the byte order mark and the white space before it. Of UTF-16 it leaves only ASCII.
func withoutMark(head []byte) []byte {
	if byteOrder(head) != "" {
		head = bytes.ReplaceAll(head[2:], []byte{0}, nil)
	}
	return bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\uFEFF")), " \t\r\n")
}

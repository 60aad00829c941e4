package vet

import (
	"slices"

	"locator"
)

// linked are the families of schemes that [SafeLink] allows: those whose clients show a document, a
// listing or the draft of a message. A telnet URL starts a program on the other end, and a file URL
// names a file of the reader.
var linked = []string{"ftp", "http", "gopher", "mailto", "news", "wais", "prospero"}

// SafeLink reports whether a page that strangers write to may have a link to u: its scheme is
// harmless to follow, and [URL] has no warning about it.
func SafeLink(u locator.URL) bool {
	s := locator.SyntaxOf(u.Scheme())
	return s != nil && slices.Contains(linked, s.Family) &&
		!slices.ContainsFunc(URL(u), func(f Finding) bool { return f.Severity >= SeverityWarning })
}

// Package anchor finds out whether a document has the place that a fragment names (RFC 3986 3.5):
// an id or a name of HTML, a heading of Markdown, lines of a text file, or words of the text.
package anchor

// Package find finds URLs in text, as the appendix of RFC 1738 and appendix C of RFC 3986 write
// them: in the wrapper <URL:...>, in angle brackets, after the prefix URL:, and bare in running
// text.
//
// A wrapper is explicit: it may be broken over lines, and everything up to its ">" is the URL.
// Finding the end of a bare URL is a heuristic. The decision on what ends it is in
// docs/internals/decisions/0103.
//
// The package reads plain text. Package find/format reads Markdown, HTML, mail and other formats.
package find

// Package format finds URLs in text of several formats, such as Markdown, HTML and mail, with
// package find. It reads each format as what it is, so that escapes, quote marks and page breaks
// are not part of a URL, and returns where each URL is in the source.
//
// Formats and their bounds are described in docs/library.md. Programs that read plain text only
// need package find alone.
package format

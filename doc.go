// Package locator reads and writes Uniform Resource Locators exactly as RFC 1738 defines them.
//
// It is text only: nothing here opens a file or a connection. [Parse] accepts what the grammar of RFC 1738 section 5
// accepts and rejects the rest; a [URL] is a small immutable value over the text as read; [URL.View] gives the decoded
// parts of each scheme, and [Build] writes them back.
//
// RFCs: 1738 (with erratum 5118) in [RFC1738]; [Current] adds https, fragments, IPv6 literals (RFC 3986) and "~".
package locator

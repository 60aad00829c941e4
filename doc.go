// Package locator reads and writes Uniform Resource Locators exactly as RFC 1738 defines them.
//
// It is text only: nothing here opens a file or a connection. [Parse] accepts what the grammar of RFC 1738 section 5
// accepts and rejects the rest; a [URL] is a small immutable value over the text as read; [URL.View] gives the decoded
// parts of each scheme, and [Build] writes them back.
//
// What a URL means never depends on what a program imports: all schemes of RFC 1738 are built in, and any other is read by
// the generic rule.
//
// RFCs: 1738 (with erratum 5118) in [RFC1738]; besides, in [Current], 2818 section 2.4 (https) and of 3986 the fragment
// (3.5), the IPv6 literal (3.2.2) and "~" (2.3).
package locator

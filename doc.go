// Package locator reads and writes Uniform Resource Locators exactly as RFC 1738 defines them, and as the RFCs after it do.
//
// What is shown is redacted, what is stored is whole. [URL.String], package fmt and log/slog show **** for a
// password. [URL.Text], [URL.MarshalText] (so JSON and XML), [URL.MarshalBinary] (gob) and [URL.Value] (databases)
// give the whole text, password included.
//
// The package is text only: nothing here opens a file or a connection. [Parse] accepts what the grammar of RFC 1738 section 5
// accepts and rejects the rest; [Current] reads the same schemes as they are today. A [URL] is a small immutable value over
// the text as read; [URL.View] gives the decoded parts of each scheme, and [Build] writes them back.
//
// What a URL means never depends on what a program imports: all schemes of RFC 1738 are built in, and any other is read by
// the generic rule.
//
// RFCs: 1738 (with erratum 5118) in [RFC1738]. In [Current] besides: 3986 (URIs), 3987 and 5891 (beyond ASCII), 9110 section
// 4.2 (http, https), 4266 (gopher), 6068 with erratum 7919 (mailto), 5538 (news, nntp), 4248 (telnet), 4156 (wais), 8089 with
// its appendix E.2 (file), 4157 (prospero), 6270 (tn3270), 2392 with erratum 454 (mid, cid), 2224 (nfs), 2056
// (z39.50r, z39.50s). 3986 section 5 in [URL.Resolve]. No RFC has ftps and gophers (the field Extension of [Syntax]).
package locator

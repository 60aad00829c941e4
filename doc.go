// Package locator parses and writes Uniform Resource Locators, exactly as RFC 1738 defines them and
// as the RFCs after it do.
//
// [Parse] accepts what the grammar of RFC 1738 section 5 accepts and rejects everything else.
// [Current] parses the same schemes as later RFCs define them. A [URL] is a small immutable value
// over its text; [URL.View] returns the decoded parts, one type per scheme, and [Build] writes a
// view as a URL. All schemes of RFC 1738 are built in, and any other is parsed by the generic rule,
// so what a URL means never depends on what a program imports. [Schemes] lists them.
//
// [URL.String], package fmt and log/slog show **** for a password. [URL.Text], [URL.MarshalText]
// (used by JSON and XML), [URL.MarshalBinary] (gob) and [URL.Value] (databases) return the whole
// text with the password.
//
// The package works on text only: it opens no file and no connection. Package locator/vet finds the
// hazards of a URL, and package locator/client accesses it.
//
// RFCs: 1738 (with erratum 5118) in [RFC1738]. In [Current] also 3986 (URIs), 3987 and 5891 (beyond
// ASCII), 9110 section 4.2 (http, https), 4266 (gopher), 6068 with erratum 7919 (mailto), 5538
// (news, nntp), 4248 (telnet), 4156 (wais), 8089 with its appendix E.2 (file), 4157 (prospero);
// 3986 section 5 in [URL.Resolve]. No RFC defines ftps and gophers, which are extensions: see
// [Syntax].
package locator

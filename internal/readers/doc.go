// Package readers parses one text with several URL parsers and reports where they disagree: RFC
// 1738 and Current as package locator implements them, Go's net/url, and the WHATWG URL standard.
// An attacker can use a difference in host, port or user to make one program check one host while
// another connects to a different one (RFC 3986 7.6). The package opens no connection and looks up
// no name.
package readers

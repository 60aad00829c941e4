// Package readers holds one text before several readers of URLs and says where they see different things: RFC 1738 and
// Current as package locator reads them, RFC 3986 to the letter, Go's net/url, and the WHATWG URL standard. A difference
// in scheme, host, port or user is how one program is made to check one host while another connects to a second (RFC 3986
// 7.6). Nothing is connected to, and no name is looked up.
//
// RFCs: 3986 sections 3, appendix A and appendix B, in rfc3986.go; 3492 for the comparison of hosts.
package readers

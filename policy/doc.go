// Package policy decides which URL, address and port may be used, and says why not.
//
// It is two of the three nets (the third is package wire): [Policy.URL] looks at a URL before anything is done, and
// again at every hop; [Policy.Addr] looks at the resolved address of every connection, data connections included. So
// a name that resolves to another address later, or a peer that names a third host, cannot go round it.
//
// The ports are those of [locator.IsForeignPort]; the addresses those of the registries that IANA keeps by RFC 6890.
//
// RFCs: 1738 section 6 (ports, encoded delimiters) and 3.1 (digit groups, ports); 6890 and the RFCs that its registries
// name (special-purpose addresses); 4291 (IPv6 addresses); 6052, 3056 and 4380 (IPv4 addresses inside IPv6 ones).
package policy

// Package policy decides which URL, address and port may be used, and says why not.
//
// It is two of the three nets (the third is package wire): [Policy.URL] looks at a URL before anything is done, and
// again at every hop; [Policy.Addr] looks at the resolved address of every connection, data connections included. So
// a name that resolves to another address later, or a peer that names a third host, cannot go round it.
package policy

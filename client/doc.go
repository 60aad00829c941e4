// Package client accesses URLs: one concrete [Client] over any set of schemes.
//
// Policy, limits, tracing, credentials, pools, redirects and the wrapping of errors happen here, once, and not in the
// schemes. Adapters at the edge make a client an http.RoundTripper ([Client.Transport]) and a file system
// ([Client.FS]).
package client

// Package client accesses URLs of any registered scheme with a [Client].
//
// The Client applies policy and limits, calls trace hooks, finds credentials, pools connections, follows redirects and
// wraps errors; schemes only speak their protocols. [Client.Transport] adapts a client to http.RoundTripper, and
// [Client.FS] to fs.FS.
package client

// Package client accesses URLs of any registered scheme with a [Client].
//
// The Client applies policy and limits, calls trace hooks, finds credentials, pools connections,
// follows redirects and wraps errors; schemes only speak their protocols. [Client.Transport] adapts
// a client to http.RoundTripper, and [Client.FS] to fs.FS.
//
// Without Options.Policy, a client accesses what its user may access: every scheme, local files
// among them, and any address. If strangers choose the URLs, set Options.Policy to
// [policy.Strangers], which prevents server-side request forgery (SSRF):
//
//	c := client.New(client.Options{Registry: all.Registry(), Policy: policy.Strangers()})
package client

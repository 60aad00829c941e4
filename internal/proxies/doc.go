// Package proxies has an http proxy (RFC 9110 7.6) and a SOCKS proxy (RFC 1928) on loopback for
// tests. Both resolve names that no resolver has, so that a test can see whether the proxy or the
// client resolved them.
package proxies

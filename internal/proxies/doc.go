// Package proxies gives tests an http proxy (RFC 9110 7.6) and a SOCKS proxy (RFC 1928) on loopback. Both know names that
// no resolver has, so that a test sees who has resolved them.
package proxies

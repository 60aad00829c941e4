// Package hostaddr reads the host of a URL as an address (RFC 1738 3.1, RFC 3986 3.2.2), and knows
// the special-purpose addresses of the IANA registries (RFC 6890). Hazards and policy share it, so
// that both judge the same host. It looks nothing up.
package hostaddr

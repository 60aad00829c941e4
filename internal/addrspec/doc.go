// Package addrspec reads mail addresses: the addr-spec of RFC 822 6.1, RFC 5322 3.4.1 and RFC 6532
// 3.2, and lists of mailboxes and groups as in the field "To" (RFC 5322 3.4). It writes addresses
// as SMTP needs them (RFC 5321 4.1.2, RFC 6531 3.3).
package addrspec

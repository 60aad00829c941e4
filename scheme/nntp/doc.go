// Package nntp accesses news and nntp URLs (RFC 1738 3.6 and 3.7, RFC 5538): articles, groups, and
// the list of groups.
//
// An nntp URL names a server, a group and an article number in it. A news URL names a group or a
// message-id, and is accessed at the servers that the user configured (scheme.Env.Servers), in
// order, unless it names a server itself. [Scheme.Steps] shows the commands without a network.
//
// [NewTLS] and [NewNewsTLS] are the schemes nntps and snews, which no RFC defines.
//
// RFCs: 977 and 3977 (the protocol), 2980 (XOVER, XHDR), 4642 (STARTTLS), 4643 (AUTHINFO), 5536
// (articles) and 5538 (URLs).
package nntp

// Package prospero accesses prospero URLs: the directories, links and files of the Prospero
// Directory Service, protocol version 5.
//
// RFCs: 1738 section 3.11 and 4157 (the URL). No RFC describes the protocol; the exchanges with a
// Prospero server of 1994 in internal/capture/testdata/prospero show it. Its transport is in
// package ardp, the quoting of its text in package text.
//
// A name is first listed as a directory. If it is not a directory, its access methods are
// requested: its content comes in a response itself (CONTENTS), or the result is a Referral to the
// URLs of the other methods, in the server's order. FORWARDED is followed by this package, since a
// chain of 20 is usual and each hop is checked by the policy (scheme.ForHop).
package prospero

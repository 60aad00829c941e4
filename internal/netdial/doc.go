// Package netdial opens the connections of a client: directly or through a SOCKS proxy, to addresses that policy allows.
//
// Policy is asked about each address after it has been resolved and before it is connected to (net 2 of the design), so a
// name that resolves to another address later is judged by that address. A name that a proxy resolves cannot be judged by
// its address; policy is asked about the name then.
package netdial

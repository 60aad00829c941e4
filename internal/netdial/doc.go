// Package netdial opens the connections of a client, directly or through a SOCKS proxy, to
// addresses that the policy allows.
//
// The policy checks each address after name resolution and before connecting, which prevents DNS
// rebinding. If a proxy resolves the name, its address is not known; the policy then checks the
// name.
package netdial

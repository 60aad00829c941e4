// Package policy decides which URLs, addresses and ports may be accessed.
//
// There are two checks: [Policy.URL] checks a URL before it is accessed, and again at every hop.
// [Policy.Addr] checks the resolved address of every connection, including data connections. So
// neither DNS rebinding nor a server that names another host bypasses it. (Package wire checks
// command lines.)
//
// Programs that access URLs chosen by strangers use the policy of [Strangers]. The policy of the
// zero [Options] is for URLs that the user chose: it allows all schemes, local files among them,
// and any address.
//
// Refused ports are those of [locator.IsForeignPort]. Special-purpose addresses are those of the
// IANA registries (RFC 6890).
//
// RFCs: 1738 section 6 (ports, encoded delimiters) and 3.1 (digit groups, ports); 6890 and the RFCs
// that its registries name (special-purpose addresses); 4291 (IPv6 addresses); 6052, 3056 and 4380
// (IPv4 addresses inside IPv6 ones).
package policy

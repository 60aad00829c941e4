// Package peers runs real servers from Debian packages on loopback for tests. The script
// internal/peers/peers installs and starts them. A client and a test server by one author can share
// a misunderstanding of a protocol; these servers do not.
//
// Such a test runs if LOCATOR_PEERS=1, which ./test.sh sets. The servers are installed if they are
// missing, and stay up for the other test binaries; ./test.sh stops them. A server that cannot be
// installed or started fails the test. A test is skipped, with a record of the reason (see [Skip]),
// in four cases only: LOCATOR_PEERS is not set, the system is not Debian Linux, the user is not
// root, or the package registry cannot be reached. To run such tests by hand, on a machine that may
// be thrown away:
//
//	LOCATOR_PEERS=1 go test ./scheme/ftp/...
//	internal/peers/peers stop all
//
// With [Env.Serve] the conformance suite of package schemetest runs against them. A [Relay] counts
// connections and requests.
package peers

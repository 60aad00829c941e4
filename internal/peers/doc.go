// Package peers gives tests real servers from Debian packages, on loopback: the ones that the script peers/peers
// installs and starts. It exists because a client and a server by one author share one misunderstanding.
//
// Such a test runs when LOCATOR_PEERS=1, which ./test.sh sets. The servers are then installed if they are missing and
// stay up for the other test binaries; ./test.sh stops them. A server that cannot be had fails the test. Only four reasons
// skip it instead, and loudly (see [Skip]): LOCATOR_PEERS is not set, the system is not Debian Linux, the user is not
// root, the package registry cannot be reached. To run such tests by hand, on a machine that may be thrown away:
//
//	LOCATOR_PEERS=1 go test ./scheme/ftp/...
//	peers/peers stop all
//
// With [Env.Serve] the conformance suite of package schemetest runs against them: a [Relay] counts what passes.
package peers

// Package schemetest is the conformance suite of the contract in package scheme. A scheme package runs it from a test
// of about twenty lines: it starts its own in-process server, and the suite does the rest.
package schemetest

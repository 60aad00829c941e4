// Package schemetest is the conformance suite of the contract in package scheme. A scheme package runs it from a test
// of about twenty lines: it starts its own in-process server, and the suite does the rest.
//
//	func TestConformance(t *testing.T) {
//		schemetest.Run(t, schemetest.Harness{
//			Scheme: echo.New(),
//			Start:  func(t *testing.T) schemetest.Server { ... },
//			Faults: []schemetest.Fault{schemetest.Stall, schemetest.Torn},
//		})
//	}
//
// The duties stand in duties.go, each with the words of the contract that it holds a scheme to; a failure cites them.
// What a test server is and serves stands in package [locator/schemetest/peer], which is repeated here under the same
// names.
package schemetest

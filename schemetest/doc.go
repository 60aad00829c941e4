// Package schemetest is the conformance test suite for implementations of package scheme. A scheme
// package calls [Run] from a test of about twenty lines, with a function that starts an in-process
// server.
//
//	func TestConformance(t *testing.T) {
//		schemetest.Run(t, schemetest.Harness{
//			Scheme: echo.New(),
//			Start:  func(t *testing.T) schemetest.Server { ... },
//			Faults: []schemetest.Fault{schemetest.Stall, schemetest.Torn},
//		})
//	}
//
// The duties are listed in duties.go, each with the sentence of the contract that it tests; a
// failure cites it. Package [locator/schemetest/peer] defines the test servers and the files they
// serve; its names are repeated here.
package schemetest

// Package telnettest is a telnet server on loopback, for tests and for the tour. It negotiates
// options, answers lines, and misbehaves on request.
//
// Its reader of the stream is not that of package telnet, so that a mistake in one of them shows.
//
// RFCs: 854, 855, 857, 858, 1073, 1091, 1143, 1572, 2066.
package telnettest

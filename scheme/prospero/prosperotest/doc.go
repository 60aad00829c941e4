// Package prosperotest is the server of package prosperoserver with files in memory and with
// faults, for the tests of clients and for demonstrations.
package prosperotest

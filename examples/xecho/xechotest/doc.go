// Package xechotest is an echo server for tests and demonstrations. It listens on loopback, serves
// a small tree, and simulates faults on request. It implements the protocol of package xecho.
package xechotest

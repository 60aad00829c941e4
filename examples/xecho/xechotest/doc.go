// Package xechotest is an echo server for tests and demonstrations: it listens on loopback, serves a small tree, and
// misbehaves on order. It speaks the protocol of package xecho.
package xechotest

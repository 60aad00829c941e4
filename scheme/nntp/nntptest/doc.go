// Package nntptest is a news server for tests and demonstrations (RFC 3977, 2980, 4642, 4643,
// 8054). It listens on loopback, serves articles from memory, and misbehaves on request. It mirrors
// package nntp.
package nntptest

// Package httptest is an http and https server on loopback for tests and for the tour. It serves a
// tree of files with index pages like nginx's, ranges, validators, PUT, POST, redirects and areas
// that require a login. It can simulate faults.
package httptest

// Package httptest is a small http and https server on loopback for tests and for the tour. It serves the common tree with
// the folder indexes of nginx, ranges, validators, PUT, POST, redirects and a login area, and misbehaves on order.
package httptest

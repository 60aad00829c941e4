// Package termtest has pseudo-terminals for tests, on Linux.
package termtest

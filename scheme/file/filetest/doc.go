// Package filetest makes a folder on this machine that holds the common tree, for tests and for the tour.
package filetest

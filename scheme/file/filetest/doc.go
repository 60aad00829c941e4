// Package filetest creates a temporary folder with a tree of files, for tests and for the tour.
package filetest

// Package prosperotest is a small Prospero server in the same process, for tests and to serve a folder.
package prosperotest

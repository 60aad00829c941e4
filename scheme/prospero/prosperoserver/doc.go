// Package prosperoserver is a small Prospero server over ARDP. [Start] serves a folder. Package
// prosperotest is a server with faults for the tests of clients.
package prosperoserver

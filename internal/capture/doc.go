// Package capture reads recorded exchanges between a client and a server: the bytes of each
// message, in the text format that internal/capture/testdata/gopher/README.md defines. Tests replay
// them: a test server sends the recorded replies, and the client must send the recorded requests.
package capture

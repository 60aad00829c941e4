// Package capture reads recorded exchanges between a client and a server: the octets of each message, in one text format
// that testdata/captures/gopher/README.md defines. Tests replay them: a server built on a capture answers what the
// real one answered, and a client must have sent what is recorded.
package capture

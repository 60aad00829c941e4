// Package ftptest is an ftp server for tests and for the tour: small and correct, with a tree in
// memory. On request it behaves like other servers ([Option]) or simulates faults
// ([Server.Misbehave]).
//
// RFCs: 959, 1123 (4.1), 2389, 2428, 3659, 4217.
package ftptest

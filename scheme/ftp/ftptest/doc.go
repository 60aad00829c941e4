// Package ftptest is an ftp server in the process: a small and correct one over a tree in memory, for tests and for the
// tour. On order it has the manners of other servers ([Option]) or misbehaves ([Server.Misbehave]).
//
// RFCs: 959, 1123 (4.1), 2389, 2428, 3659, 4217.
package ftptest

// Package smtptest has a mail server for tests, in the same process. It takes mail as a submission
// server or a mail exchanger does, keeps it, and misbehaves on request.
//
// RFCs: 5321, 1870, 3207, 3461, 4954, 6152, 6531.
package smtptest

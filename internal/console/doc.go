// Package console talks with the user at the terminal: messages, questions and their answers, the
// progress of transfers, and sessions with a server.
package console

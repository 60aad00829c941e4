// Package option names the commands and options of telnet, and negotiates options by the Q method.
//
// RFCs: 854 (commands), 855 (options), 1143 (the Q method of negotiation).
package option

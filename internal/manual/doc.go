// Package manual prints what is known of a program's verbs and flags from its command tree: help,
// manual pages, completion, and suggestions for what was mistyped.
package manual

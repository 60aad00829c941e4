// Package dialogue is what the schemes share whose protocols are a dialogue of command lines and
// replies: the errors of their connections, connections that were dropped in the pool, and logins.
package dialogue

// Package message describes messages: mail and news articles. It says what a URL asks for in a new
// one, and which of a list are wanted.
package message

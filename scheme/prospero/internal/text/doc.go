// Package text reads and writes the text of Prospero messages: lines of tokens with quoting.
package text

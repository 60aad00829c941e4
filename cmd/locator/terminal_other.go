//go:build !unix

package main

import (
	"errors"
	"os"

	"golang.org/x/term"
)

// openTerminal opens the console if standard input is a terminal.
func openTerminal() (*os.File, error) {
	if term.IsTerminal(int(os.Stdin.Fd())) {
		return os.OpenFile("CON", os.O_RDWR, 0)
	}
	return nil, errors.New("no terminal")
}

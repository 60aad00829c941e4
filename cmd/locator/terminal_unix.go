//go:build unix

package main

import "os"

// openTerminal opens the terminal that controls the program.
func openTerminal() (*os.File, error) { return os.OpenFile("/dev/tty", os.O_RDWR, 0) }

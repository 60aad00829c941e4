package main

import "os"

// openBothEnds returns nil: no open of a file blocks.
func openBothEnds(string) *os.File { return nil }

//go:build !unix

package main

import "time"

var begin = time.Now()

// clock returns the elapsed time.
func clock() time.Duration { return time.Since(begin) }

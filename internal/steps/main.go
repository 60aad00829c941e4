// Steps does everything that package locator can do with long texts by which it could be slow, and writes the counters of each
// text to a folder of its own below the one that it is given. It is built with `go build -cover -covermode=atomic`, and its
// tests run it: they hold the package to a number of steps that grows no faster than the text.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/coverage"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: steps FOLDER")
		os.Exit(2)
	}
	for n, c := range append(strictLong, currentLong...) {
		for _, times := range []int{1, 4} {
			if err := count(c, times*size, filepath.Join(os.Args[1], folder(n, times))); err != nil {
				fmt.Fprintln(os.Stderr, "steps:", err)
				os.Exit(1)
			}
		}
	}
}

// size is the number of octets of the shorter text of a pair; the other has four times as many.
const size = 6 << 10

// folder is the name of the folder for text n.
func folder(n, times int) string { return fmt.Sprint(n, "-", times) }

// count does everything with a text of that size and writes the counters to the folder dir, which it makes.
func count(c longText, size int, dir string) error {
	c.after = c.after[:min(len(c.after), size)]
	s := c.text(size)
	if err := coverage.ClearCounters(); err != nil {
		return err
	}
	everything(s)
	return errors.Join(os.Mkdir(dir, 0o777), coverage.WriteMetaDir(dir), coverage.WriteCountersDir(dir))
}

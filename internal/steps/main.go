// Steps calls every function of packages locator, repair and find that takes text from outside with
// long texts that could make it slow, and writes the coverage counters of each text to its own
// folder below FOLDER. It is built with `go build -cover -covermode=atomic` and run by its tests,
// which check that the number of steps grows no faster than the text.
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
	for n, c := range cases() {
		for _, times := range []int{1, 4} {
			if err := count(c, times*size, filepath.Join(os.Args[1], folder(n, times))); err != nil {
				fmt.Fprintln(os.Stderr, "steps:", err)
				os.Exit(1)
			}
		}
	}
}

// longCase is a text and the functions that read it.
type longCase struct {
	longText
	run func(string)
}

// cases returns all texts.
func cases() (list []longCase) {
	for _, c := range append(strictLong, currentLong...) {
		list = append(list, longCase{c, everything})
	}
	for _, c := range findLong {
		list = append(list, longCase{c, finding})
	}
	return list
}

// size is the number of bytes of the shorter text of a pair. The other one is four times as long.
const size = 6 << 10

// folder returns the name of the folder for text n.
func folder(n, times int) string { return fmt.Sprint(n, "-", times) }

// count calls the functions with a text of a given size and writes the counters to the new folder
// dir.
func count(c longCase, size int, dir string) error {
	c.after = c.after[:min(len(c.after), size)]
	s := c.text(size)
	if err := coverage.ClearCounters(); err != nil {
		return err
	}
	c.run(s)
	return errors.Join(os.Mkdir(dir, 0o777), coverage.WriteMetaDir(dir), coverage.WriteCountersDir(dir))
}

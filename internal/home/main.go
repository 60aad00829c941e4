// Home moves the module to another path, its home: the module lines of all modules, imports, and the
// paths in documents, tests and comments. make home runs it.
//
//	go run ./internal/home example.org/locator
//
// The program is still named locator, and so are its folders.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "home: name the path of the module: make home MODULE=example.org/locator")
		os.Exit(2)
	}
	files, err := move(".", flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, "home:", err)
		os.Exit(1)
	}
	fmt.Fprintf(os.Stderr, "home: %d files changed; now run go build ./... && go test -short ./...\n", files)
}

// Command locator parses, explains and accesses URLs of all RFC 1738 schemes.
//
// Each verb has a file. Scripts rely on its words, fields and exit statuses; docs/cli.md documents
// them.
package main

import (
	"context"
	"io"
	"io/fs"
	"log"
	"os"
	"os/signal"
	"syscall"

	"locator/internal/argv"
)

func main() { os.Exit(Main()) }

// Main runs the program with the process's arguments and streams, and returns the exit status.
func Main() int {
	_ = argv.Hide(append(os.Args[:1:1], argv.Mask(os.Args[1:], maskedFlags)...)) // where the system does not allow it, they stay visible
	log.SetOutput(io.Discard)                                                    // net/http logs what a broken server sends; --trace shows more
	mode := newFileMode()                                                        // before other goroutines make files
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer context.AfterFunc(ctx, stop)() // a second interrupt kills the process
	return run(ctx, os.Args[1:], world{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv, Mode: mode})
}

// maskedFlags are the flags whose values may hold a password or a key, with the delimiter before
// it.
var maskedFlags = map[string]string{"--user": ":", "--header": ":", "--header-all": ":", "--field": "="}

// world holds the streams and the environment of the process.
type world struct {
	In       io.Reader
	Out, Err io.Writer
	Getenv   func(string) string
	Mode     fs.FileMode // of new files; 0: whatever the system gives them
}

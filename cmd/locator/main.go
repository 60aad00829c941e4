// Command locator reads, explains and accesses URLs of every scheme of RFC 1738.
//
// One file a verb. The words, fields and exit statuses are a contract that scripts rely on; docs/cli.md holds it.
package main

import (
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(Main()) }

// Main runs the program with the process's arguments and streams, and returns the exit status.
func Main() int {
	log.SetOutput(io.Discard) // net/http logs there what a broken server sends; whoever asks for --trace sees more
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer context.AfterFunc(ctx, stop)() // a second interrupt ends what the first one could not
	return run(ctx, os.Args[1:], world{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv})
}

// world is what the program sees of the process that it runs in.
type world struct {
	In       io.Reader
	Out, Err io.Writer
	Getenv   func(string) string
}

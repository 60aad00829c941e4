package main

import (
	"context"
	"os"

	"locator/internal/console"
	"locator/scheme"
	"locator/scheme/session"
)

// broken is a session that panics after its first output.
type broken struct {
	session.Session
	read bool
}

func (b *broken) Read(p []byte) (int, error) {
	if b.read {
		panic("a mistake in the program")
	}
	b.read = true
	return copy(p, "\x1b[?25lready\r\n"), nil
}

func (*broken) Modes() <-chan session.Mode { return nil }

// runBroken is a command of TestMain: a session that panics.
func runBroken() {
	a := newApp(world{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv})
	g := &getter{app: a}
	s := &console.Session{Resource: &scheme.Resource{Session: &broken{}}, Escape: 0x1D, Filter: g.filter(), Out: os.Stdout, Messages: a.Messages,
		Say: func(text string) { a.Note("%s", text) }}
	s.Run(context.Background())
}

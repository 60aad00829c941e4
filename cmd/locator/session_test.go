package main

import (
	"context"
	"os"

	"locator/scheme"
)

// broken is a session that panics after its first output.
type broken struct {
	scheme.Session
	read bool
}

func (b *broken) Read(p []byte) (int, error) {
	if b.read {
		panic("a mistake in the program")
	}
	b.read = true
	return copy(p, "\x1b[?25lready\r\n"), nil
}

func (*broken) Modes() <-chan scheme.Mode { return nil }

// runBroken is a command of TestMain: a session that panics.
func runBroken() {
	a := &app{world: world{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv}}
	x := &broken{}
	g := &getter{app: a}
	c := &console{app: a, session: x, res: &scheme.Resource{Session: x}, escape: 0x1D, filter: g.filter()}
	c.run(context.Background())
}

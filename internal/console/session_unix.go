//go:build unix

package console

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// notifyTerminal makes resized receive a signal when the size of the window changes, and resumed
// when the program goes on after it was stopped.
func notifyTerminal(resized, resumed chan<- os.Signal) {
	signal.Notify(resized, syscall.SIGWINCH)
	signal.Notify(resumed, syscall.SIGCONT)
}

// suspend stops the program and its process group, as ^Z does, with the terminal as it was before
// the session.
func (c *Session) suspend() string {
	resumed := make(chan os.Signal, 1)
	signal.Notify(resumed, syscall.SIGCONT)
	defer signal.Stop(resumed)
	c.restore()
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		_ = c.enter()
		return "cannot stop the program: " + err.Error()
	}
	select {
	case <-resumed:
	case <-time.After(suspendWait): // nobody could resume it, so the system does not stop it
	}
	if err := c.enter(); err != nil {
		return "cannot put the terminal into raw mode: " + err.Error()
	}
	_ = c.session.Resize(WindowSize(c.Out)) // the window may have changed meanwhile
	return ""
}

// suspendWait is how long suspend waits for the program to stop.
const suspendWait = 500 * time.Millisecond

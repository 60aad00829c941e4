package console

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/term"

	"locator/client"
	"locator/internal/lineedit"
	"locator/internal/screen"
	"locator/scheme"
	"locator/scheme/session"
)

// Session connects the session of a resource with the terminal, which it puts into raw mode.
type Session struct {
	Resource *scheme.Resource
	Escape   int               // the character that opens the menu; -1 means none: see [ParseEscape]
	Filter   *screen.Filter    // of what the server sends; nil passes everything
	Out      io.Writer         // the terminal
	Messages *Messages         // on the same terminal
	Say      func(text string) // prints a message about the session

	session session.Session
	output  *output
	mode    atomic.Pointer[session.Mode]
	todo    chan func() error // sends input, in order
	ended   chan error        // gets the end of the output, or nil when the user quits

	screen sync.Mutex  // held while something is written to the terminal, and while the menu is open
	left   atomic.Bool // nothing of the server is written any more
	menu   *lineedit.Editor
	line   lineedit.Editor // input that is not yet sent

	raw   sync.Mutex // guards what follows
	saved *term.State
	stop  func() // restores standard error
}

// maxTodo is how many pieces of input wait for a server that does not read. Further ones are
// dropped, with a bell.
const maxTodo = 4096

// Run runs the session until the server ends it, the user quits, or the context ends. It returns
// the number of bytes received. The error is ErrHangup if the terminal is gone.
func (c *Session) Run(ctx context.Context) (n int64, err error) {
	c.session, c.output = c.Resource.Session, &output{w: c.Out, filter: c.Filter}
	c.todo, c.ended = make(chan func() error, maxTodo), make(chan error, 4)
	c.mode.Store(&session.Mode{LineMode: true})
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP, syscall.SIGQUIT)
	defer signal.Stop(hangup)
	resized, resumed := make(chan os.Signal, 1), make(chan os.Signal, 1)
	notifyTerminal(resized, resumed)
	defer signal.Stop(resized)
	defer signal.Stop(resumed)
	keyboard, err := openTerminal() // of its own, so that closing it ends a Read
	if err != nil {
		return 0, scheme.Fail(scheme.CodeLocal, "cannot open the terminal: %w", err)
	}
	defer keyboard.Close()
	c.Say("connected; " + c.escapeHint())
	if err := c.enter(); err != nil {
		return 0, scheme.Fail(scheme.CodeLocal, "cannot put the terminal into raw mode: %w", err)
	}
	defer c.leave()
	over := make(chan struct{})
	defer close(over)
	c.guarded(func() {
		_, err := io.Copy(lockedWriter{c}, c.session)
		c.ended <- err
	})
	c.guarded(func() { c.send(over) })
	c.guarded(func() { c.readKeyboard(keyboard) })
	c.guarded(func() {
		for m := range c.session.Modes() {
			c.mode.Store(&m)
		}
	})
	for {
		select {
		case <-resized:
			_ = c.session.Resize(WindowSize(c.Out)) // Read reports what is wrong with the connection
			continue
		case <-resumed:
			c.again()
			continue
		case err = <-c.ended:
		case <-ctx.Done():
			err = c.fail(context.Cause(ctx))
		case <-hangup:
			err = c.fail(ErrHangup)
		}
		c.leave()
		c.session.Close()
		if err == nil {
			c.Say("the session has ended")
		}
		return c.output.n.Load(), err
	}
}

// ErrHangup is the error of a session whose terminal is gone, or whose program was asked to quit.
var ErrHangup = &scheme.Error{Code: scheme.CodeInterrupted, Err: errors.New("the terminal hung up")}

// fail returns the error of a session that something else than the server has ended.
func (c *Session) fail(err error) error {
	return &scheme.Error{Op: scheme.OpAccess, URL: c.Resource.URL.Redacted(), Code: client.CodeOf(err), Err: err}
}

// guarded runs f in a goroutine. If it panics, the terminal is restored first.
func (c *Session) guarded(f func()) {
	go func() {
		defer func() {
			if cause := recover(); cause != nil {
				c.leave()
				panic(cause)
			}
		}()
		f()
	}()
}

// enter puts the terminal into raw mode.
func (c *Session) enter() error {
	c.raw.Lock()
	defer c.raw.Unlock()
	saved, err := term.MakeRaw(int(os.Stdin.Fd()))
	if err != nil {
		return err
	}
	c.saved = saved
	c.Messages.mu.Lock()
	defer c.Messages.mu.Unlock()
	before := c.Messages.to
	c.stop = func() { c.Messages.to = before }
	if IsTerminal(before) {
		c.Messages.to = rawWriter{before}
	}
	return nil
}

// again puts the terminal into raw mode again after the program was stopped and resumed, since a
// shell may have changed it.
func (c *Session) again() {
	c.raw.Lock()
	defer c.raw.Unlock()
	if c.saved != nil {
		_, _ = term.MakeRaw(int(os.Stdin.Fd())) // there is nobody to report it to
		_ = c.session.Resize(WindowSize(c.Out))
	}
}

// leave restores the terminal. It may be called more than once. Output that is being written to a
// terminal that has stopped (^S), and a menu that is open, do not hold it up.
func (c *Session) leave() {
	c.left.Store(true)
	for range 50 {
		if c.screen.TryLock() {
			defer c.screen.Unlock()
			break
		}
		time.Sleep(time.Millisecond)
	}
	c.restore()
}

// restore is leave for a caller that holds c.screen.
func (c *Session) restore() {
	c.raw.Lock()
	defer c.raw.Unlock()
	if c.saved == nil {
		return
	}
	_ = c.output.reset()
	_ = term.Restore(int(os.Stdin.Fd()), c.saved) // there is nobody to report it to
	c.saved = nil
	c.Messages.mu.Lock()
	defer c.Messages.mu.Unlock()
	c.stop()
}

// lockedWriter writes output of the server.
type lockedWriter struct{ c *Session }

func (w lockedWriter) Write(p []byte) (int, error) {
	w.c.screen.Lock()
	defer w.c.screen.Unlock()
	if w.c.left.Load() { // its modes would not be undone
		return 0, net.ErrClosed
	}
	return w.c.output.Write(p)
}

// rawWriter writes lines to a terminal in raw mode.
type rawWriter struct{ w io.Writer }

func (r rawWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(r.w, strings.ReplaceAll(string(p), "\n", "\r\n")); err != nil {
		return 0, err
	}
	return len(p), nil
}

// send sends input. A server that does not read blocks it, and neither the keyboard nor the screen.
func (c *Session) send(over <-chan struct{}) {
	for {
		select {
		case <-over:
			return
		case f := <-c.todo:
			_ = f() // Read reports what is wrong with the connection
		}
	}
}

// later queues input.
func (c *Session) later(f func() error) {
	select {
	case c.todo <- f:
	default:
		c.echo("\a")
	}
}

// echo writes to the terminal, but not while the menu is open, which writes by itself.
func (c *Session) echo(text string) {
	if c.menu == nil {
		c.screen.Lock()
		defer c.screen.Unlock()
	}
	io.WriteString(c.Out, text)
}

// readKeyboard handles what is typed.
func (c *Session) readKeyboard(keyboard io.Reader) {
	buf := make([]byte, 1<<10)
	for {
		n, err := keyboard.Read(buf)
		c.typed(buf[:n])
		if err != nil {
			c.ended <- scheme.Fail(scheme.CodeLocal, "cannot read from the terminal: %w", err)
			return
		}
	}
}

// typed handles bytes of the keyboard. The escape character opens the menu; everything else goes to
// the menu or to the server.
func (c *Session) typed(b []byte) {
	for len(b) > 0 {
		if c.menu != nil {
			c.typedInMenu(b[0])
			b = b[1:]
			continue
		}
		n := len(b)
		if c.Escape >= 0 {
			if i := strings.IndexByte(string(b), byte(c.Escape)); i >= 0 {
				n = i
			}
		}
		c.input(b[:n])
		if b = b[n:]; len(b) > 0 {
			b = b[1:]
			c.openMenu()
		}
	}
}

// input sends what was typed, or edits a line of it, as the server wants.
func (c *Session) input(b []byte) {
	send := func(text []byte) {
		c.later(func() error { _, err := c.session.Write(text); return err })
	}
	c.line.Input(b, *c.mode.Load(), c.echo, send, func() {
		c.later(func() error { return c.session.Send(session.Interrupt) })
	})
}

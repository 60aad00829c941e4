package console

import "os"

// notifyTerminal does nothing: windows has no signals for it.
func notifyTerminal(_, _ chan<- os.Signal) {}

// suspend explains that windows cannot stop a program.
func (*Session) suspend() string { return "this system cannot suspend a program" }

package main

import "os"

// notifyResize does nothing: windows has no signal for it.
func notifyResize(chan<- os.Signal) {}

// suspend explains that windows cannot stop a program.
func (*console) suspend() string { return "this system cannot suspend a program" }

package format

import "os/exec"

// killAll leaves the command as it is: only the command itself is ended.
func killAll(*exec.Cmd) {}

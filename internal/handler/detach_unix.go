//go:build unix

package handler

import (
	"os/exec"
	"syscall"
)

// detach keeps a program running when this one and its terminal end.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

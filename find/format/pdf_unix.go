//go:build unix

package format

import (
	"os/exec"
	"syscall"
)

// killAll makes the end of the command's context end the programs that it has started, too.
func killAll(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

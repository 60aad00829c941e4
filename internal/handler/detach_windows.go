package handler

import (
	"os/exec"
	"syscall"
)

// detach keeps a program running when this one and its console end.
func detach(cmd *exec.Cmd) {
	const detachedProcess = 0x8
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | detachedProcess}
}

package format_test

import "os/exec"

func leaveGroup(*exec.Cmd) {}

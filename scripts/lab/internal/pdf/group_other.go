//go:build !unix

package pdf

import "os/exec"

func ownGroup(*exec.Cmd) {}
func killGroup(int)      {}

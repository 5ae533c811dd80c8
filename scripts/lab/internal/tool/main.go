// Command tool runs the commands of the tool. The launcher, scripts/lab, has Go build it and
// replaces its own process by it. With the build tag light it lacks the commands that the
// first steps in a fresh clone do not need, so that Go has less to compile for them.
package main

import "github.com/mllabs-go/mllabs/scripts/lab/internal/command"

func main() { command.Run() }

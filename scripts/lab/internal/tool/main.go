// Command tool does what the commands of the tool say. The launcher, scripts/lab, has it
// built and becomes it: whole, or with the build constraint light, which leaves out what
// the first commands of a fresh clone go without, so that Go has less to compile for them.
package main

import "github.com/mllabs-go/mllabs/scripts/lab/internal/command"

func main() { command.Run() }

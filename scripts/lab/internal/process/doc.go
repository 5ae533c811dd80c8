// Package process starts programs that end with the tool: a command and whatever
// it starts in turn die when the context does, so that nothing goes on running
// after Ctrl-C or a termination signal. A context and a command line flow in, an
// [os/exec.Cmd] to be run flows out.
package process

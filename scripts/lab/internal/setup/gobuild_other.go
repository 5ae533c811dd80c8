//go:build !unix

package setup

// quickGo does nothing where there is no shell.
func quickGo(bin, goroot string) error { return nil }

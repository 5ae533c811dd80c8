//go:build !light

package command

// What the light tool goes without, because Go would have to compile much more for it. Files
// with this build constraint are left out of it.
func init() { available = append(available, checkCommand, dataCommand) }

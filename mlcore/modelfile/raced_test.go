//go:build race

package modelfile_test

// raced says that the race detector watches, whose own memory is resident as well: several
// times that of the program.
const raced = true

// Package browser makes the engine with which a page builds and runs Go: the compiler and
// the linker of the installed Go as WebAssembly, package cellcode, and the compiled packages
// that notebooks import.
package browser

// Command cellbuild builds the program of a notebook's cell as "go build -o FILE" does
// in the kernel's folder, in half the time. The go command finds out before every build
// which packages the program is made of and whether any has changed, which takes it
// longer than to compile the cell. cellbuild asks it once, and again when the cell
// imports another package or when a file of the module has changed; in between it
// calls the compiler and the linker by itself.
//
//	cellbuild GOROOT FILE
//
// One thing differs: debug.ReadBuildInfo finds nothing. A cell that imports runtime/debug
// is left to the go command, so that only a package below it can notice. A program that the
// kernel will not run is compiled, but not linked.
//
// It ends with 1 and prints nothing if there is anything that it does not know how to
// do, or if the cell does not compile: the go command is to try then, and to say what
// is wrong.
package main

import "os"

func main() {
	if len(os.Args) != 3 || build(".", os.Args[1], os.Args[2]) != nil {
		os.Exit(1)
	}
}

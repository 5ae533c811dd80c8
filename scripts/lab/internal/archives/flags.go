package archives

// The flags with which everybody builds the cells of notebooks, so that no package is compiled
// in two ways.
const (
	// Tags are the build tags, which the browser shares, so that a cell prints the same
	// everywhere. gonum/plot's tag minimal leaves out the formats of figures that a cell does
	// not import, of which package plotx brings PNG. gonum's tag noasm leaves out its
	// assembly, which exists for amd64 only and adds numbers up in another order: without it,
	// a sum has the same last digits on an arm64 Mac and in a browser.
	Tags = "minimal,noasm"
	// Linker leaves out the tables for debuggers and symbols. A program is smaller by a
	// third without them, and linking is most of the time that a cell takes; a panic
	// still prints its stack.
	Linker = "-s"
	// Compiler leaves the tables for debuggers out of every package, too, because the linker
	// would drop them only after it had read them, which is a fifth of its work. They would
	// also be a quarter of the archives that a page holds, and 2 of the 29 MB that it fetches.
	// Go's own packages are compiled once more for it, in some six seconds.
	Compiler = "all=-dwarf=false"
	// GOFLAGS is what the go command takes from the variable of that name.
	GOFLAGS = "-ldflags=" + Linker + " -gcflags=" + Compiler + " -tags=" + Tags
)

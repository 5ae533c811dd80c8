package browser

import (
	"bytes"
	"os"
	"path/filepath"
)

// A program for js/wasm writes by a call that answers later, for so Node does it: it makes a
// function for the answer, waits on a channel, and is entered anew when the answer comes. In a
// page that took 26 µs a write, and a loop that prints a letter without end was ended after 14 s,
// when it had printed what it may. What is laid over package syscall prints by one call that is
// done when it returns (execute.js), in less than 1 µs.
const (
	writeBegins = "func Write(fd int, b []byte) (int, error) {\n"
	writeFirst  = "\tif fd == 1 || fd == 2 {\n\t\treturn writeAtOnce(fd, b)\n\t}\n"
	// Other goroutines must still have their turn while one prints, for nothing else interrupts it;
	// but to give it each time would take longer than all the rest.
	writeAtOnce = `package syscall

import (
	"runtime"
	"unsafe"
)

//go:wasmimport gojs mllabs.write
//go:noescape
func pageWrite(fd int, p unsafe.Pointer, n int)

var writes int

func writeAtOnce(fd int, b []byte) (int, error) {
	pageWrite(fd, unsafe.Pointer(unsafe.SliceData(b)), len(b))
	if writes++; writes%16 == 0 {
		runtime.Gosched()
	}
	return len(b), nil
}
`
)

// printing is what is laid over Go's files, by their paths: nothing where they do not look as
// expected. Programs then print slowly.
func (g *goCommand) printing() (map[string][]byte, error) {
	folder := filepath.Join(g.goroot, "src", "syscall")
	calls := filepath.Join(folder, "fs_js.go")
	source, err := os.ReadFile(calls)
	if err != nil || bytes.Count(source, []byte(writeBegins)) != 1 {
		return nil, err
	}
	return map[string][]byte{
		calls:                                 bytes.Replace(source, []byte(writeBegins), []byte(writeBegins+writeFirst), 1),
		filepath.Join(folder, "mllabs_js.go"): []byte(writeAtOnce),
	}, nil
}

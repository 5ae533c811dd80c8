package harness

import (
	"os"
	"strconv"

	"github.com/mllabs-go/mllabs/notebooks/nbkit"
	"github.com/mllabs-go/mllabs/notebooks/nbkit/internal/kernel"
)

// cell is the number of the cell to run. Students' code finds the arguments of a program
// of its own.
var cell = func() string {
	if len(os.Args) != 2 {
		return ""
	}
	n := os.Args[1]
	os.Args = os.Args[:1]
	return n
}()

// Try stands in place of [nbkit.Check] in a cell that gives points.
func Try(title string, cases ...nbkit.Case) bool { return nbkit.Check(title, cases...) }

// Main runs the body of the cell that the program's argument names; of none, if no cell
// has that number. It does not return.
func Main(cells ...Cell) {
	for _, c := range cells {
		if strconv.Itoa(c.Number) == cell {
			c.Body()
		}
	}
	kernel.End()
	os.Exit(0) // what the students' functions have left running ends here
}

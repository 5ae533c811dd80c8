// Command student is a notebook's program whose exercises are in three states.
package main

import "github.com/mllabs-go/mllabs/notebooks/nbkit"

// Last has a mistake in the second line of its body.
func Last(values []int) int {
	n := len(values)
	return values[n]
}

// Total has not been done.
func Total(values []int) int {
	// YOUR CODE HERE
	panic(nbkit.NotImplemented("Total"))
}

// Largest is right.
func Largest(values []int) int {
	most := values[0]
	for _, v := range values {
		most = max(most, v)
	}
	return most
}

func main() {
	three := []int{1, 5, 3}
	nbkit.Check("Exercises",
		nbkit.Call("last", 3, Last, three),
		nbkit.Call("within a cell", 3, LastOfCell, three),
		nbkit.Call("called by a helper", 3, func() int { return LastOfCell(three) }),
		nbkit.Call("inlined", 3, func() int { return Last(three) }),
		nbkit.Call("total", 9, Total, three),
		nbkit.Call("largest", 5, Largest, three))
	println(Total(three))
}

// LastOfCell is Last as a page or the grading writes a program, in a cell that begins five
// lines above the function.
//
//line cell7:6
func LastOfCell(values []int) int {
	n := len(values)
	return values[n]
}

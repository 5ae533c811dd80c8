// Package nbkit is what a notebook imports beside mlcore: [Show] for figures,
// [Table] for frames and matrices, [Check] for a student's function, [Progress]
// for long loops. Values flow in; output that reads well in Jupyter, on a code host and
// on paper flows out. Package memo, below it, keeps results that take long to compute.
//
// GoNB compiles every cell with all declarations so far and runs it as a new
// program, so everything here is cheap to declare and keeps no state between
// cells but files. Outside a kernel nothing is displayed; [Show] still saves its
// figure.
//
// A notebook of the course imports what is needed and says which notebook it is; one of your own
// does not have to say it:
//
//	import "github.com/mllabs-go/mllabs/notebooks/nbkit"
//
//	var _ = nbkit.Notebook("lab3/01_nearest_neighbours")
package nbkit

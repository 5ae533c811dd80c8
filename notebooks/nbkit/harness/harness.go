// Package harness is the main function of a program that tries a notebook's functions,
// which scripts/lab composes: the number of a cell flows in, and a report that the rest of
// the program cannot write flows out, over file descriptor 3.
//
// What students write runs in the same process. The report counts because it begins with a
// word that the tool makes up anew for each run, and that is gone from the program's
// arguments before the first line of theirs runs; because students' code may import
// nothing that reaches a file descriptor; and because it has to hold the very cases of the
// notebook. No notebook imports this package.
//
// In a browser the report would be for the student's own page, which needs none: checks
// are shown there as the kernel shows them, and what shows a check carries its score.
package harness

// A Cell is a cell whose body can be run.
type Cell struct {
	Number int // from 0
	Body   func()
}

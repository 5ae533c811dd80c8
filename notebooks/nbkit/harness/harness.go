// Package harness is the main function of a program that tries a notebook's functions,
// which scripts/lab composes: the number of a cell flows in, with the constants that were taken
// out of its body, and a report of what they answer flows out, over file descriptor 3.
//
// What students write runs in the same process, and what the report says of its calls is their
// answers, whoever wrote it: expected values, names and hints are not in the program where marks
// hang on them, and what is compared is compared by the tool. That the report begins with a word
// which the tool makes up anew for each run, and which is gone from the program's arguments
// before the first line of theirs runs, keeps a program that prints by accident from being read
// as one that answers. No notebook imports this package.
//
// In a browser the report would be for the student's own page, which needs none: checks
// are shown there as the kernel shows them, and what shows a check carries its score.
package harness

// A Cell is a cell whose body can be run.
type Cell struct {
	Number int // from 0
	Body   func()
}

// Package lab3 is what the lab 3 hand-out gives to its students, in Go form: the
// types of a decision tree, the options of the functions that grow one, its vote,
// and the bookkeeping of rows that the tasks need but are not about. Samples are
// the rows of X, class codes are in y.
//
// None of the functions that the hand-out asks for is here. Students write them in
// the notebooks of this folder. A notebook that needs the trees of an earlier one
// takes them from package trees, which has mlcore grow them; written out, all the
// functions are in package solutions, which no notebook may import. Package week3 tests
// and draws what a student has written.
package lab3

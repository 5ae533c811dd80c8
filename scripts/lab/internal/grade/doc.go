// Package grade scores a student's answers to the exercises of one notebook: the sources
// of the cells that the student wrote flow in, a [Sheet] with a [Mark] for each exercise
// flows out. Everything else of the notebook is the course's own, its tests above all, so
// that it does not matter what became of them in what was handed in.
//
// An exercise is scored by itself. It is tried with the student's other cells, and where
// these spoil it, with the worked answers in their place; the better counts. An answer
// that does not compile, is not allowed or ends the program costs its own points only.
package grade

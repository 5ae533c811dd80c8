// Package mistakes reads and tries the catalogue of mistakes: for each exercise of a
// notebook, other right answers and typical wrong ones.
//
// The catalogue of notebooks/COURSE/NN_topic.ipynb is
// notebooks/COURSE/mistakes/NN_topic.txtar, a text archive whose files are called
// 3/right/outer-loop.go or 3/wrong/off-by-one.go, 3 being the number of the exercise. A
// file holds the functions that students write in that exercise, whole, and whatever
// other declarations and imports they need; packages of the standard library may go
// without an import, as in a cell. A wrong one begins with a comment:
//
//	// Caught by: a tie goes to the lowest class
//	//
//	// This is what one gets when the last of several equal counts wins.
//
// The first line names the visible case whose hint tells a student what is wrong; the
// rest is what a grader says.
//
// [Verify] holds a catalogue against its notebook: right answers pass every case, hidden
// ones too, and a wrong one fails the visible case that it names. Students get neither
// the catalogue nor anything made from it.
package mistakes

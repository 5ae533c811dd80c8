// Package exercise reads the exercises of a worked notebook: what stands between
// solution markers, the text that sets it, and the checks that grade it; and its tasks,
// whose written answers somebody marks by hand. From that it makes the copy that students work in, and finds what would give a solution
// away.
package exercise

// Package exercise reads the exercises of a worked notebook: what stands between
// solution markers, the text that sets it, and the checks that grade it. From that
// it makes the copy that students work in, and finds what would give a solution
// away.
package exercise

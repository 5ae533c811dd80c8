// Package judge says whether a function answered what was expected. Both are data here:
// a [Value] is taken of any Go value where it is, in the program that has it, and can be
// carried into another process, so that an answer never meets what it is compared with.
// Answers and expectations flow in, a [Score] flows out.
//
// Package nbkit judges with it in a kernel and in a page, and scripts/lab where marks hang
// on it.
package judge

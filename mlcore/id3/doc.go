// Package id3 grows classification trees with a branch for each category, by ID3
// (Quinlan, 1986, "Induction of decision trees").
//
// Features, all of them category codes, and class codes flow in through
// [Config.FitClassifier]; a [Model] comes out, an immutable tree that predicts,
// prunes and explains itself, and serialises. For numbers, for tests with two
// outcomes and for regression there is package tree.
package id3

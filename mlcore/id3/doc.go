// Package id3 grows classification trees with a branch for each category, by ID3
// (Quinlan, 1986, "Induction of decision trees").
//
// A Dataset, all of whose columns are categorical, flows in through
// [Config.FitClassifier]; a [Model] comes out, an immutable tree that predicts,
// prunes and explains itself, and serialises. For numbers, for tests with two
// outcomes and for regression there is package tree.
package id3

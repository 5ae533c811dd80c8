// Package given reads what a caller gave a learner or a model, in whichever of
// the forms that the contracts allow. A mat.Matrix X flows in, or labels and
// weights that may be nil; out come rows of X, all of X as a *mat.Dense, the
// weight of one row, or copies of some rows. Only these are copies where X is a
// *mat.Dense, so the rest is not to be written to; and nothing is checked: that
// is for package mlcore's Check functions.
package given

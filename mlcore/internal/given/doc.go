// Package given reads what a caller gave a learner or a model, in whichever of
// the forms that the contracts allow. A mat.Matrix X flows in, or weights w that
// may be nil; out come rows of X, all of X as a *mat.Dense, or the weight of one
// row. Nothing is copied where X is a *mat.Dense, so what comes out is only read;
// and nothing is checked: that is for package mlcore's Check functions.
package given

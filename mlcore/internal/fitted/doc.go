// Package fitted is what all fitted models have in common: they remember the
// Schema of the Dataset that they were fitted to. A Dataset and the Fit method of a
// configuration, which takes a bare matrix, flow in; the model with its Schema
// flows out.
package fitted

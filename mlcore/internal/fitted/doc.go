// Package fitted is what all fitted models have in common: they remember the
// Schema of the Dataset that they were fitted to. A Dataset and the function of a
// configuration that fits to one which has been checked flow in; the model with its
// Schema flows out.
package fitted

// Package assess tells how well a function that fits and predicts does: a function
// and a data set flow in; error rates, squared errors, curves, class maps and comparisons in words
// flow out. Notebooks use it for functions that students write, which are no models
// of mlcore; for those there is package modelsel.
package assess

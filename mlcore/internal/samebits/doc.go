// Package samebits has no code. Its test fits every estimator and transformer of
// mlcore to small data and compares digests of what they predict with those in
// testdata/digests.json, which hold for every processor. Continuous integration
// runs it for amd64 with assembly, without (the build tag purego) and as on a processor
// that lacks what the assembly asks for, for arm64 and s390x through qemu, for 386, and for
// WebAssembly.
//
// What the promise leaves out are the tails of distributions: p-values and the ends
// of intervals in sigtest and in linear's tables of coefficients may differ in
// their last bits, for they come from functions of gonum and of package math.
package samebits

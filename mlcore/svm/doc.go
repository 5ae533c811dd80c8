// Package svm separates classes by the widest street that the data allow, and fits
// curves that ignore small errors: support vector machines. Rows with class codes
// or targets flow in; models with a decision function f(x) flow out, with
// everything that a drawing of the street needs.
//
// With y = ±1 for the two classes, a classifier minimises, over w, b and one slack
// ζ ≥ 0 for each row,
//
//	½|w|² + C Σ ζ_t   such that   y_t f(x_t) ≥ 1 - ζ_t,   f(x) = w·φ(x) + b
//
// The boundary is f(x) = 0; the edges of the street are f(x) = ±1, at a distance of
// 2/|w|. Rows with ζ > 0 lie in the street or on the wrong side: margin
// violations. A smaller C makes the street wider and lets more rows violate it
// (Cortes & Vapnik, 1995, "Support-vector networks").
//
//   - [Config] fits with any kernel k(a, b) = φ(a)·φ(b) by sequential minimal
//     optimisation; more than two classes by a machine for each pair, which vote;
//     probabilities by FitProbClassifier; ε-regression by FitRegressor.
//   - [LinearConfig] fits f(x) = w·x + b by dual coordinate descent, for many rows
//     and columns, with squared loss by Newton's method first where there are more
//     rows than columns; more than two classes by one plane each against the rest.
//     Its b is penalised as w is; see there.
//
// The higher class of a pair is the positive one. On f(x) = 0 the lower class is
// predicted, and where votes or planes tie, the lowest class. (libsvm gives the vote of a
// pair to the higher class there. Of rows of whole numbers some lie on the boundary exactly,
// and whether f(x) is 0 there or next to it is then a matter of rounding, here and there.)
//
// Solvers stop at a tolerance or at a limit of iterations; the Status of a model
// says which, how far from the minimum it is, and what to do. Kernels see
// distances, so columns should have one scale: standardise them first.
//
// Nothing here depends on fused multiply-add or on the number of workers, so that
// one seed gives the same model and the same probabilities on every machine.
package svm

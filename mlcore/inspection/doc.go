// Package inspection shows how the predictions of a fitted model depend on single
// features. A fitted classifier or regressor and a Dataset flow in; curves and maps flow
// out, which package plotx draws.
//
// [PartialDependenceConfig] sets a feature to one value after the other in all rows, and
// takes the mean of the predictions at each value: the partial dependence. The
// predictions of single rows are the individual conditional expectation, which shows
// whether a feature has the same effect on all rows.
package inspection

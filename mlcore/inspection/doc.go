// Package inspection asks a fitted model how what it predicts depends on single features.
// A fitted classifier or regressor and a Dataset flow in; curves and maps flow out, which
// package plotx draws.
//
// [PartialDependenceConfig] sets a feature to one value after the other in all rows, and
// takes the mean of the predictions at each value: the partial dependence. The
// predictions of single rows are the individual conditional expectation, in which it
// shows whether a feature acts on all rows alike.
package inspection

// Package linear holds the models whose boundaries are hyperplanes: rows and
// targets or class codes flow in, a weight for each column and an intercept flow
// out, and with them predictions intercept + coef·x.
//
//   - [LeastSquaresConfig]: the line of least squared error, with standard errors,
//     p-values and R²;
//   - [RidgeConfig], [LassoConfig], [ElasticNetConfig]: the same with coefficients
//     kept small, for one penalty or for a path of them;
//   - [LogisticConfig]: probabilities of two or more classes, with an L2, L1 or
//     elastic penalty or none;
//   - [PerceptronConfig]: Rosenblatt's perceptron, with the history of its updates.
//
// Each field documents what 0 means: a penalty of 0 is none, limits and tolerances
// take their default.
//
// Every failure is reported:
//
//   - columns that are combinations of others are listed by Aliased and have the
//     coefficient 0, and NaN for a standard error;
//   - an iterative fit has a [mlcore.Status]: whether it converged, after how many
//     iterations, the loss after each, and advice where it did not (columns of
//     very different scales are named);
//   - classes that a hyperplane separates make the likelihood of an unpenalised
//     logistic regression grow without end: its outcome is [mlcore.Separated];
//   - what is undefined, such as standard errors without degrees of freedom, is
//     NaN or an error that wraps [ErrUndefined].
//
// The regressors reduce the rows to a triangle once (weights, centring, QR), in
// time proportional to n d², and solve that: a path of a hundred penalties costs
// little more than one. A lasso of more than 400 columns starts on the rows themselves.
// Logistic regression keeps a matrix of mostly zeros, as
// one-hot columns are, in sparse form and passes over what is not 0. Both take
// rows in chunks of fixed size and sum those in order, so that the result does
// not depend on the number of workers.
package linear

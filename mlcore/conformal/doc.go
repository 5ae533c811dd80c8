// Package conformal turns the predictions of any regressor into intervals. A model, or a
// learner, and rows with targets flow in, and intervals flow out that contain a new target
// with a chosen probability, 0.9 unless said otherwise:
//
//	model, err := tree.Config{MinSamplesLeaf: 5}.FitRegressor(train)
//	split, err := conformal.SplitConfig{}.Calibrate(model, calibration)
//	intervals, err := split.Intervals(fresh)
//
// There are two methods.
//
//   - [SplitConfig], split conformal prediction (Papadopoulos et al., 2002, "Inductive
//     confidence machines for regression"; Vovk, Gammerman & Shafer, 2005, "Algorithmic
//     Learning in a Random World"; Lei et al., 2018, JASA 113, algorithm 2): the rows of
//     calibration took no part in the fit, and an interval is the prediction plus and minus
//     a [Quantile] of their absolute residuals. The probability is at least the level and,
//     where no two residuals are equal, below level + 1/(n+1) for n rows of calibration.
//   - [CVPlusConfig], CV+ and, with modelsel.LeaveOneOut, the jackknife+ (Barber, Candès,
//     Ramdas & Tibshirani, 2021, "Predictive inference with the jackknife+", Annals of
//     Statistics 49): all rows fit and calibrate, by the models of a cross-validation. The
//     probability is usually near the level. What is proved is less: it is at least
//     1 - 2·(1 - level) for the jackknife+, and at least 1 - 2·(1 - level) - sqrt(2/n) for
//     CV+ with n rows.
//
// # What the probability means
//
// It holds for any model and any distribution if the rows of calibration and the new row
// are exchangeable: every order of them is equally probable, as of rows that were drawn at
// random. It does not hold for rows that come from elsewhere or from a later time. It is
// taken over the draws of both the rows of calibration and the new row. It is no promise
// for the new rows beside one particular calibration, whose coverage varies from draw to
// draw, and none for a group of rows or for a single row: intervals may contain too few
// targets of one group and too many of another.
//
// An interval whose ends are mapped by an increasing function, such as the exponential for
// targets that are logarithms, contains the mapped target if and only if it contained the
// target: the probability stays.
//
// # Weights
//
// Rows are ranked, and a rank has no weight: rows with different sample weights are an
// error that wraps [mlcore.ErrWeight]. Rows that stand for a population in unequal shares
// are not exchangeable with a row of that population.
package conformal

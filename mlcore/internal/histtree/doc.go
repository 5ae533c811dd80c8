// Package histtree grows the trees of gradient boosting on binned features, as
// LightGBM and XGBoost do (Ke et al., 2017, "LightGBM: a highly efficient
// gradient boosting decision tree"; Chen & Guestrin, 2016, "XGBoost: a scalable
// tree boosting system").
//
// Features flow in through [Learn], which finds at most 255 bins for each
// column, and [Bins.Encode], which replaces values by one-byte codes. Residuals
// (negative gradients) and curvatures (second derivatives) of a loss flow in
// through [Grower.Grow], round after round; a [Tree] flows out, which predicts
// from raw values.
//
// A node's histogram holds for each bin of each feature the sum of the
// residuals, the sum of the curvatures and the number of rows. The histogram of
// the smaller of two children is built from its rows, that of the larger is the
// parent's less the smaller's. Sums are taken in fixed point, so they are exact
// and do not depend on the order of the rows: any number of workers grows the
// same tree.
package histtree

// Package cart grows trees by CART (Breiman, Friedman, Olshen & Stone, 1984), for
// packages tree and ensemble.
//
// Features flow in as a table of package ranks, targets and weights as slices, and
// settings as a [Config]; a classifier or a regressor of package flattree flows
// out. A bootstrap sample is a number of copies for each row.
//
// # Two growers
//
// A grower grows every tree that a [Config] can ask for. It holds what classification
// and regression share: the order in which nodes are grown, the drawing of features and
// thresholds, the partition of rows. A task, classTask or regTask, holds what they do
// not share: the score of a split.
//
// A countGrower grows the trees on which forests spend their time, byte for byte those
// of grower: classification by Gini impurity, without MaxLeafNodes or RandomCandidates,
// where all weights are numbers of copies and all columns are numeric, with no more than
// 256 distinct values and none missing. There every sum is a whole number, so that the
// class counts of a node follow from those of its parent. canCount decides; FitClassifier
// asks it, and FitRegressor always takes a grower.
//
// # Searches for a split
//
// Each split is found exactly. A grower searches a numeric column of a node
//
//   - by a histogram, where the node has many rows for each distinct value: in
//     classification scanCountHistogram for Gini with weights that are whole numbers,
//     scanHistogram otherwise, and jointHistograms fills those of several columns in one
//     pass; in regression searchHistogram;
//   - by its sorted codes otherwise (searchSorted): in classification scanSortedCounts for
//     Gini with two classes and no weights, scanSorted otherwise; in regression
//     scanSortedSquares for squared error where weights tell the number of rows, scanSorted
//     otherwise, and with the absolute error, whose medians a fenwick tree follows;
//   - at a drawn threshold, under Splitter Random and with RandomCandidates (try).
//
// searchCategories searches a categorical column. A countGrower searches columns in
// batches of a few, by histograms (batch, histograms).
package cart

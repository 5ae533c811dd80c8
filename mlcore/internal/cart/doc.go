// Package cart grows trees by CART (Breiman, Friedman, Olshen & Stone, 1984), for
// packages tree and ensemble.
//
// Features flow in as a table of package ranks, targets and weights as slices, and
// settings as a [Config]; a classifier or a regressor of package flattree flows
// out. A bootstrap sample is a number of copies for each row. Trees that are grown one after
// another, as in boosting, share goroutines and memory by a [Series].
//
// # Parts
//
// The parts are those of scikit-learn's tree. One builder grows every tree. It keeps the
// nodes that wait, depth first or best first, decides by the settings which of them stay
// leaves, and appends leaves and tests to the result; of subtrees that are too small for a
// search in parallel it makes a team grow several at once. A sampler draws the features
// that a node is searched for. A splitter holds the rows: it makes a node the current one,
// finds its best split, and parts its rows between the children. There are two.
//
// A rowSplitter, for every tree that a Config can ask for, keeps the numbers of a node's
// rows in a partitioner, with their orders by feature where nodes are searched by sorting.
// A criterion, of classification or of regression, sums up the rows of a node and scores
// sides by their sums.
//
// A countSplitter, for the trees on which forests spend their time, finds the same splits,
// bit for bit: for classification by Gini impurity, without MaxLeafNodes or
// RandomCandidates, where all weights are numbers of copies and all columns are numeric,
// with no more than 256 distinct values and none missing. There every sum is a whole
// number, so that the class counts of a node follow from those of its parent; they are
// a countCriterion's. canCount decides.
//
// # Searches for a split
//
// Each split is found exactly. A rowSplitter searches a numeric column of a node
//
//   - by a histogram, where the node has many rows for each distinct value
//     (scanHistogram); a histogramBlock has those of several columns, filled in one pass;
//   - by its sorted codes otherwise (scanSorted): scanSortedCounts for Gini with two
//     classes and no weights, scanSquares for squared error where weights tell the number
//     of rows, and with the absolute error, whose medians a fenwick tree follows;
//   - at a drawn threshold, under Splitter Random and with RandomCandidates (drawAmongKeys
//     where the values of all rows are at hand, drawAmongCodes elsewhere),
//
// and a categorical one by scanCategories. A countSplitter searches columns in batches of
// a few: by histograms, which the children of a large node inherit (batch, histograms), by
// chains of rows where a histogram would be mostly empty (link), or at thresholds that are
// drawn and tried together (lanes). How one split replaces another is said once, by
// exceeds.
package cart

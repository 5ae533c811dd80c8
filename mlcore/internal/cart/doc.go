// Package cart grows trees by CART (Breiman, Friedman, Olshen & Stone, 1984), for
// packages tree and ensemble.
//
// Features flow in as a table of package ranks, targets and weights as slices, and
// settings as a [Config]; a classifier or a regressor of package flattree flows
// out. A bootstrap sample is a number of copies for each row.
//
// A grower holds what classification and regression share: the order in which
// nodes are grown, the drawing of features and thresholds, the partition of rows.
// A task holds what they do not: the score of a split. Classification of few and
// whole numbers, which forests spend their time on, is grown by a counted, which
// grows the same trees faster.
//
// Each split is found exactly, by a histogram where a node has many rows for each
// distinct value of a column and by sorting ranks elsewhere.
package cart

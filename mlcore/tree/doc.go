// Package tree has decision trees for classification and regression, grown by
// CART. Trees with a branch for each category are in package id3.
//
// A Dataset flows in through [Config.FitClassifier] and
// [Config.FitRegressor]; a [Classifier] or a [Regressor] comes out, an immutable
// table of nodes that predicts, explains itself (node table, text, Graphviz,
// sentences), prunes, and serialises. The growing itself is in internal/cart, and
// the form that trees predict from in internal/flattree, which package ensemble
// shares.
//
// A tree asks one question of one feature at each inner node and is grown
// greedily: each node gets the question, of all possible ones, that lowers the
// weighted impurity of the children most (Breiman, Friedman, Olshen & Stone,
// 1984, "Classification and Regression Trees").
//
// Each split is found exactly. Impurities are compared with a tolerance just above
// rounding, and ties go to the lowest feature, then to the lowest threshold, so the
// result depends neither on the order of the rows nor on the number of workers.
package tree

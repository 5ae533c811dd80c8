// Package tree grows decision trees: CART for classification and regression,
// and ID3 with a branch for each category.
//
// Features and targets flow in through [Config.FitClassifier] and
// [Config.FitRegressor]; a [Classifier] or a [Regressor] comes out, an immutable
// table of nodes that predicts, explains itself (node table, text, Graphviz,
// sentences), and serialises.
//
// A tree asks one question of one feature at each inner node and is grown
// greedily: of all questions the one that lowers the weighted impurity of the
// children most (Breiman, Friedman, Olshen & Stone, 1984, "Classification and
// Regression Trees").
//
// Growing works on ranks instead of values (see [Bin]), so each split is found
// exactly, by a histogram where a node has many rows for each distinct value of
// a column and by sorting ranks elsewhere. Impurities are compared with a
// tolerance just above rounding, and ties go to the lowest feature, then to the
// lowest threshold, so the result depends neither on the order of the rows nor
// on the number of workers.
package tree

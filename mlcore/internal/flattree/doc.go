// Package flattree holds fitted binary trees as flat tables of nodes in preorder,
// the form that the trees of packages tree and ensemble predict from.
//
// Tests and leaves flow in, one after the other from the growing of a tree
// ([Tree.AddLeaf], [Tree.SetTest]), or all at once from bytes ([ReadTree]). Rows
// of features flow in to predict from; the leaves that they reach flow out, and
// what a [Classifier] or a [Regressor] says there. Rows pass through all trees of a
// forest as [Trees], which take a smaller form once many rows have passed.
package flattree

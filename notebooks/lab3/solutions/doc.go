// Package solutions holds the functions that the lab 3 hand-out asks for, written
// to be read: k-nearest neighbours, a decision tree grown by brute force on
// weighted misclassification, a simplified random forest and AdaBoost. The
// notebooks of lab 3 develop them step by step. Tests hold them against mlcore, which
// does the same work fast, and against the driver in package week3.
// No notebook imports this package, and it is not handed out to students.
package solutions

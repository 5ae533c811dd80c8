// Package lab3 holds the functions that the lab 3 hand-out asks for, in Go form
// and written to be read: k-nearest neighbours, a decision tree grown by brute
// force on weighted misclassification, a simplified random forest and AdaBoost.
//
// The notebooks in this folder develop them step by step and compare them with
// package mlcore, which does the same work properly and fast; scripts/week3 draws
// their class maps. Samples are the rows of X, class codes are in y. What the
// hand-out says by leaving an argument out is said here by [NoClass] or by nil
// weights.
//
// In a student's copy the regions between BEGIN SOLUTION and END SOLUTION are
// empty and the functions panic with "not implemented".
package lab3

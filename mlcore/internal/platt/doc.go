// Package platt is Platt scaling: decision values of rows of two classes flow in, and
// the sigmoid that turns such values into probabilities flows out. Package svm fits one
// to each of its machines, package calibration to any classifier.
package platt

// Package ranks prepares features for the growing of exact trees: a matrix flows
// in, a [Table] flows out, in which each value is replaced by its rank among the
// distinct values of its column, or a category by its code. Nothing is lost, and
// a rank takes one byte where a column has few distinct values.
package ranks

// Package notebook reads and writes Jupyter notebooks (nbformat 4.5) in one
// canonical form, so that running a notebook twice gives the same bytes; compares
// the outputs of two runs; and finds what a committed notebook must not contain.
package notebook

// Package run executes notebooks: a notebook's file flows in, the same notebook
// with fresh outputs in canonical form flows out, or an error that names the
// cell. The work is done by a small Python program (runner.py, embedded) that
// speaks to the kernel through nbclient and reports on its standard output.
// Whatever happens, the kernel and what it started are gone when a run returns,
// and no file of the project has been touched.
package run

// Package run executes notebooks: a notebook's file flows in, the same notebook
// with fresh outputs in canonical form flows out, or an error that names the
// cell. [Notebook] runs it through the kernel, by a small Python program
// (runner.py, embedded) that uses nbclient and reports on its standard output;
// [Engine.Notebook] runs it as one program of all its cells. Whatever happens,
// the kernel and what it started are gone when a run returns, and no file of the
// project has been touched. [Cached] repeats no run whose key it has.
package run

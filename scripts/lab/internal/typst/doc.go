// Package typst makes PDFs of documents in Typst's language: the files of a document flow
// in, a PDF and the compiler's messages flow out. The compiler is a program of its own,
// which package setup finds or installs; what it compiles lies in a folder that it cannot
// leave, with no packages of Typst's at hand, and it ends when it takes too much time or
// memory.
package typst

// Package typst makes PDFs of documents in Typst's language: the files of a document flow
// in, a PDF and the compiler's messages flow out. The compiler is a separate program, on PATH
// or installed by package setup. It reads nothing outside the folder of the document, has no
// packages of Typst's, and is stopped when it takes too much time or memory.
package typst

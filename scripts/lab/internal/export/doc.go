// Package export turns notebooks into pages and into documents to print: one for each
// notebook, and a book of all. Executed notebooks flow in. What flows out is HTML that needs
// no other file, and documents in Typst's language with the files they use, of which package
// typst makes PDFs.
//
// A walker decides what is shown of a notebook, and one of two writers sets it. Markdown is
// parsed by goldmark. In HTML, Go is highlighted by chroma, and formulas are set as SVG by
// MathJax, which runs in a JavaScript engine written in Go, so that pages show them without
// a network and without a script. Fonts are embedded, so that a page looks the same
// everywhere. In documents, package texmath sets formulas, and MathJax draws those that it
// does not understand.
//
// Notebooks are not trusted. HTML in outputs and in markdown passes one allow-list, and so does
// the finished page, formulas included. Links have one of a few
// schemes. If anything slips through all the same, the page's own policy forbids scripts and
// requests. In a document, text from a notebook is a string literal and never code.
package export

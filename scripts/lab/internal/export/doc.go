// Package export turns notebooks into HTML that needs nothing else: one page a
// notebook, and one book of all. Executed notebooks flow in, bytes of HTML flow
// out; package pdf prints them.
//
// Markdown is rendered by goldmark, Go is highlighted by chroma, and formulas are
// set as SVG by MathJax, run in a JavaScript engine written in Go, so that pages
// show them without a network and without a script. Fonts are embedded too, so
// that a page looks the same everywhere.
//
// Notebooks are not trusted. Raw HTML in markdown is left out, HTML in outputs
// passes an allow-list, and so does the whole page once it is made, formulas
// included; a link has one of a few schemes. Should anything slip through all the
// same, the page's own policy forbids scripts and requests.
package export

// Package site writes the course as a folder of static pages that work under any path:
// a front page, a page for each notebook and for each data set, and a search. Notebooks
// flow in; HTML, an index and scripts flow out. Nothing on a page asks for anything
// outside of the folder.
//
// A page shows a notebook in the form that students get: stubs, visible cases and no
// outputs of the worked one. Where there is an [Engine], its cells can be edited and run
// in the page; scripts for that are plain modules in the folder web, with one idea each.
// Without JavaScript, and from a file, pages can be read all the same.
//
// Live figures (live.go, web/live) stand at the end of pages whose notebooks have something
// to play with. The module of package live computes them in a worker; scripts draw them and
// let points be moved, added, relabelled and removed by mouse, touch and keyboard.
//
// Markdown, code, formulas and outputs are rendered by package export, which lets nothing
// through that could run or load anything. The policy of each page allows the site's own
// scripts and styles, WebAssembly, and nothing else.
package site

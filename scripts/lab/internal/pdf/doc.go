// Package pdf prints HTML pages with a headless Chromium: it finds a browser, or
// installs one where that needs no questions, prints with a time-out, and tells on
// which page an anchor of the document landed. A page of HTML flows in, a PDF
// flows out whole or not at all.
package pdf

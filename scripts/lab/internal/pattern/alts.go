package pattern

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// MaxAlt is the longest an alternative text may be, in characters: it says what the
// figure is; what it shows is read in the prose below it.
const MaxAlt = 100

var altAttribute = regexp.MustCompile(`(?i)<img\b[^>]*\balt="([^"]*)"`)

// alts holds alternative texts to their length.
func (c *checker) alts() {
	for i := range c.nb.Cells {
		for _, alt := range c.altsOf(i) {
			if n := utf8.RuneCountInString(alt); n > MaxAlt {
				c.bad(i, "an alternative text has %d characters, %d at most: %q; say what the figure is, and what it shows in the prose below it", n, MaxAlt, alt)
			}
		}
	}
}

// altsOf lists the alternative texts of a cell, in its markdown or its outputs.
func (c *checker) altsOf(i int) []string {
	alts := slices.Clone(c.texts[i].Alts)
	add := func(alt string) {
		if alt = strings.TrimSpace(alt); alt != "" && !slices.Contains(alts, alt) {
			alts = append(alts, alt)
		}
	}
	for _, o := range c.nb.Cells[i].Outputs {
		if page, ok := o.Data["text/html"].(string); ok {
			for _, m := range altAttribute.FindAllStringSubmatch(notebook.WithoutPictures(page), -1) {
				add(html.UnescapeString(m[1]))
			}
		}
		if text, ok := o.Data["text/plain"].(string); ok && o.Kind() == "figure" {
			add(text)
		}
	}
	return alts
}

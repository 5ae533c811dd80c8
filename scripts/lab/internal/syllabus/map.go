package syllabus

import (
	"fmt"
	"html"
	"path"
	"slices"
	"strings"
)

// Sizes of the map in pixels, as it is shown at full size.
const (
	boxWidth, gap   = 232, 28
	lineHeight      = 17
	padding, margin = 12, 16
	headHeight      = 58
	hanging         = 11  // how far the second line of an entry is indented
	charWidth       = 6.3 // of the 13-pixel text on average
)

// Map draws the modules of all courses as SVG: a column for each course, a box for each module
// with its core notebooks, and the modules of other courses on which it builds.
func Map(p Path, labs []Lab) (string, error) {
	byName := index(labs)
	if err := p.check(byName); err != nil {
		return "", err
	}
	type place struct{ course, module int }
	home := map[string]place{}
	for i, c := range p.Courses {
		for j, m := range c.Modules {
			for _, s := range m.Steps {
				home[path.Join(c.Folder, s.Notebook)] = place{i, j}
			}
		}
	}
	// from lists the modules of other courses which the weeks of a module build on.
	from := func(c Course, m Module, i int) []string {
		var names []string
		for _, s := range m.Steps {
			if s.Week == 0 {
				continue
			}
			for _, after := range byName[path.Join(c.Folder, s.Notebook)].Worked.Needs().After {
				at, is := home[after]
				if !is || at.course == i {
					continue
				}
				short, _, _ := strings.Cut(p.Courses[at.course].Title, ":")
				name := short + ": " + p.Courses[at.course].Modules[at.module].Title
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
		return names
	}

	var b strings.Builder
	text := func(x, y int, class, s string) {
		fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\" class=%q>%s</text>\n", x, y, class, html.EscapeString(s))
	}
	height := 0
	for i, c := range p.Courses {
		x, y := margin+i*(boxWidth+gap), margin
		for k, line := range wrap(c.Title, boxWidth, 1.35) {
			text(x, y+18+k*20, "course", line)
		}
		y += headHeight
		for j, m := range c.Modules {
			if j > 0 {
				fmt.Fprintf(&b, "<path d=\"M%d %dv%d\" class=\"next\" marker-end=\"url(#tip)\"/>\n", x+boxWidth/2, y-gap, gap-8)
			}
			type line struct {
				class, text string
				x           int
			}
			var lines []line
			add := func(class, s string) {
				for k, l := range wrap(s, boxWidth-2*padding, 1.15) {
					lines = append(lines, line{class, l, x + padding + min(k, 1)*hanging})
				}
			}
			for _, l := range wrap(m.Title, boxWidth-2*padding, 1.25) {
				lines = append(lines, line{"module", l, x + padding})
			}
			further := 0
			for _, s := range m.Steps {
				if s.Core {
					add("core", "• "+byName[path.Join(c.Folder, s.Notebook)].title())
				} else {
					further++
				}
			}
			if further > 0 {
				add("further", fmt.Sprintf("and %d further", further))
			}
			for _, name := range from(c, m, i) {
				add("from", "← "+name)
			}
			h := 2*padding + lineHeight*len(lines) - 4
			fmt.Fprintf(&b, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\" class=\"c%d\"/>\n", x, y, boxWidth, h, i)
			for k, l := range lines {
				text(l.x, y+padding+12+k*lineHeight, l.class, l.text)
			}
			y += h + gap
		}
		height = max(height, y-gap+margin)
	}
	width := 2*margin + len(p.Courses)*(boxWidth+gap) - gap
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="Map of the courses">
<style>
text { font: 13px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: #1a1a1a }
.course { font-size: 15px; font-weight: 600 } .module { font-weight: 600 } .further, .from { fill: #444 } .from { font-style: italic }
rect { stroke: #555 } .c0 { fill: #e6f0fa } .c1 { fill: #e9f5e6 } .c2 { fill: #fdf1dc } .c3 { fill: #f7e8f2 } .c4 { fill: #eeeeee }
.next { stroke: #555; stroke-width: 1.5; fill: none }
</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#555"/></marker></defs>
<rect width="100%%" height="100%%" fill="#fff" stroke="none"/>
%s</svg>
`, width, height, width, height, b.String()), nil
}

// wrap breaks a text into lines that fit a width in pixels. scale allows for letters that are
// larger than usual, or bold.
func wrap(s string, width int, scale float64) []string {
	limit := int(float64(width) / (charWidth * scale))
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		if line != "" && len([]rune(line+" "+word)) > limit {
			lines, line = append(lines, line), word
			continue
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, line)
}

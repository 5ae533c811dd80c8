package export

import (
	"encoding/base64"
	"fmt"
	"html"
	"image/png"
	"regexp"
	"strconv"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// outputs renders the outputs of a cell, as many as the page has room for.
func (p *pager) outputs(list []*notebook.Output) string {
	var outs []string
	for i, o := range list {
		if p.lines >= maxPageLines {
			p.warn("the outputs until here fill a page; %d of this cell are left out", len(list)-i)
			outs = append(outs, note(fmt.Sprintf("The outputs of this notebook are too long for a page: %d of this cell are left out here. The notebook has them all.", len(list)-i)))
			break
		}
		p.lines++
		if s := p.output(o); s != "" {
			outs = append(outs, s)
		}
	}
	return strings.Join(outs, "\n")
}

// room is how many lines the next output may have.
func (p *pager) room() int { return min(maxLines, max(maxPageLines-p.lines, 1)) }

// output renders one output of a cell. Of a bundle the richest form that is
// safe is taken: HTML, then PNG, then markdown, then text.
func (p *pager) output(o *notebook.Output) string {
	switch o.Type {
	case "stream":
		class := "stream"
		if o.Name == "stderr" {
			class += " stderr"
		}
		return p.text(class, o.Text)
	case "error":
		trace := strings.Join(o.Trace, "\n")
		if strings.TrimSpace(trace) == "" {
			trace = o.EName + ": " + o.EValue
		}
		return p.text("error", trace)
	}
	str := func(mime string) string { s, _ := o.Data[mime].(string); return s }
	plain := str("text/plain")
	switch {
	case p.edition == Reader && kindClass(o) == "check" && strings.TrimSpace(plain) != "":
		return passedCheck(o)
	case str("text/html") != "":
		if tooMuchHTML(str("text/html")) {
			p.warn("an output's HTML is nested too deeply, and shown as text")
			return p.text("stream", str("text/html"))
		}
		page, lines, left := cutHTML(str("text/html"), p.room())
		p.lines += lines
		return `<div class="rich ` + kindClass(o) + shapeClass(o) + `">` + p.captioned(o, sanitise(page)) + "</div>" + p.cutNote(left)
	case str("image/png") != "":
		p.lines += pictureLines
		data := strings.Join(strings.Fields(str("image/png")), "")
		if tooManyPixels(data) {
			p.warn("an output's PNG has more than %d million pixels", maxPixels/1_000_000)
			return note("A picture is left out here: it is too large. The notebook has it.")
		}
		src := "data:image/png;base64," + data
		if !pictureData.MatchString(src) {
			p.warn("an output's PNG is not base64")
			return ""
		}
		return p.captioned(o, fmt.Sprintf(`<figure><img alt="%s" src="%s"></figure>`, html.EscapeString(plain), src))
	case str("text/markdown") != "":
		text, lines, left := cutText(str("text/markdown"), p.room())
		p.lines += lines
		return `<div class="rich">` + p.markdown.render(text, nil) + "</div>" + p.cutNote(left)
	case plain != "":
		return p.text("stream", plain)
	}
	return ""
}

// captioned is the HTML of an output, with a number and a caption below it if it is a
// figure.
func (p *pager) captioned(o *notebook.Output, page string) string {
	before, isFigure := strings.CutSuffix(strings.TrimSpace(page), "</figure>")
	if kindClass(o) != "figure" || !isFigure {
		return page
	}
	p.figures++
	alt, _ := o.Data["text/plain"].(string)
	if alt = strings.TrimSpace(alt); alt != "" && !strings.ContainsAny(alt[len(alt)-1:], ".?!") {
		alt += "."
	}
	return before + fmt.Sprintf("<figcaption><b>Figure %d.</b> %s</figcaption></figure>", p.figures, html.EscapeString(alt))
}

// kindClass is the kind that nbkit gave the output, as a class.
func kindClass(o *notebook.Output) string {
	kind, _ := o.Metadata["mllabs"].(string)
	switch kind {
	case "figure", "table", "check", "check-failed", "progress", "error":
		return kind
	}
	return ""
}

var shownWidth = regexp.MustCompile(`<img [^>]*width="([0-9]+)"`)

// shapeClass is " tall" for a figure that is as high as half a printed page at the width
// at which it is shown: such a one is scaled down further to fit, in print, than one
// that leaves little room empty anyhow.
func shapeClass(o *notebook.Output) string {
	const textWidth, high = 635, 340 // of a printed page, in CSS pixels
	markup, _ := o.Data["text/html"].(string)
	data, _ := o.Data["image/png"].(string)
	m := shownWidth.FindStringSubmatch(markup)
	if m == nil {
		return ""
	}
	config, err := png.DecodeConfig(base64.NewDecoder(base64.StdEncoding, strings.NewReader(strings.Join(strings.Fields(data), ""))))
	if err != nil || config.Width == 0 {
		return ""
	}
	width, _ := strconv.ParseFloat(m[1], 64)
	if min(width, textWidth)*float64(config.Height)/float64(config.Width) > high {
		return " tall"
	}
	return ""
}

// text is a block of text, as long as there is room for it.
func (p *pager) text(class, s string) string {
	s, lines, left := cutText(notebook.StripANSI(s), p.room())
	p.lines += lines
	return textBlock(class, s) + p.cutNote(left)
}

func textBlock(class, s string) string {
	s = strings.TrimRight(notebook.StripANSI(s), "\n")
	if s == "" {
		return ""
	}
	return fmt.Sprintf(`<pre class="%s">%s</pre>`, class, html.EscapeString(s))
}

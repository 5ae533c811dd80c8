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

// output renders one output of a cell. Of a bundle the richest form that is
// safe is taken: HTML, then PNG, then markdown, then text.
func (p *pager) output(o *notebook.Output) string {
	switch o.Type {
	case "stream":
		class := "stream"
		if o.Name == "stderr" {
			class += " stderr"
		}
		return textBlock(class, o.Text)
	case "error":
		trace := strings.Join(o.Trace, "\n")
		if strings.TrimSpace(trace) == "" {
			trace = o.EName + ": " + o.EValue
		}
		return textBlock("error", trace)
	}
	str := func(mime string) string { s, _ := o.Data[mime].(string); return s }
	plain := str("text/plain")
	switch {
	case tooMuchHTML(str("text/html")):
		p.warn("an output's HTML is nested too deeply, and shown as text")
		return textBlock("stream", str("text/html"))
	case str("text/html") != "":
		return `<div class="rich ` + kindClass(o) + shapeClass(o) + `">` + sanitise(str("text/html")) + "</div>"
	case str("image/png") != "":
		src := "data:image/png;base64," + strings.Join(strings.Fields(str("image/png")), "")
		if !pictureData.MatchString(src) {
			p.warn("an output's PNG is not base64")
			return ""
		}
		return fmt.Sprintf(`<figure><img alt="%s" src="%s"></figure>`, html.EscapeString(plain), src)
	case str("text/markdown") != "":
		return `<div class="rich">` + p.markdown.render(str("text/markdown"), nil) + "</div>"
	case plain != "":
		return textBlock("stream", plain)
	}
	return ""
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

func textBlock(class, s string) string {
	s = strings.TrimRight(notebook.StripANSI(s), "\n")
	if s == "" {
		return ""
	}
	return fmt.Sprintf(`<pre class="%s">%s</pre>`, class, html.EscapeString(s))
}

package export

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"strings"

	"codeberg.org/go-fonts/latin-modern/lmroman10bold"
	"codeberg.org/go-fonts/latin-modern/lmroman10italic"
	"codeberg.org/go-fonts/latin-modern/lmroman10regular"
	"golang.org/x/image/font/gofont/gomono"
)

//go:embed style.css
var styleCSS string

// A Font is one that pages are set in.
type Font struct {
	Family, Weight, Style string // as in a style sheet
	Format                string // "otf" or "ttf", which also ends the name of its file
	Data                  []byte
}

// Fonts are the fonts of text and code.
func Fonts() []Font {
	face := func(family, weight, style, format string, data []byte) Font {
		return Font{family, weight, style, format, data}
	}
	return []Font{
		face("LM Roman", "400", "normal", "otf", lmroman10regular.TTF),
		face("LM Roman", "700", "normal", "otf", lmroman10bold.TTF),
		face("LM Roman", "400", "italic", "otf", lmroman10italic.TTF),
		face("Go Mono", "400", "normal", "ttf", gomono.TTF),
	}
}

// Credits is a comment of a style sheet that names what pages are set with.
const Credits = "/* Latin Modern (GUST Font License), Go Mono (BSD); formulas by MathJax (Apache License 2.0). */\n"

// Style is the style sheet of pages, without the fonts.
func Style() string { return styleCSS }

// styles is the style sheet of a page, with the fonts of its text and code.
func styles() string {
	var b strings.Builder
	b.WriteString(Credits)
	for _, f := range Fonts() {
		fmt.Fprintf(&b, "@font-face{font-family:%q;font-weight:%s;font-style:%s;src:url(data:font/%s;base64,%s)}\n", f.Family, f.Weight, f.Style, f.Format, base64.StdEncoding.EncodeToString(f.Data))
	}
	b.WriteString(styleCSS)
	return b.String()
}

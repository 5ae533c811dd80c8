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

// styles is the style sheet of a page, with the fonts of its text and code.
func styles() string {
	var b strings.Builder
	b.WriteString("/* Embedded: Latin Modern (GUST Font License), Go Mono (BSD); formulas by MathJax (Apache License 2.0). */\n")
	face := func(family, weight, style, format, data string) {
		fmt.Fprintf(&b, "@font-face{font-family:%q;font-weight:%s;font-style:%s;src:url(data:font/%s;base64,%s)}\n", family, weight, style, format, data)
	}
	b64 := base64.StdEncoding.EncodeToString
	face("LM Roman", "400", "normal", "otf", b64(lmroman10regular.TTF))
	face("LM Roman", "700", "normal", "otf", b64(lmroman10bold.TTF))
	face("LM Roman", "400", "italic", "otf", b64(lmroman10italic.TTF))
	face("Go Mono", "400", "normal", "ttf", b64(gomono.TTF))
	b.WriteString(styleCSS)
	return b.String()
}

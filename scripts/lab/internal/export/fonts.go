package export

import (
	"embed"
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"

	"codeberg.org/go-fonts/latin-modern/lmroman10bold"
	"codeberg.org/go-fonts/latin-modern/lmroman10italic"
	"codeberg.org/go-fonts/latin-modern/lmroman10regular"
	"golang.org/x/image/font/gofont/gomono"
)

//go:embed style.css
var styleCSS string

//go:embed katex/katex.min.css
var katexCSS string

//go:embed katex/fonts/*.woff2
var katexFonts embed.FS

var fontFace = regexp.MustCompile(`@font-face\{font-family:([A-Za-z0-9_]+);[^}]*src:url\((fonts/[A-Za-z0-9_-]+\.woff2)\) format\("woff2"\)[^}]*\}`)

// mathFonts are the faces that formulas of school and textbook need, besides
// those added when a page asks for them.
var mathFonts = map[string]string{
	"KaTeX_Caligraphic": "mathcal",
	"KaTeX_Fraktur":     "mathfrak",
	"KaTeX_SansSerif":   "mathsf",
	"KaTeX_Script":      "mathscr",
	"KaTeX_Typewriter":  "mathtt",
	"KaTeX_AMS":         "",
	"KaTeX_Main":        "",
	"KaTeX_Math":        "",
	"KaTeX_Size1":       "",
	"KaTeX_Size2":       "",
	"KaTeX_Size3":       "",
	"KaTeX_Size4":       "",
}

// styles is the style sheet of a page with the given body: text and code fonts
// always, those of formulas where there are formulas.
func styles(body string) string {
	var b strings.Builder
	face := func(family, weight, style, format, data string) {
		fmt.Fprintf(&b, "@font-face{font-family:%q;font-weight:%s;font-style:%s;src:url(data:font/%s;base64,%s)}\n", family, weight, style, format, data)
	}
	b64 := base64.StdEncoding.EncodeToString
	face("LM Roman", "400", "normal", "otf", b64(lmroman10regular.TTF))
	face("LM Roman", "700", "normal", "otf", b64(lmroman10bold.TTF))
	face("LM Roman", "400", "italic", "otf", b64(lmroman10italic.TTF))
	face("Go Mono", "400", "normal", "ttf", b64(gomono.TTF))
	if strings.Contains(body, `class="katex`) {
		b.WriteString(fontFace.ReplaceAllStringFunc(katexCSS, func(rule string) string {
			m := fontFace.FindStringSubmatch(rule)
			class, known := mathFonts[m[1]]
			if !known || class != "" && !strings.Contains(body, class) {
				return ""
			}
			data, err := katexFonts.ReadFile("katex/" + m[2])
			if err != nil {
				return ""
			}
			head, _, _ := strings.Cut(rule, "src:")
			return head + "src:url(data:font/woff2;base64," + b64(data) + `) format("woff2")}`
		}))
		b.WriteByte('\n')
	}
	b.WriteString(styleCSS)
	return b.String()
}

package export

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"oss.terrastruct.com/d2/d2renderers/d2latex"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// A typesetter sets formulas as SVG with MathJax, which module d2 carries along
// and runs in a JavaScript engine written in Go. Each formula takes a third of a
// second, so results are kept in memory and, where there is a folder, in files
// named after the formula. It is safe for concurrent use.
type typesetter struct {
	folder string // "": keep nothing in files
	mu     sync.Mutex
	kept   map[string]string
}

func newTypesetter(folder string) *typesetter {
	return &typesetter{folder: folder, kept: map[string]string{}}
}

// set returns the HTML of a formula, labelled with its LaTeX for readers who
// cannot see it. A formula that MathJax does not understand is an error, and
// shown as it was typed.
func (t *typesetter) set(tex string, display bool) (string, error) {
	source, class := tex, "math"
	if display {
		class = "math display"
	} else {
		source = `\textstyle ` + tex
	}
	svg, err := t.svg(source)
	if err != nil {
		return `<code class="badmath">` + html.EscapeString(tex) + `</code>`, fmt.Errorf("formula %q: %w", tex, err)
	}
	return fmt.Sprintf(`<span class=%q role="math" aria-label="%s">%s</span>`, class, html.EscapeString(tex), svg), nil
}

// mathVersion is part of the names of kept files; raise it when what is kept
// changes, such as with the version of d2.
const mathVersion = "d2 v0.7.1 "

func (t *typesetter) svg(tex string) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if svg, ok := t.kept[tex]; ok {
		return svg, nil
	}
	key := sha256.Sum256([]byte(mathVersion + tex))
	file := filepath.Join(t.folder, hex.EncodeToString(key[:12])+".svg")
	if t.folder != "" {
		if data, err := os.ReadFile(file); err == nil {
			t.kept[tex] = string(data)
			return string(data), nil
		}
	}
	svg, err := mathjax(tex)
	if err != nil {
		return "", err
	}
	t.kept[tex] = svg
	if t.folder != "" {
		if err := os.MkdirAll(t.folder, 0o755); err == nil {
			// Without the file the formula is only slow the next time.
			_ = notebook.ReplaceFile(file, []byte(svg))
		}
	}
	return svg, nil
}

var mathError = regexp.MustCompile(`data-mjx-error="([^"]*)"`)

func mathjax(tex string) (string, error) {
	// The renderer puts the formula into a JavaScript template string.
	if strings.ContainsAny(tex, "`") || strings.Contains(tex, "${") {
		return "", fmt.Errorf("a formula cannot hold ` or ${")
	}
	svg, err := d2latex.Render(tex)
	if err != nil {
		return "", err
	}
	if m := mathError.FindStringSubmatch(svg); m != nil {
		return "", fmt.Errorf("%s", html.UnescapeString(m[1]))
	}
	return svg, nil
}

package export

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
)

// A typesetter sets the formulas of a notebook. Results are kept in memory and,
// where there is a folder, in files named after the formula.
type typesetter struct {
	folder string // "": keep nothing in files
	kept   map[string]string
}

func newTypesetter(folder string) *typesetter {
	return &typesetter{folder: folder, kept: map[string]string{}}
}

// maxFormula is how many characters a formula may have: the time that MathJax
// takes grows with their square, from milliseconds to minutes.
const maxFormula = 1000

// set returns the HTML of a formula, labelled with its LaTeX for readers who
// cannot see it. A formula that MathJax does not understand is an error, and
// shown as it was typed; so is one that is too long.
func (t *typesetter) set(ctx context.Context, tex string, display bool) (string, error) {
	source, class := tex, "math"
	if display {
		class = "math display"
	} else {
		source = `\textstyle ` + tex
	}
	var svg string
	var err error
	if n := utf8.RuneCountInString(tex); n > maxFormula {
		err = fmt.Errorf("has %d characters, %d at most; split it", n, maxFormula)
	} else {
		svg, err = t.svg(ctx, source)
		if err == nil && tooLarge(svg) {
			err = errors.New("takes more room than a page has")
		}
	}
	if err != nil {
		return `<code class="badmath">` + html.EscapeString(tex) + `</code>`, fmt.Errorf("formula %q: %w", clip(tex), err)
	}
	return fmt.Sprintf(`<span class=%q role="math" aria-label="%s">%s</span>`, class, html.EscapeString(tex), svg), nil
}

// clip shortens what is quoted in a message.
func clip(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return s
}

// mathVersion is part of the names of kept files; raise it when what is kept
// changes, such as with the version of MathJax.
const mathVersion = "MathJax 3.2.2 "

func (t *typesetter) svg(ctx context.Context, tex string) (string, error) {
	if svg, ok := t.kept[tex]; ok {
		return svg, nil
	}
	key := sha256.Sum256([]byte(mathVersion + tex))
	file := filepath.Join(t.folder, hex.EncodeToString(key[:12])+".svg")
	if t.folder != "" {
		if data, err := os.ReadFile(file); err == nil {
			// A file that was damaged is set again.
			if sum, svg, _ := strings.Cut(string(data), "\n"); sum == sumOf(svg) {
				t.kept[tex] = svg
				return svg, nil
			}
		}
	}
	svg, err := typeset(ctx, tex)
	if err != nil {
		return "", err
	}
	t.kept[tex] = svg
	if t.folder != "" {
		if err := os.MkdirAll(t.folder, 0o755); err == nil {
			// Without the file the formula is only slow the next time.
			_ = atomicfile.Write(file, []byte(sumOf(svg)+"\n"+svg))
		}
	}
	return svg, nil
}

func sumOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// hugeNumber is a length beyond a thousand times the size of the letters, in
// thousandths.
var (
	hugeNumber = regexp.MustCompile(`(?:^|[^0-9.])[0-9]{7,}`)
	height     = regexp.MustCompile(`^\s*<svg[^>]* height="([0-9.]+)ex"`)
)

// tooLarge says whether a formula, by the lengths in it, would be higher than a page, or
// draw far outside of its own place.
func tooLarge(svg string) bool {
	if m := height.FindStringSubmatch(svg); m != nil {
		if h, err := strconv.ParseFloat(m[1], 64); err != nil || h > 100 {
			return true
		}
	}
	return hugeNumber.MatchString(svg)
}

package plotx

import (
	"slices"
	"strings"
	"unicode"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// noGlyph stands in a figure for a character of which the font has no picture.
const noGlyph = "□"

// A spelling is a canvas on which no character of a text vanishes: gonum's draw nothing where
// the font has no glyph.
type spelling struct {
	vg.CanvasSizer
	missing []rune
}

// FillString implements [vg.Canvas].
func (s *spelling) FillString(face font.Face, pt vg.Point, text string) {
	var b strings.Builder
	for _, r := range text {
		switch place, err := face.Face.GlyphIndex(nil, r); {
		case err == nil && place != 0:
			b.WriteRune(r)
		case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r):
			// There is nothing to see.
		default:
			b.WriteString(noGlyph)
			if at, known := slices.BinarySearch(s.missing, r); !known {
				s.missing = slices.Insert(s.missing, at, r)
			}
		}
	}
	s.CanvasSizer.FillString(face, pt, b.String())
}

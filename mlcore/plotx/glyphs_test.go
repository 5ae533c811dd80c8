package plotx_test

import (
	"bytes"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
)

// A character without a glyph is listed, and something is drawn in its place; what nobody can
// see is neither. The oracle is the figure without these characters.
func TestCharactersWithoutGlyph(t *testing.T) {
	picture := func(text string) ([]byte, string) {
		p, err := plotx.Lines(text, text, text, plotx.Series{Name: text, X: []float64{0, 1}, Y: []float64{0, 1}})
		if err != nil {
			t.Fatal(err)
		}
		png, missing, err := plotx.Picture(p)
		if err != nil {
			t.Fatal(err)
		}
		return png, string(missing)
	}
	for _, c := range []struct{ name, text, without, missing string }{
		{"Latin, Greek, Cyrillic and signs", "Größe α → β ≤ 3², Ж ∞", "Größe α → β ≤ 3², Ж ∞", ""},
		{"Chinese", "猫 and 犬, 猫", " and , ", "犬猫"},
		{"an emoji with a selector", "a ✌️ b", "a  b", "✌"},
		{"what joins", "a\u200db", "ab", ""},
	} {
		got, missing := picture(c.text)
		if missing != c.missing {
			t.Errorf("%s: %q are missing, want %q", c.name, missing, c.missing)
		}
		if without, _ := picture(c.without); c.missing != "" && bytes.Equal(got, without) {
			t.Errorf("%s: nothing is drawn for %q", c.name, missing)
		}
	}
}

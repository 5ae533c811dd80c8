package plotx

import (
	"image/color"
	"math"
	"testing"
)

// The oracle is the example ratios that the guidelines and their common checkers
// give: 21 for black on white, 4.54 for #767676 on white, 1 for equals.
func TestContrast(t *testing.T) {
	white, black, grey := color.RGBA{0xff, 0xff, 0xff, 0xff}, color.RGBA{0, 0, 0, 0xff}, color.RGBA{0x76, 0x76, 0x76, 0xff}
	for _, tc := range []struct {
		a, b color.RGBA
		want float64
	}{{black, white, 21}, {white, black, 21}, {grey, white, 4.54}, {grey, grey, 1}} {
		if got := contrast(tc.a, tc.b); math.Abs(got-tc.want) > 0.005 {
			t.Errorf("contrast of %v and %v is %.3f, want %.2f", tc.a, tc.b, got, tc.want)
		}
	}
}

// Text can be read on every shade of every colour.
func TestTextOnEveryShade(t *testing.T) {
	for i := range palette {
		for s := range 101 {
			background := Tint(i, float64(s)/100)
			if got := contrast(textOn(background), background); got < leastContrast {
				t.Errorf("colour %d at %d%%: contrast %.2f, want at least %v", i, s, got, leastContrast)
			}
		}
	}
}

// The grounds of the first five classes keep apart in a grey print. The weights of the
// three colours are those of ITU-R BT.601, by which printers and viewers turn grey.
func TestGroundsDifferInGrey(t *testing.T) {
	luma := func(c color.RGBA) float64 {
		return 0.299*float64(c.R) + 0.587*float64(c.G) + 0.114*float64(c.B)
	}
	for a := range 5 {
		for b := range a {
			if d := math.Abs(luma(Ground(a)) - luma(Ground(b))); d < 8 {
				t.Errorf("the greys of classes %d and %d differ by %.1f of 255", b, a, d)
			}
		}
	}
}

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

// The values of cells can be read on every shade. The ratio that text has to have with its
// background is that of the Web Content Accessibility Guidelines 2.2, criterion 1.4.3.
func TestCellsCanBeRead(t *testing.T) {
	for s := range 101 {
		if got := contrast(ink, cellTint(float64(s)/100)); got < 4.5 {
			t.Errorf("shade %d%%: contrast %.2f, want at least 4.5", s, got)
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

// contrast is the contrast ratio of two colours, from 1 to 21, as the guidelines
// define it.
func contrast(a, b color.RGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// luminance is the relative luminance of a colour in sRGB.
func luminance(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

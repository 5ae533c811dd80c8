package plotx

import (
	"image/color"
	"math"
)

// leastContrast is the ratio that text has to have with its background (Web Content
// Accessibility Guidelines 2.2, criterion 1.4.3).
const leastContrast = 4.5

// textOn returns the colour of text on a background: ink where it can be read, else
// white or black, whichever stands out more. One of the two always has a contrast of
// more than 4.5.
func textOn(background color.RGBA) color.RGBA {
	white, black := color.RGBA{0xff, 0xff, 0xff, 0xff}, color.RGBA{0, 0, 0, 0xff}
	switch {
	case contrast(ink, background) >= leastContrast:
		return ink
	case contrast(white, background) >= contrast(black, background):
		return white
	}
	return black
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

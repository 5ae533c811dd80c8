//go:build !js

package live

import (
	"fmt"
	"image/color"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// A Theme is how package plotx draws classes.
type Theme struct {
	// Colors are those of the classes, which repeat, and Grounds those of a map's cells.
	Colors  []string `json:"colors"`
	Grounds []string `json:"grounds"`
	// Shapes are outlines of the classes' points around a circle of radius 1, y upwards.
	Shapes [][][2]float64 `json:"shapes"`
}

// theme is that of plotx.
func theme() Theme {
	var t Theme
	for i := 0; i == 0 || plotx.Color(i) != plotx.Color(0); i++ {
		t.Colors = append(t.Colors, hex(plotx.Color(i)))
		t.Grounds = append(t.Grounds, hex(plotx.Ground(i)))
	}
	first := fmt.Sprint(outline(0))
	for i := 0; i == 0 || fmt.Sprint(outline(i)) != first; i++ {
		t.Shapes = append(t.Shapes, outline(i))
	}
	return t
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// outline is what plotx fills for a point of a class.
func outline(class int) (points [][2]float64) {
	var drawn recorder.Canvas
	c := draw.NewCanvas(&drawn, 10, 10)
	plotx.Glyph(class).DrawGlyph(&c, draw.GlyphStyle{Color: color.Black, Radius: 1}, vg.Point{})
	for _, action := range drawn.Actions {
		fill, ok := action.(*recorder.Fill)
		if !ok {
			continue
		}
		for _, part := range fill.Path {
			if part.Type == vg.MoveComp || part.Type == vg.LineComp {
				points = append(points, [2]float64{float64(part.Pos.X), float64(part.Pos.Y)})
			}
		}
	}
	return points
}

package co395

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
)

// Ball is the curve of all points of the plane at distance 1 from the origin, for a
// distance from the origin that doubles when its argument does.
func Ball(name string, distance func(x []float64) float64) plotx.Series {
	s := plotx.Series{Name: name}
	for i := range 201 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 200)
		d := distance([]float64{cos, sin})
		s.X, s.Y = append(s.X, cos/d), append(s.Y, sin/d)
	}
	return s
}

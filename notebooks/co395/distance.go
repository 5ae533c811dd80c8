package co395

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/floats"
)

// DistancesOnLine are the distances of the points x of a line from q, in units of h.
func DistancesOnLine(x []float64, q, h float64) []float64 {
	d := make([]float64, len(x))
	for i := range x {
		d[i] = math.Abs(x[i]-q) / h
	}
	return d
}

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

// NearToFar is the distance of the nearest of 200 random points of a cube from its
// centre, divided by that of the farthest: a mean over 20 draws. The cube has so many
// features, and distances are Euclidean.
func NearToFar(features int) float64 {
	return assess.Mean(20, func(seed uint64) float64 {
		rng, d := mlcore.NewRand(seed), make([]float64, 200)
		for i := range d {
			for range features {
				x := rng.Float64() - 0.5
				d[i] += float64(x * x)
			}
		}
		return math.Sqrt(floats.Min(d) / floats.Max(d))
	})
}

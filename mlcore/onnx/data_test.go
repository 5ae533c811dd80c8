package onnx

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// grid is n rows of d columns of whole numbers from 0 to 4, so that values and sums tie,
// with labels of the given number of classes that they nearly determine, and targets far
// from 0.
func grid(n, d, classes int, seed uint64) *mlcore.Dataset {
	rng := mlcore.NewRand(seed, 0)
	ds := &mlcore.Dataset{Name: "grid", X: mat.NewDense(n, d, nil), Columns: make([]mlcore.Column, d), TargetName: "y"}
	for k := range classes {
		ds.ClassNames = append(ds.ClassNames, fmt.Sprintf("class %d", k))
	}
	for j := range ds.Columns {
		ds.Columns[j].Name = fmt.Sprintf("column %d", j)
	}
	for i := range n {
		sum := 0
		for j := range d {
			v := rng.IntN(5)
			ds.X.Set(i, j, float64(v))
			sum += (j + 1) * v
		}
		if rng.IntN(5) == 0 {
			sum = rng.IntN(classes)
		}
		ds.Y = append(ds.Y, sum%classes)
		ds.Target = append(ds.Target, 1e9+float64(sum)+rng.Float64())
	}
	return ds
}

// between are rows on and half-way between those of a grid, where the thresholds are, and
// beyond it.
func between(d int, seed uint64) *mat.Dense {
	rng := mlcore.NewRand(seed, 1)
	const n = 300
	X := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			X.Set(i, j, float64(rng.IntN(13)-2)/2)
		}
	}
	// The neighbours of thresholds in double precision, which single precision does
	// not tell from them.
	for j := range d {
		X.Set(0, j, math.Nextafter(1.5, 0))
		X.Set(1, j, math.Nextafter(1.5, 2))
	}
	return X
}

// people is rows of numbers and of categories, of three levels and of 70, with gaps in
// both if gaps is set.
func people(n int, gaps bool, seed uint64) *mlcore.Dataset {
	rng := mlcore.NewRand(seed, 2)
	ds := &mlcore.Dataset{
		Name: "people", X: mat.NewDense(n, 4, nil), ClassNames: []string{"no", "yes", "può darsi"}, TargetName: "answer",
		Columns: []mlcore.Column{
			{Name: "age"},
			{Name: "colour", Levels: []string{"red", "green", "blue"}, Unknown: mlcore.UnknownMissing},
			{Name: "in kg"},
			{Name: "place", Unknown: mlcore.UnknownLevel},
		},
	}
	for l := range 69 {
		ds.Columns[3].Levels = append(ds.Columns[3].Levels, fmt.Sprint("P", l))
	}
	ds.Columns[3].Levels = append(ds.Columns[3].Levels, mlcore.UnknownName)
	for i := range n {
		colour, place := rng.IntN(3), rng.IntN(70)
		ds.X.SetRow(i, []float64{math.Round(20 + 40*rng.Float64()), float64(colour), rng.NormFloat64(), float64(place)})
		ds.Y = append(ds.Y, (colour+place/7+rng.IntN(2))%3)
		ds.Target = append(ds.Target, float64(place%5)+0.1*ds.X.At(i, 0)+rng.NormFloat64())
		if gaps {
			for j := range 4 {
				if rng.IntN(6) == 0 {
					ds.X.Set(i, j, nan)
				}
			}
		}
	}
	return ds
}

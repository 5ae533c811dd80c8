package datasets

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// The Make functions draw made-up data. The same arguments give the same data.
// They panic if n is not positive: there is no data in the arguments to be
// wrong.

// MakeSine draws the 1-D regression data of ADA511, there with n = 80: x is n
// sorted uniforms on [0, 5), y = sin x, and every fifth y, from the first on, is
// moved by 3(0.5-u) with u uniform on [0, 1).
func MakeSine(n int, seed uint64) *mlcore.Dataset {
	rng := mlcore.NewRand(seed)
	x := uniforms(rng, n, 0, 5)
	slices.Sort(x)
	y := make([]float64, n)
	for i, v := range x {
		y[i] = math.Sin(v)
	}
	for i := 0; i < n; i += 5 {
		y[i] += 3 * (0.5 - rng.Float64())
	}
	return curve("Sine with outliers", x, y)
}

// MakeNoisySine draws n points with x uniform on [0, 2π) and y = sin x plus
// normal noise of standard deviation sd. ADA511 has n = 120 and sd = 0.1.
func MakeNoisySine(n int, sd float64, seed uint64) *mlcore.Dataset {
	rng := mlcore.NewRand(seed)
	x := uniforms(rng, n, 0, 2*math.Pi)
	y := make([]float64, n)
	for i, v := range x {
		y[i] = math.Sin(v) + sd*rng.NormFloat64()
	}
	return curve("Noisy sine", x, y)
}

// MakeQuadratic draws n points with x uniform on [-0.5, 0.5) and y = x² plus
// normal noise of standard deviation sd. CITS5508 has n = 200 and sd = 0.025.
func MakeQuadratic(n int, sd float64, seed uint64) *mlcore.Dataset {
	rng := mlcore.NewRand(seed)
	x := uniforms(rng, n, -0.5, 0.5)
	y := make([]float64, n)
	for i, v := range x {
		y[i] = v*v + sd*rng.NormFloat64()
	}
	return curve("Noisy quadratic", x, y)
}

// MakeMoons draws two half circles that reach into each other, with normal
// noise of standard deviation sd in both coordinates: the recipe of
// scikit-learn's make_moons. The first half of the points, rounded down, is
// class 0, the upper moon; rows are then shuffled.
func MakeMoons(n int, sd float64, seed uint64) *mlcore.Dataset {
	rng := mlcore.NewRand(seed)
	upper := n / 2
	p := newPoints("Moons", n, 2, rng)
	for i := range n {
		class, k, of := 0, i, upper
		if i >= upper {
			class, k, of = 1, i-upper, n-upper
		}
		angle := 0.0
		if of > 1 {
			angle = math.Pi * float64(k) / float64(of-1)
		}
		x1, x2 := math.Cos(angle), math.Sin(angle)
		if class == 1 {
			x1, x2 = 1-x1, 0.5-x2
		}
		p.add(class, x1+sd*rng.NormFloat64(), x2+sd*rng.NormFloat64())
	}
	return p.ds
}

// MakeCircles draws a circle of radius 1 and one of radius factor in it, with normal
// noise of standard deviation sd in both coordinates: the recipe of scikit-learn's
// make_circles. The first half of the points, rounded down, is class 0, the outer
// circle; rows are then shuffled.
func MakeCircles(n int, factor, sd float64, seed uint64) *mlcore.Dataset {
	rng := mlcore.NewRand(seed)
	outer := n / 2
	p := newPoints("Circles", n, 2, rng)
	for i := range n {
		class, k, of, radius := 0, i, outer, 1.0
		if i >= outer {
			class, k, of, radius = 1, i-outer, n-outer, factor
		}
		s, c := math.Sincos(2 * math.Pi * float64(k) / float64(of))
		p.add(class, float64(radius*c)+float64(sd*rng.NormFloat64()), float64(radius*s)+float64(sd*rng.NormFloat64()))
	}
	return p.ds
}

// MakeBlobs draws n points around the rows of centres (K×d), each coordinate
// with normal noise of standard deviation sd. Point i of the K classes belongs
// to class i mod K; rows are then shuffled.
func MakeBlobs(n int, centres mat.Matrix, sd float64, seed uint64) *mlcore.Dataset {
	rng := mlcore.NewRand(seed)
	k, d := centres.Dims()
	p := newPoints("Blobs", n, k, rng)
	p.ds.X = mat.NewDense(n, d, nil)
	p.ds.Columns = numbered(d)
	row := make([]float64, d)
	for i := range n {
		for j := range row {
			row[j] = centres.At(i%k, j) + sd*rng.NormFloat64()
		}
		p.add(i%k, row...)
	}
	return p.ds
}

// MakeClouds draws the two normal clouds of ADA511, of standard deviation 0.75
// and centred at (-s, -s) and (s, s): the larger s, the easier to tell apart.
func MakeClouds(n int, s float64, seed uint64) *mlcore.Dataset {
	ds := MakeBlobs(n, mat.NewDense(2, 2, []float64{-s, -s, s, s}), 0.75, seed)
	ds.Name = "Two clouds"
	return ds
}

// MakeLinearBoundary draws n points uniformly on [-2, 2)². Class 1 is where
// x1 + x2 > 0.
func MakeLinearBoundary(n int, seed uint64) *mlcore.Dataset {
	return makeSquare("Linear boundary", n, seed, func(x1, x2 float64) bool { return x1+x2 > 0 })
}

// MakeBoxBoundary draws n points uniformly on [-2, 2)². Class 1 is the box in
// the lower left, where x1 < 0.5 and x2 < 0.
func MakeBoxBoundary(n int, seed uint64) *mlcore.Dataset {
	return makeSquare("Box boundary", n, seed, func(x1, x2 float64) bool { return x1 < 0.5 && x2 < 0 })
}

func makeSquare(name string, n int, seed uint64, inside func(x1, x2 float64) bool) *mlcore.Dataset {
	rng := mlcore.NewRand(seed)
	p := newPoints(name, n, 2, rng)
	for range n {
		x1, x2 := 4*rng.Float64()-2, 4*rng.Float64()-2
		class := 0
		if inside(x1, x2) {
			class = 1
		}
		p.add(class, x1, x2)
	}
	return p.ds
}

func uniforms(rng *rand.Rand, n int, lo, hi float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = lo + (hi-lo)*rng.Float64()
	}
	return x
}

// curve is a Dataset of one feature and a target.
func curve(name string, x, y []float64) *mlcore.Dataset {
	return &mlcore.Dataset{
		Name: name, X: mat.NewDense(len(x), 1, x), Columns: []mlcore.Column{{Name: "x"}},
		Target: y, TargetName: "y",
	}
}

// points fills a Dataset of labelled points in a random order of rows.
type points struct {
	ds    *mlcore.Dataset
	order []int
	next  int
}

func newPoints(name string, n, classes int, rng *rand.Rand) *points {
	ds := &mlcore.Dataset{
		Name: name, X: mat.NewDense(n, 2, nil), Columns: numbered(2),
		Y: make([]int, n), TargetName: "class",
	}
	for c := range classes {
		ds.ClassNames = append(ds.ClassNames, strconv.Itoa(c))
	}
	return &points{ds: ds, order: rng.Perm(n)}
}

func (p *points) add(class int, x ...float64) {
	row := p.order[p.next]
	p.next++
	p.ds.X.SetRow(row, x)
	p.ds.Y[row] = class
}

// numbered names d features X1, X2 and so on.
func numbered(d int) []mlcore.Column {
	cols := make([]mlcore.Column, d)
	for j := range cols {
		cols[j].Name = "X" + strconv.Itoa(j+1)
	}
	return cols
}

package datasets

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
)

// syntheticCSV computes files/synthetic.csv. Points are uniform on a square;
// class 0 lies to the right of a curved border, and a slanted one parts the
// rest into class 1 below and class 2 above. The binary label has a curved
// border of its own. Each point is judged from where it would lie after a
// little noise, so that the borders blur.
//
// Only sums and products are used, rounded one by one, so that every platform
// computes the same bytes.
func syntheticCSV() []byte {
	const (
		points = 178
		half   = 4.75
	)
	rng := mlcore.NewRand(88)
	uniform := func() float64 { return float64(half * (2*rng.Float64() - 1)) }
	// The sum of four uniforms is near enough to a normal of sd 0.58.
	noise := func() float64 {
		return rng.Float64() + rng.Float64() + rng.Float64() + rng.Float64() - 2
	}
	data := []byte("X1,X2,Binary,Multi\n")
	for range points {
		x1, x2 := uniform(), uniform()
		u, v := x1+noise(), x2+noise()
		square := float64(v * v)

		binary := 0
		if u < 0.3+float64(0.2*v)+float64(0.08*square) {
			binary = 1
		}
		multi := 1
		if u > 1.4-float64(0.25*v)+float64(0.03*square) {
			multi = 0
		} else if v > -0.2+float64(0.3*u) {
			multi = 2
		}
		data = fmt.Appendf(data, "%.4f,%.4f,%d,%d\n", x1, x2, binary, multi)
	}
	return data
}

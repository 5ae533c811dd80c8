package co395

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/evolve"
	"gonum.org/v1/gonum/floats"
)

// A Climber minimises f in the box b with n evaluations: it moves one coordinate at a
// time by sigma times a normal random number, and returns the lowest value found.
type Climber func(f func(x []float64) float64, b evolve.Reals, n int, sigma float64,
	rng *rand.Rand) float64

// Steps describes the points that a climber has tried.
type Steps struct {
	Evaluations int
	Outside     bool    // a point lay outside of the box
	Coordinates int     // the most coordinates that changed from one point to the next
	Repeated    bool    // one coordinate changed twice in succession
	Lowest      float64 // what the climber returned
}

var (
	unequalBox = evolve.Reals{Lower: []float64{-2, 0, 3}, Upper: []float64{6, 1, 9}}
	lineBox    = evolve.Reals{Lower: []float64{-2}, Upper: []float64{6}}
	planeBox   = evolve.Reals{Lower: []float64{-2, -2}, Upper: []float64{6, 6}}
)

// Falling follows the climber on a function whose value falls by 1 with each evaluation,
// so that the climber goes to every point that it tries.
func (climb Climber) Falling(n int, sigma float64) (s Steps) {
	var last []float64
	before := -1
	s.Lowest = climb(func(x []float64) float64 {
		changed := 0
		for j, v := range x {
			s.Outside = s.Outside || v < unequalBox.Lower[j] || v > unequalBox.Upper[j]
			if s.Evaluations > 0 && v != last[j] {
				s.Repeated = s.Repeated || j == before
				changed, before = changed+1, j
			}
		}
		s.Coordinates = max(s.Coordinates, changed)
		s.Evaluations++
		last = slices.Clone(x)
		return -float64(s.Evaluations)
	}, unequalBox, n, sigma, mlcore.NewRand(1))
	return s
}

// Rising returns the lowest value on a function whose value rises by 1 with each
// evaluation, from 5 at the start.
func (climb Climber) Rising() float64 {
	evaluations := 0.0
	return climb(func([]float64) float64 {
		evaluations++
		return 4 + evaluations
	}, planeBox, 50, 1, mlcore.NewRand(1))
}

// Bowl returns the lowest value on x1² + x2², whose minimum is 0.
func (climb Climber) Bowl(n int) float64 {
	f := func(x []float64) float64 { return x[0]*x[0] + x[1]*x[1] }
	return climb(f, planeBox, n, 0.5, mlcore.NewRand(3))
}

// Corner returns the lowest value on a slope. Its minimum, 0, lies in a corner of a box
// with different limits for each coordinate.
func (climb Climber) Corner(n int, sigma float64) float64 {
	f := func(x []float64) float64 { return x[0] - x[1] + x[2] }
	return climb(f, unequalBox, n, sigma, mlcore.NewRand(2))
}

// plain returns the points of the line that the climber tries where f is constant.
func (climb Climber) plain(n int, sigma float64, seed uint64) (points []float64) {
	climb(func(x []float64) float64 {
		points = append(points, x[0])
		return 1
	}, lineBox, n, sigma, mlcore.NewRand(seed))
	return points
}

// Wanders reports whether the climber covers more than 3 where f is constant.
func (climb Climber) Wanders(n int, sigma float64) bool {
	points := climb.plain(n, sigma, 1)
	return floats.Max(points)-floats.Min(points) > 3
}

// NormalSteps reports whether the longest of n steps is between 2.5 and 5 times sigma, as
// is to be expected of many normal random numbers.
func (climb Climber) NormalSteps(n int, sigma float64) bool {
	points, longest := climb.plain(n, sigma, 1), 0.0
	for i := 1; i < len(points); i++ {
		longest = max(longest, math.Abs(points[i]-points[i-1]))
	}
	return longest > 2.5*sigma && longest < 5*sigma
}

// Chance compares two climbs with the same random numbers, and two with different ones:
// whether their starts are the same, and whether their first steps are.
func (climb Climber) Chance() (same []bool) {
	a := climb.plain(2, 0.3, 1)
	for _, seed := range []uint64{1, 2} {
		b := climb.plain(2, 0.3, seed)
		difference := math.Abs((a[1] - a[0]) - (b[1] - b[0]))
		same = append(same, a[0] == b[0], difference < 1e-6)
	}
	return same
}

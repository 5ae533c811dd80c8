package cluster

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// An Init says where the first centres of k-means come from.
type Init int

const (
	// PlusPlus draws the centres one after the other, each row with a probability in
	// proportion to its squared distance from the nearest centre so far, and takes the
	// best of 2 + log K such draws: greedy k-means++ (Arthur & Vassilvitskii, 2007,
	// "k-means++: the advantages of careful seeding").
	PlusPlus Init = iota
	// RandomRows draws K different rows, each with a probability in proportion to its
	// weight.
	RandomRows
)

// String names the choice.
func (i Init) String() string {
	switch i {
	case PlusPlus:
		return "k-means++"
	case RandomRows:
		return "random rows"
	}
	return fmt.Sprintf("Init(%d)", int(i))
}

// KMeansConfig puts rows into K clusters such that the inertia, the weighted sum of the
// squared Euclidean distances of the rows from the centres of their clusters, is small.
// It repeats two steps: each row is assigned to the nearest centre, the lowest on a
// tie, and each centre is moved to the mean of its rows (Lloyd, 1982, "Least squares
// quantization in PCM"). This ends at a local minimum, so several starts may give a
// better result. Features should have about the same range. The zero value makes 8
// clusters.
type KMeansConfig struct {
	// Clusters is K, at most the number of rows of positive weight; 0 means 8, or as
	// many as Centres has.
	Clusters int
	// Init says where the first centres come from.
	Init Init
	// Centres, where not nil, are the first centres, K×d, instead of drawn ones. It
	// cannot be combined with Init, Starts or Seed.
	Centres mat.Matrix
	// Starts is the number of starts; the model is the one of the lowest inertia, the
	// earliest on a tie. 0 means 1 with PlusPlus and 10 with RandomRows.
	Starts int
	// MaxIter is the most iterations of a start; 0 means 300.
	MaxIter int
	// Tol ends a start when the sum of the squared moves of the centres is no larger
	// than Tol times the mean of the variances of the columns. 0 means 1e-4; a negative
	// value goes on until no row changes its cluster.
	Tol float64
	// Seed is where the draws come from.
	Seed uint64
	// Workers is the greatest number of goroutines; 0 means one per processor. It
	// never changes the result.
	Workers int
}

// Fit finds the clusters of a Dataset of numeric columns, with its sample weights. A row
// of weight 0 does not move the centres. A cluster that loses all its rows gets the row
// that is farthest from its own centre, of those that are not alone there. The model carries the names of the columns.
func (c KMeansConfig) Fit(ds *mlcore.Dataset) (*KMeans, error) {
	return fitted.Unlabelled(ds, takes, c.fit)
}

// takes is what the learners of this package can make of columns.
var takes = fitted.Takes{Package: "cluster", Numbers: true}

// fit looks at X and Weights alone, which have been checked.
func (c KMeansConfig) fit(ds *mlcore.Dataset) (*KMeans, error) {
	X, w := ds.X, ds.Weights
	n, d := X.Dims()
	if c.Centres != nil {
		if err := mlcore.CheckMatrix(c.Centres, false); err != nil {
			return nil, fmt.Errorf("cluster: Centres: %w", err)
		}
		k, cols := c.Centres.Dims()
		if cols != d || c.Clusters != 0 && c.Clusters != k {
			return nil, configError("Centres is %d×%d; the rows have %d columns and Clusters is %d", k, cols, d, c.Clusters)
		}
		if c.Init != PlusPlus || c.Starts != 0 || c.Seed != 0 {
			return nil, configError("Init, Starts and Seed are for centres that are drawn, and Centres are given")
		}
		c.Clusters, c.Starts = k, 1
	}
	rows := given.Weighted(w, n)
	if c.Clusters == 0 {
		c.Clusters = 8
	}
	if c.Starts == 0 {
		c.Starts = 1
		if c.Init == RandomRows {
			c.Starts = 10
		}
	}
	if c.MaxIter == 0 {
		c.MaxIter = 300
	}
	if c.Tol == 0 {
		c.Tol = 1e-4
	}
	switch {
	case c.Clusters < 1 || c.Clusters > len(rows):
		return nil, configError("Clusters is %d; it is from 1 to %d, the number of rows that count", c.Clusters, len(rows))
	case c.Init != PlusPlus && c.Init != RandomRows:
		return nil, configError("Init is %v", c.Init)
	case c.Starts < 1:
		return nil, configError("Starts is %d; at least 1", c.Starts)
	case c.MaxIter < 1:
		return nil, configError("MaxIter is %d; at least 1", c.MaxIter)
	case c.Tol != c.Tol:
		return nil, configError("Tol is NaN")
	}
	team := par.NewTeam(c.Workers)
	defer team.Close()
	data := newTable(given.Subset(X, rows), relative(given.Pick(w, rows)), team)
	limit := float64(c.Tol * data.meanVariance())
	var best *lloyd
	least := math.Inf(1)
	for start := range c.Starts {
		l := &lloyd{table: data, team: team}
		if c.Centres != nil {
			l.centres = data.inside(c.Centres)
		} else {
			l.centres = data.seed(c.Clusters, c.Init, mlcore.NewRand(c.Seed, uint64(start)), team)
		}
		l.run(c.MaxIter, limit)
		if c.Starts == 1 {
			best = l
		} else if inertia := l.inertia(); best == nil || inertia < least {
			best, least = l, inertia
		}
	}
	m := &KMeans{workers: c.Workers, status: best.status}
	m.centres = data.outside(best.centres)
	if i := slices.IndexFunc(m.centres.RawMatrix().Data, func(v float64) bool { return v-v != 0 }); i >= 0 {
		return nil, fmt.Errorf("cluster: %w: a centre overflows in column %d; scale it down", mlcore.ErrNonFinite, i%d)
	}
	m.prepare()
	m.labels, m.inertia = m.assign(X, w)
	if m.inertia-m.inertia != 0 && w != nil {
		return nil, fmt.Errorf("cluster: %w: the inertia, a sum with the weights, overflows; scale the columns, or the weights, down", mlcore.ErrNonFinite)
	}
	if m.inertia-m.inertia != 0 {
		return nil, fmt.Errorf("cluster: %w: the inertia overflows; scale the columns down", mlcore.ErrNonFinite)
	}
	return m, nil
}

// relative returns weights divided by the power of two next to the greatest of them, nil for
// nil: clusters do not depend on the unit of weights, and there their sums and products are in
// range and rounded as those of weights near 1.
func relative(w []float64) []float64 {
	if w == nil {
		return nil
	}
	unit, out := factor.Unit(w), make([]float64, len(w))
	for i, v := range w {
		out[i] = v / unit
	}
	return out
}

func configError(format string, args ...any) error {
	return fmt.Errorf("cluster: %w: %s", mlcore.ErrConfig, fmt.Sprintf(format, args...))
}

// A table is rows as k-means works on them: the means of the columns taken off, which
// keeps digits, and divided by a power of two, which keeps squares in range and changes
// no digit.
type table struct {
	n, d    int
	x       []float64 // n×d
	norm    []float64 // the square of the length of each row
	largest float64   // of norm
	w       []float64 // of each row, or nil
	mean    []float64
	unit    float64
	bases   []int    // of exact sums, or nil where there are none
	single  []panels // the rows of each part in single precision, where they are asked for
}

func newTable(X *mat.Dense, w []float64, team *par.Team) *table {
	n, d := X.Dims()
	t := &table{n: n, d: d, x: X.RawMatrix().Data, w: w, mean: make([]float64, d), norm: make([]float64, n)}
	// Two scalings: one for the sums, and one for what is left without the means.
	whole := factor.UnitOf(t.reach(team, func([]float64) {}))
	t.means(whole, team)
	t.unit = factor.UnitOf(t.reach(team, func(row []float64) {
		for j, v := range row {
			row[j] = halved(v, t.mean[j])
		}
	}))
	team.Chunks(n, block, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row := t.row(i)
			kernel.Divide(row, t.unit)
			t.norm[i] = kernel.SumSquares(row)
		}
	})
	t.largest = kernel.MaxAbs(t.norm)
	if w == nil {
		t.bases = unitsOf(t, team)
	}
	return t
}

// reach calls f for each row, and returns the greatest absolute value that is in the rows
// then.
func (t *table) reach(team *par.Team, f func(row []float64)) float64 {
	most := make([]float64, (t.n+block-1)/block)
	team.Chunks(t.n, block, func(c, lo, hi int) {
		for i := lo; i < hi; i++ {
			f(t.row(i))
		}
		most[c] = kernel.MaxAbs(t.x[lo*t.d : hi*t.d])
	})
	return kernel.MaxAbs(most)
}

// means sets about the weighted means of the columns, which it sums in units of a power of
// two; see near.
func (t *table) means(unit float64, team *par.Team) {
	total := 0.0
	for i := range t.n {
		total += given.Weight(t.w, i)
	}
	const columns = 128 // at a time
	team.Chunks(t.d, columns, func(_, lo, hi int) {
		scaled, mean := make([]float64, hi-lo), t.mean[lo:hi]
		for i := range t.n {
			for j, v := range t.row(i)[lo:hi] {
				scaled[j] = v / unit
			}
			kernel.AddScaled(mean, given.Weight(t.w, i)/total, scaled)
		}
		kernel.Scale(mean, unit)
		for j := range mean {
			mean[j] = t.near(lo+j, mean[j])
		}
	})
}

// near returns a number with few digits near the mean of a column, so close that it makes no
// difference. Where most values have few digits too, what is left of them without it is then
// 0 or of their size: without the mean itself, which rounding has moved a little, what is
// left may be next to nothing, of which there are no exact sums.
func (t *table) near(j int, mean float64) float64 {
	const looked, digits = 64, 26
	far := 0.0
	for i := range looked {
		far = max(far, math.Abs(halved(t.row(i * t.n / looked)[j], mean)))
	}
	_, e := math.Frexp(far)
	step := math.Ldexp(1, e-digits)
	if whole := mean / step; far > 0 && step > 0 && math.Abs(whole) < 1<<52 {
		return float64(math.RoundToEven(whole) * step)
	}
	return mean
}

func (t *table) row(i int) []float64 { return t.x[i*t.d:][:t.d] }

// inside returns a matrix of the caller's as rows of the table.
func (t *table) inside(m mat.Matrix) []float64 {
	k, _ := m.Dims()
	rows := make([]float64, k*t.d)
	for i := range k {
		for j, mean := range t.mean {
			rows[i*t.d+j] = halved(m.At(i, j), mean) / t.unit
		}
	}
	return rows
}

// outside is the way back.
func (t *table) outside(rows []float64) *mat.Dense {
	m := mat.NewDense(len(rows)/t.d, t.d, nil)
	for i := range len(rows) / t.d {
		for j, mean := range t.mean {
			m.Set(i, j, float64(float64(rows[i*t.d+j]*t.unit)*2)+mean)
		}
	}
	return m
}

// meanVariance is the mean over the columns of the variance of the rows.
func (t *table) meanVariance() float64 {
	sum, total := 0.0, 0.0
	for i, v := range t.norm {
		wi := given.Weight(t.w, i)
		sum += float64(wi * v)
		total += wi
	}
	return sum / total / float64(t.d)
}

// halved is (a-b)/2, which cannot overflow.
func halved(a, b float64) float64 { return float64(a/2) - float64(b/2) }

func sumSquares(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x * x)
	}
	return sum
}

func squaredDistance(a, b []float64) float64 {
	sum := 0.0
	for j, x := range a {
		diff := x - b[j]
		sum += float64(diff * diff)
	}
	return sum
}

// about is squaredDistance but for the order of the sums: faster, for bounds, whose
// slack covers the difference.
func about(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	for len(a) >= 4 && len(b) >= 4 {
		d0, d1, d2, d3 := a[0]-b[0], a[1]-b[1], a[2]-b[2], a[3]-b[3]
		s0 += float64(d0 * d0)
		s1 += float64(d1 * d1)
		s2 += float64(d2 * d2)
		s3 += float64(d3 * d3)
		a, b = a[4:], b[4:]
	}
	return s0 + s1 + s2 + s3 + squaredDistance(a, b)
}

// sqrtUp and sqrtDown are bounds of the root of a number whose error is at most slack.
func sqrtUp(x, slack float64) float64   { return math.Sqrt(max(0, x) + slack) }
func sqrtDown(x, slack float64) float64 { return math.Sqrt(max(0, x-slack)) }

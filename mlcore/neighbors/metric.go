package neighbors

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"gonum.org/v1/gonum/mat"
)

type metricKind int

const (
	euclidean metricKind = iota
	squaredEuclidean
	manhattan
	chebyshev
	minkowski
	hamming
	mahalanobis
	function
)

// A Metric measures how far two rows are apart. The zero value is [Euclidean].
type Metric struct {
	kind metricKind
	p    float64
	// whiten is the inverse of the Cholesky factor of a covariance, row by row:
	// Mahalanobis distance is Euclidean distance after it is applied.
	whiten []float64
	size   int // of the covariance
	err    error
	name   string
	f      func(a, b []float64) float64
}

var (
	// Euclidean is √Σ(a-b)².
	Euclidean = Metric{}
	// SquaredEuclidean is Σ(a-b)²: the neighbours of Euclidean, with other
	// weights by distance.
	SquaredEuclidean = Metric{kind: squaredEuclidean}
	// Manhattan is Σ|a-b|, the city-block distance.
	Manhattan = Metric{kind: manhattan}
	// Chebyshev is max|a-b|.
	Chebyshev = Metric{kind: chebyshev}
	// Hamming is the share of columns in which a and b differ: the distance for
	// category codes.
	Hamming = Metric{kind: hamming}
)

// Minkowski is (Σ|a-b|^p)^(1/p) for p ≥ 1; p = 1 is [Manhattan], 2 [Euclidean]
// and +Inf [Chebyshev].
func Minkowski(p float64) Metric {
	switch {
	case p == 1:
		return Manhattan
	case p == 2:
		return Euclidean
	case math.IsInf(p, 1):
		return Chebyshev
	}
	return Metric{kind: minkowski, p: p}
}

// Mahalanobis is √((a-b)ᵀ S⁻¹ (a-b)), where S is a covariance matrix such as
// gonum's stat.CovarianceMatrix makes. Fitting refuses an S that is not
// positive definite.
func Mahalanobis(cov mat.Symmetric) Metric {
	m := Metric{kind: mahalanobis}
	if mlcore.CheckSize(cov) != nil {
		m.err = fmt.Errorf("%w: the covariance is empty", mlcore.ErrConfig)
		return m
	}
	m.size = cov.SymmetricDim()
	m.whiten = factor.Whitener(mat.DenseCopyOf(cov).RawMatrix().Data, m.size, 1)
	if m.whiten == nil {
		m.err = fmt.Errorf("%w: the covariance is not positive definite; drop columns that are constant or combinations of others", mlcore.ErrConfig)
	}
	return m
}

// MetricFunc measures by any function of two rows of equal length. It must be
// symmetric, safe for concurrent use, and must not change or keep its arguments. A
// distance that is negative or not finite is an error of the prediction. A model
// with a MetricFunc cannot be saved.
func MetricFunc(name string, f func(a, b []float64) float64) Metric {
	return Metric{kind: function, name: name, f: f}
}

// String names the metric.
func (m Metric) String() string {
	switch m.kind {
	case minkowski:
		return fmt.Sprintf("Minkowski(%v)", m.p)
	case function:
		return m.name
	}
	return [...]string{"Euclidean", "SquaredEuclidean", "Manhattan", "Chebyshev", "", "Hamming", "Mahalanobis"}[m.kind]
}

// TakesCategories reports whether the metric makes sense of the codes of categorical
// columns: [Hamming] compares values for being equal, and a [MetricFunc] may compare them
// in any way.
func (m Metric) TakesCategories() bool { return m.kind == hamming || m.kind == function }

// hasBoxes reports whether the distance to a box bounds that to the rows in it.
func (m Metric) hasBoxes() bool { return m.kind != hamming && m.kind != function }

func (m Metric) check(d int) error {
	switch {
	case m.err != nil:
		return fmt.Errorf("neighbors: Mahalanobis: %w", m.err)
	case m.kind == minkowski && !(m.p >= 1):
		return fmt.Errorf("neighbors: %w: Minkowski(%v); p is at least 1", mlcore.ErrConfig, m.p)
	case m.kind == function && m.f == nil:
		return fmt.Errorf("neighbors: %w: MetricFunc without a function", mlcore.ErrConfig)
	case m.kind == mahalanobis && m.size != d:
		return fmt.Errorf("neighbors: Mahalanobis: %w: X has %d columns, the covariance is %d×%d", mlcore.ErrShape, d, m.size, m.size)
	}
	return nil
}

// A space is a metric with its feature weights, ready to be used. It works with
// reduced distances, which order rows as distances do without a root.
type space struct {
	Metric
	weights []float64 // of the features, nil if all are 1
	total   float64   // the weights' sum
	unit    float64   // what a coordinate of 1 stands for, see scale
	origin  []float64 // of Mahalanobis: what is subtracted first, nil if nothing is
}

func newSpace(m Metric, weights []float64, d int) space {
	s := space{Metric: m, total: float64(d), unit: 1}
	if slices.ContainsFunc(weights, func(w float64) bool { return w != 1 }) {
		s.weights, s.total = weights, 0
		for _, w := range weights {
			s.total += w
		}
	}
	return s
}

// scale chooses the unit of coordinates such that powers of differences between
// these rows of d columns stay in the range of float64. It is a power of two, which
// changes no digit, and 1 wherever that will do.
func (s *space) scale(data []float64, d int) {
	power := 2.0
	switch s.kind {
	case minkowski:
		power = s.p
	case manhattan, chebyshev:
		power = 1
	case mahalanobis:
		// Whitening multiplies by numbers as large as the columns are alike, and leaves few
		// digits of differences far from 0.
		s.origin = given.Origin(data, d)
		return
	case hamming, function:
		return
	}
	widest, greatest := 0.0, 0.0
	least, most := columnRanges(data, d)
	for j := range d {
		widest = max(widest, float64(most[j]/2)-float64(least[j]/2))
		greatest = max(greatest, most[j], -least[j])
	}
	if widest == 0 {
		widest = greatest
	}
	if widest == 0 {
		return
	}
	_, e := math.Frexp(widest)
	if math.Abs(float64(e))*power > 300 {
		s.unit = math.Ldexp(1, max(e-1, -1022))
	}
}

// sumsSquares reports whether reduced distances are plain sums of squares.
func (s *space) sumsSquares() bool {
	return s.weights == nil && (s.kind == euclidean || s.kind == squaredEuclidean || s.kind == mahalanobis)
}

// place returns the row as the space sees it: whitened, in its unit, or as it is.
func (s *space) place(row, dst []float64) []float64 {
	if s.unit != 1 {
		for j, v := range row {
			dst[j] = v / s.unit
		}
		return dst
	}
	if s.kind != mahalanobis {
		return row
	}
	for i := range dst {
		sum := 0.0
		for j, v := range row[:i+1] {
			if s.origin != nil {
				v -= s.origin[j]
			}
			sum += float64(s.whiten[i*s.size+j] * v)
		}
		dst[i] = sum
	}
	return dst
}

// finish turns a reduced distance into a distance.
func (s *space) finish(r float64) float64 {
	switch s.kind {
	case euclidean, mahalanobis:
		r = math.Sqrt(r)
	case squaredEuclidean:
		r *= s.unit
	case minkowski:
		r = elementary.Pow(r, 1/s.p)
	case hamming:
		r /= s.total
	}
	return r * s.unit
}

// reduced returns the reduced distance of placed rows. Once it is sure to exceed
// limit it may return any number above limit.
func (s *space) reduced(a, b []float64, limit float64) float64 {
	if s.kind == function {
		return s.f(a, b)
	}
	if s.weights != nil || s.kind == minkowski || s.kind == hamming {
		return s.general(a, b, limit)
	}
	switch s.kind {
	case manhattan:
		return sumAbs(a, b, limit)
	case chebyshev:
		return greatestAbs(a, b, limit)
	}
	return sumSquares(a, b, limit)
}

// general is reduced, one column after the other, for every metric that has
// columns.
func (s *space) general(a, b []float64, limit float64) float64 {
	sum := 0.0
	for j, v := range a {
		part := s.part(math.Abs(v-b[j]), j)
		if s.kind == chebyshev {
			sum = max(sum, part)
		} else {
			sum += part
		}
		if sum > limit {
			break
		}
	}
	return sum
}

// hasBounds reports whether bound helps: a power costs as much as dozens of products.
func (s *space) hasBounds() bool { return s.kind == minkowski && s.weights == nil }

// bound is how great the sum of absolute differences, or from p = 2 on the sum of squared
// ones, of rows in d columns may be whose Minkowski distance is within limit: means of
// powers grow with p, (Σ|x|^q/d)^(1/q) ≤ (Σ|x|^p/d)^(1/p) for q ≤ p. It is a little larger
// than that, for the rounding.
func (s *space) bound(limit float64, d int) float64 {
	if math.IsInf(limit, 1) {
		return limit
	}
	n := float64(d)
	return n * elementary.Pow(limit/n, s.boundedPower()/s.p) * (1 + 1e-9)
}

// boundedPower is that of the differences whose sum bound is for.
func (s *space) boundedPower() float64 {
	if s.p < 2 {
		return 1
	}
	return 2
}

// beyond reports whether the rows are farther from each other than bound allows.
func (s *space) beyond(a, b []float64, bound float64) bool {
	if s.boundedPower() == 1 {
		return sumAbs(a, b, bound) > bound
	}
	return sumSquares(a, b, bound) > bound
}

// part is what a difference in column j adds to a reduced distance.
func (s *space) part(diff float64, j int) float64 {
	if s.weights != nil && s.weights[j] == 0 {
		return 0 // also where the power of the difference overflows
	}
	switch s.kind {
	case manhattan, chebyshev:
	case minkowski:
		diff = elementary.Pow(diff, s.p)
	case hamming:
		if diff != 0 {
			diff = 1
		}
	default:
		diff = float64(diff * diff)
	}
	if s.weights != nil {
		diff = float64(diff * s.weights[j])
	}
	return diff
}

func sumSquares(a, b []float64, limit float64) float64 { return kernel.SquaredDistance(a, b, limit) }

// sumAbs is rounded one sum after the other, in an order that is the same on every
// platform. Partial sums only grow, so that one above limit is proof enough.
func sumAbs(a, b []float64, limit float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	j := 0
	for ; j+4 <= len(a); j += 4 {
		s0 += math.Abs(a[j] - b[j])
		s1 += math.Abs(a[j+1] - b[j+1])
		s2 += math.Abs(a[j+2] - b[j+2])
		s3 += math.Abs(a[j+3] - b[j+3])
		if j&4 != 0 && (s0+s1)+(s2+s3) > limit {
			return (s0 + s1) + (s2 + s3)
		}
	}
	for ; j < len(a); j++ {
		s0 += math.Abs(a[j] - b[j])
	}
	return (s0 + s1) + (s2 + s3)
}

// greatestAbs may return any of the differences that exceed limit. It compares the bits
// without the sign, which have the order of absolute values and need no branches.
func greatestAbs(a, b []float64, limit float64) float64 {
	b = b[:len(a)]
	most := math.Float64bits(limit) << 1
	var m0, m1, m2, m3 uint64
	j := 0
	for ; j+4 <= len(a); j += 4 {
		m0 = max(m0, math.Float64bits(a[j]-b[j])<<1)
		m1 = max(m1, math.Float64bits(a[j+1]-b[j+1])<<1)
		m2 = max(m2, math.Float64bits(a[j+2]-b[j+2])<<1)
		m3 = max(m3, math.Float64bits(a[j+3]-b[j+3])<<1)
		if max(m0, m1, m2, m3) > most {
			break
		}
	}
	if j+4 > len(a) {
		for ; j < len(a); j++ {
			m0 = max(m0, math.Float64bits(a[j]-b[j])<<1)
		}
	}
	return math.Float64frombits(max(m0, m1, m2, m3) >> 1)
}

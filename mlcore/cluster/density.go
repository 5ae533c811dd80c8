package cluster

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"gonum.org/v1/gonum/mat"
)

// A Kernel is the shape of the hill that a row contributes to a density, as a function
// of u, the distance in bandwidths.
type Kernel int

const (
	// GaussianKernel is e^(-u²/2).
	GaussianKernel Kernel = iota
	// TopHat is 1 below 1.
	TopHat
	// Epanechnikov is 1 - u² below 1.
	Epanechnikov
	// Exponential is e^-u.
	Exponential
	// LinearKernel is 1 - u below 1.
	LinearKernel
)

var kernelNames = []string{"gaussian", "top hat", "epanechnikov", "exponential", "linear"}

// String names the kernel.
func (k Kernel) String() string {
	if k < 0 || int(k) >= len(kernelNames) {
		return fmt.Sprintf("Kernel(%d)", int(k))
	}
	return kernelNames[k]
}

// DensityConfig estimates the density of the rows as the mean of a hill around each of
// them (Parzen, 1962, "On estimation of a probability density function and mode"):
//
//	p(x) = Σᵢ wᵢ K(|x - xᵢ|/h) / (c hᵈ Σᵢ wᵢ),
//
// where c makes the hill's volume 1. Distances are Euclidean, so features should have
// about the same range. The zero value has a Gaussian hill of bandwidth 1.
type DensityConfig struct {
	// Kernel is the hill's shape.
	Kernel Kernel
	// Bandwidth is h; 0 means 1. [Scott] and [Silverman] propose one.
	Bandwidth float64
	// Workers is the greatest number of goroutines; 0 means one per processor. It
	// never changes the result.
	Workers int
}

// Scott returns the bandwidth n^(-1/(d+4)) of Scott's rule for n rows of d columns whose
// standard deviations are 1 (Scott, 1992, "Multivariate density estimation").
func Scott(n, d int) float64 {
	return elementary.Pow(float64(n), -1/(float64(d)+4))
}

// Silverman returns the bandwidth (n (d+2)/4)^(-1/(d+4)) of Silverman's rule for n rows
// of d columns whose standard deviations are 1 (Silverman, 1986, "Density estimation for
// statistics and data analysis").
func Silverman(n, d int) float64 {
	return elementary.Pow(float64(n)*(float64(d)+2)/4, -1/(float64(d)+4))
}

// Fit keeps a copy of the rows of a Dataset of numeric columns, with its sample weights;
// the model carries the names of the columns.
func (c DensityConfig) Fit(ds *mlcore.Dataset) (*Density, error) {
	return fitted.Unlabelled(ds, takes, c.fit)
}

func (c DensityConfig) fit(ds *mlcore.Dataset) (*Density, error) {
	if c.Bandwidth == 0 {
		c.Bandwidth = 1
	}
	if !(c.Bandwidth > 0) || c.Bandwidth-c.Bandwidth != 0 {
		return nil, configError("Bandwidth is %v; it is finite and positive", c.Bandwidth)
	}
	if c.Kernel < GaussianKernel || c.Kernel > LinearKernel {
		return nil, configError("Kernel is %v", c.Kernel)
	}
	rows := given.Weighted(ds.Weights, ds.Len())
	m := &Density{rows: given.Subset(ds.X, rows), w: given.Pick(ds.Weights, rows), kernel: c.Kernel, bandwidth: c.Bandwidth, workers: c.Workers}
	if err := m.prepare(); err != nil {
		return nil, err
	}
	return m, nil
}

// A Density is what [DensityConfig] makes. It is immutable and safe for concurrent use.
type Density struct {
	model
	rows      *mat.Dense
	w         []float64 // of each row, or nil
	kernel    Kernel
	bandwidth float64
	workers   int

	scale float64          // log of c hᵈ Σ w
	index *neighbors.Index // of the rows, where a hill ends and they can be told apart by their distance
}

// prepare derives the logarithm of what the sum of the hills is divided by.
func (m *Density) prepare() error {
	n, d := m.rows.Dims()
	total := 0.0
	for i := range n {
		total += given.Weight(m.w, i)
	}
	var volume float64 // log of that of the hill
	ball := logBall(d)
	switch m.kernel {
	case GaussianKernel:
		volume = float64(d) / 2 * log(2*math.Pi)
	case TopHat:
		volume = ball
	case Epanechnikov:
		volume = ball + log(2/(float64(d)+2))
	case Exponential: // the surface of the ball times (d-1)!
		volume = ball + log(float64(d)) + logFactorial(d-1)
	case LinearKernel:
		volume = ball - log(float64(d)+1)
	}
	m.scale = volume + float64(float64(d)*log(m.bandwidth)) + log(total)
	m.index = nil
	if m.kernel != GaussianKernel && m.kernel != Exponential {
		// An error leaves the rows to be looked through.
		m.index, _ = neighbors.Config{Neighbors: 1, Workers: m.workers}.Fit(mlcore.FromMatrix[int](m.rows, nil, nil))
	}
	if m.scale-m.scale != 0 {
		return fmt.Errorf("cluster: %w: the weights or the volume of the hill overflow; scale them", mlcore.ErrNonFinite)
	}
	return nil
}

// logBall is the logarithm of the volume of the d-dimensional ball of radius 1,
// π^(d/2) / Γ(d/2 + 1), by V(d) = V(d-2) 2π/d.
func logBall(d int) float64 {
	v := 0.0
	if d%2 == 1 {
		v = math.Ln2
	}
	for k := d%2 + 2; k <= d; k += 2 {
		v += log(2 * math.Pi / float64(k))
	}
	return v
}

func logFactorial(n int) float64 {
	v := 0.0
	for k := 2; k <= n; k++ {
		v += log(float64(k))
	}
	return v
}

// NumFeatures is the number d of columns that LogDensity expects.
func (m *Density) NumFeatures() int {
	if m.rows == nil {
		return 0
	}
	_, d := m.rows.Dims()
	return d
}

// Bandwidth is h.
func (m *Density) Bandwidth() float64 { return m.bandwidth }

// LogDensity returns log p(x) for each row of X: -Inf where the density is 0.
func (m *Density) LogDensity(X mat.Matrix) ([]float64, error) {
	if err := checkQuery(X, m.NumFeatures()); err != nil {
		return nil, err
	}
	q, _ := X.Dims()
	n, _ := m.rows.Dims()
	x, density := given.Dense(X), make([]float64, q)
	logw := make([]float64, n)
	for i := range logw {
		logw[i] = log(given.Weight(m.w, i))
	}
	if m.index != nil {
		if err := m.nearOnly(x, logw, density); err == nil {
			return density, nil
		}
	}
	err := par.DoWith(q, m.workers, func() []float64 { return make([]float64, n) }, func(hill []float64, i int) error {
		at := x.RawRowView(i)
		for r := range n {
			hill[r] = m.hill(distance(at, m.rows.RawRowView(r), m.bandwidth)) + logw[r]
		}
		density[i] = logSumExp(hill) - m.scale
		return nil
	})
	if err != nil {
		return nil, err
	}
	return density, nil
}

// nearOnly sets the densities of hills that end at the bandwidth: those of the other rows
// are 0 and add nothing.
func (m *Density) nearOnly(x *mat.Dense, logw, density []float64) error {
	// Above what rounding can do to either distance.
	radius := float64(m.bandwidth*(1+1e-6)) + math.SmallestNonzeroFloat64
	_, d := x.Dims()
	const part = 256
	return par.Do((len(density)+part-1)/part, m.workers, func(p int) error {
		first, end := p*part, min(len(density), (p+1)*part)
		near, _, err := m.index.Within(x.Slice(first, end, 0, d), radius)
		if err != nil {
			return err
		}
		var hill []float64
		for i, rows := range near {
			at := x.RawRowView(first + i)
			hill = append(hill[:0], math.Inf(-1)) // of a row that is too far
			for _, r := range rows {
				hill = append(hill, m.hill(distance(at, m.rows.RawRowView(r), m.bandwidth))+logw[r])
			}
			density[first+i] = logSumExp(hill) - m.scale
		}
		return nil
	})
}

// distance is |a - b| / h.
func distance(a, b []float64, h float64) float64 {
	sum := 0.0
	for j, v := range a {
		// The difference first, which keeps its digits far from 0, in halves, which cannot
		// overflow.
		diff := halved(v, b[j]) / h * 2
		sum += float64(diff * diff)
	}
	return math.Sqrt(sum)
}

// hill is the logarithm of the kernel.
func (m *Density) hill(u float64) float64 {
	if u > 1 && m.kernel != GaussianKernel && m.kernel != Exponential {
		return math.Inf(-1)
	}
	switch m.kernel {
	case GaussianKernel:
		return -float64(u*u) / 2
	case Epanechnikov:
		return log(1 - float64(u*u))
	case Exponential:
		return -u
	case LinearKernel:
		return log(1 - u)
	}
	if u == 1 { // the hill ends before 1
		return math.Inf(-1)
	}
	return 0
}

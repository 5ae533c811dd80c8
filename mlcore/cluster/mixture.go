package cluster

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/gonum/mat"
)

// A Covariance says what shapes the components of a mixture may have.
type Covariance int

const (
	// Full: each component has a covariance matrix of its own, an ellipse in any
	// direction.
	Full Covariance = iota
	// Tied: all components have the same covariance matrix.
	Tied
	// Diagonal: each component has variances of its own and no covariances, an ellipse
	// along the axes.
	Diagonal
	// Spherical: each component has one variance, a ball.
	Spherical
)

var covarianceNames = []string{"full", "tied", "diagonal", "spherical"}

// String names the shape.
func (c Covariance) String() string {
	if c < 0 || int(c) >= len(covarianceNames) {
		return fmt.Sprintf("Covariance(%d)", int(c))
	}
	return covarianceNames[c]
}

// MixtureConfig describes the density of the rows as a sum of K normal distributions,
//
//	p(x) = Σₖ πₖ N(x | μₖ, Σₖ),
//
// whose parameters it finds by the EM algorithm (Dempster, Laird & Rubin, 1977, "Maximum
// likelihood from incomplete data via the EM algorithm"): each row is shared among the
// components in proportion to their densities there, then the components are fitted to
// their shares of the rows. This ends at a local maximum of the likelihood, so several
// starts may give a better result. The zero value fits one component.
//
// The likelihood has no upper bound: a component that sits on a single row gains from
// every smaller variance, and only RegCovar stops it. The default of RegCovar is small enough
// to let that happen, and more starts make it more likely. It shows in a weight of about
// one row and in a variance of about RegCovar, and then likelihood, BIC and AIC mean little.
// Raise RegCovar to a variance that is small but believable, such as a thousandth of those
// of the columns, lower Components, or choose a Covariance with fewer parameters.
type MixtureConfig struct {
	// Components is K, at most the number of rows of positive weight; 0 means 1.
	Components int
	// Covariance says what shapes they may have.
	Covariance Covariance
	// RegCovar is added to every variance, so that a component cannot shrink to a point;
	// 0 means 1e-6. It is in the squared units of the columns, so that columns with
	// variances far from 1 need another one.
	RegCovar float64
	// Labels, where not nil, holds a cluster for each row; the components start
	// from these clusters instead of those that k-means finds. It cannot be
	// combined with Starts or Seed.
	Labels []int
	// Starts is the number of starts, each from another k-means; the model is the one
	// of the greatest likelihood, the earliest on a tie. 0 means 1.
	Starts int
	// MaxIter is the most iterations of a start; 0 means 100.
	MaxIter int
	// Tol ends a start when the mean log likelihood of a row changes by less; 0 means
	// 1e-3.
	Tol float64
	// Seed is where the draws come from.
	Seed uint64
	// Workers is the greatest number of goroutines; 0 means one per processor. It
	// never changes the result.
	Workers int
}

// Fit fits the mixture to a Dataset of numeric columns, with its sample weights; a row
// of weight 0 is treated as absent. The model carries the names of the columns.
func (c MixtureConfig) Fit(ds *mlcore.Dataset) (*Mixture, error) {
	return fitted.Unlabelled(ds, takes, c.fit)
}

func (c MixtureConfig) fit(ds *mlcore.Dataset) (*Mixture, error) {
	X, w := ds.X, ds.Weights
	n, d := X.Dims()
	rows := given.Weighted(w, n)
	if c.Labels != nil && (c.Starts != 0 || c.Seed != 0) {
		return nil, configError("Starts and Seed are for clusters that are drawn, and Labels are given")
	}
	if c.Components == 0 {
		c.Components = 1
	}
	if c.Starts == 0 {
		c.Starts = 1
	}
	if c.MaxIter == 0 {
		c.MaxIter = 100
	}
	if c.Tol == 0 {
		c.Tol = 1e-3
	}
	if c.RegCovar == 0 {
		c.RegCovar = 1e-6
	}
	switch {
	case c.Components < 1 || c.Components > len(rows):
		return nil, configError("Components is %d; it is from 1 to %d, the number of rows that count", c.Components, len(rows))
	case c.Covariance < Full || c.Covariance > Spherical:
		return nil, configError("Covariance is %v", c.Covariance)
	case !(c.RegCovar > 0) || c.RegCovar-c.RegCovar != 0:
		return nil, configError("RegCovar is %v; it is finite and positive", c.RegCovar)
	case c.Starts < 1:
		return nil, configError("Starts is %d; at least 1", c.Starts)
	case c.MaxIter < 1:
		return nil, configError("MaxIter is %d; at least 1", c.MaxIter)
	case !(c.Tol >= 0):
		return nil, configError("Tol is %v; at least 0", c.Tol)
	}
	if c.Labels != nil {
		if err := mlcore.CheckLabels(c.Labels, n, c.Components); err != nil {
			return nil, fmt.Errorf("cluster: Labels: %w", err)
		}
	}
	e := &em{n: len(rows), d: d, k: c.Components, shape: c.Covariance, ridge: c.RegCovar, workers: c.Workers,
		x: given.Subset(X, rows).RawMatrix().Data, w: relative(given.Pick(w, rows))}
	var best *Mixture
	for start := range c.Starts {
		labels := given.Pick(c.Labels, rows)
		if labels == nil {
			groups, err := KMeansConfig{Clusters: c.Components, Seed: mlcore.DeriveSeed(c.Seed, uint64(start)), Workers: c.Workers}.
				fit(&mlcore.Dataset{X: mat.NewDense(e.n, d, e.x), Weights: e.w})
			if err != nil {
				return nil, err
			}
			labels = groups.labels
		}
		m, err := e.run(labels, c.MaxIter, c.Tol)
		if err != nil {
			return nil, err
		}
		if best == nil || m.likelihood > best.likelihood {
			best = m
		}
	}
	return best, nil
}

// An em is the rows that a mixture is fitted to and what the iterations work on.
type em struct {
	n, d, k int
	shape   Covariance
	ridge   float64
	workers int
	x       []float64 // n×d
	w       []float64 // n, or nil

	share []float64 // n×k: of each row, times its weight
	total float64   // of the weights
}

func (e *em) row(i int) []float64 { return e.x[i*e.d:][:e.d] }

// run is one start, from clusters.
func (e *em) run(labels []int, maxIter int, tol float64) (*Mixture, error) {
	e.share, e.total = make([]float64, e.n*e.k), 0
	for i, k := range labels {
		e.share[i*e.k+k] = given.Weight(e.w, i)
		e.total += given.Weight(e.w, i)
	}
	m := &Mixture{shape: e.shape, workers: e.workers}
	if err := e.maximise(m); err != nil {
		return nil, err
	}
	before := math.Inf(-1)
	s := &m.status
	s.Outcome, s.Advice = mlcore.IterationLimit, "the likelihood was still rising; raise MaxIter"
	for s.Iterations < maxIter {
		s.Iterations++
		likelihood, err := e.expect(m)
		if err != nil {
			return nil, err
		}
		if err := e.maximise(m); err != nil {
			return nil, err
		}
		s.Loss = append(s.Loss, -likelihood)
		s.Measure = math.Abs(likelihood - before)
		if s.Measure < tol {
			s.Outcome, s.Advice = mlcore.Converged, ""
			break
		}
		before = likelihood
	}
	if s.Measure-s.Measure != 0 {
		s.Measure = 0 // a single iteration compares with nothing
	}
	var err error
	m.likelihood, err = e.expect(m)
	return m, err
}

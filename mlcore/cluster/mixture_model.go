package cluster

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

var (
	exp = elementary.Exp
	log = elementary.Log
)

// A Mixture is what [MixtureConfig] finds. It is immutable and safe for concurrent use.
type Mixture struct {
	model
	features    int
	shape       Covariance
	weights     []float64 // π
	means       []float64 // K×d
	covariances []float64 // a block for each component, or one for all if tied
	likelihood  float64   // mean log likelihood of the training rows
	status      mlcore.Status
	workers     int

	// For a row x the log density of component k is constant[k] - |(x - μ) whiten|²/2.
	whiten   []float64         // as covariances, transposed where they are matrices
	wedges   [][]kernel.Matrix // of each matrix of whiten, not transposed
	constant []float64         // with log π
	reach    float64           // greatest |μ| of a column
}

// prepare derives what predictions need.
func (m *Mixture) prepare() error {
	K, d := len(m.weights), m.features
	size := blockSize(m.shape, d)
	m.whiten, m.constant = make([]float64, len(m.covariances)), make([]float64, K)
	m.wedges, m.reach = nil, kernel.MaxAbs(m.means)
	determinant := make([]float64, K) // log of that of the whitening
	for b := range len(m.covariances) / size {
		own, to := m.covariances[b*size:][:size], m.whiten[b*size:][:size]
		switch m.shape {
		case Full, Tied:
			w := factor.Whitener(own, d, m.workers)
			if w == nil {
				return fmt.Errorf("cluster: %w: the covariance of component %d is not positive definite; raise RegCovar or scale the columns", mlcore.ErrNonFinite, b)
			}
			kernel.Transpose(kernel.Matrix{Data: to, Rows: d, Cols: d}, kernel.Matrix{Data: w, Rows: d, Cols: d})
			m.wedges = append(m.wedges, wedges(w, d))
			for j := range d {
				determinant[b] += log(to[j*d+j])
			}
		default:
			for at, v := range own {
				to[at] = 1 / math.Sqrt(v)
				determinant[b] += log(to[at])
			}
			if m.shape == Spherical {
				determinant[b] *= float64(d)
			}
		}
		for _, v := range to {
			if v-v != 0 {
				return fmt.Errorf("cluster: %w: the covariance of component %d overflows or vanishes; scale the columns", mlcore.ErrNonFinite, b)
			}
		}
	}
	for k := range K {
		of := k
		if m.shape == Tied {
			of = 0
		}
		m.constant[k] = log(m.weights[k]) + determinant[of] - float64(float64(d)/2*log(2*math.Pi))
	}
	return nil
}

// each calls f with the joint log densities of each row of X.
func (m *Mixture) each(X mat.Matrix, f func(i int, joint []float64) error) error {
	if err := checkQuery(X, m.features); err != nil {
		return err
	}
	n, _ := X.Dims()
	x, K := given.Dense(X).RawMatrix(), len(m.weights)
	blocks := (n + block - 1) / block
	type room struct {
		scratch
		joint []float64
	}
	return par.DoWith(blocks, m.workers, func() *room { return new(room) }, func(s *room, b int) error {
		lo, hi := b*block, min(n, (b+1)*block)
		s.joint = grown(s.joint, (hi-lo)*K)
		joint := kernel.Matrix{Data: s.joint, Rows: hi - lo, Cols: K}
		m.joint(&s.scratch, joint, x.Data[lo*x.Stride:], x.Stride)
		for i := lo; i < hi; i++ {
			if err := f(i, joint.Row(i-lo)); err != nil {
				return err
			}
		}
		return nil
	})
}

// tooFar is the error of a row whose density underflows in all components.
func tooFar(i int) error {
	return fmt.Errorf("cluster: %w: row %d is so far from all components that its distance overflows", mlcore.ErrNonFinite, i)
}

// NumFeatures is the number d of columns that Predict expects.
func (m *Mixture) NumFeatures() int { return m.features }

// NumClusters is the number K of components.
func (m *Mixture) NumClusters() int { return len(m.weights) }

// Weights returns the share π of each component; they sum to 1.
func (m *Mixture) Weights() []float64 { return slices.Clone(m.weights) }

// Means returns the K×d means μ, an empty matrix of a model that was not fitted.
func (m *Mixture) Means() *mat.Dense {
	if m.features == 0 {
		return &mat.Dense{}
	}
	return mat.NewDense(len(m.weights), m.features, slices.Clone(m.means))
}

// Covariance returns the d×d covariance matrix Σ of a component, whatever its shape. It
// panics where component is not in 0..NumClusters()-1, so always where m was not fitted.
func (m *Mixture) Covariance(component int) *mat.SymDense {
	if component < 0 || component >= len(m.weights) {
		panic(fmt.Sprintf("cluster: component %d of %d", component, len(m.weights)))
	}
	d, size := m.features, blockSize(m.shape, m.features)
	if m.shape == Tied {
		component = 0
	}
	own, s := m.covariances[component*size:][:size], mat.NewSymDense(m.features, nil)
	for i := range d {
		for j := i; j < d; j++ {
			switch m.shape {
			case Full, Tied:
				s.SetSym(i, j, own[i*d+j])
			case Diagonal:
				if i == j {
					s.SetSym(i, j, own[i])
				}
			case Spherical:
				if i == j {
					s.SetSym(i, j, own[0])
				}
			}
		}
	}
	return s
}

// LogLikelihood is the weighted mean over the training rows of log p(x).
func (m *Mixture) LogLikelihood() float64 { return m.likelihood }

// Status says how the best start ended. Its Measure is the last change of the mean log
// likelihood, and its Loss holds the negative of that before each iteration.
func (m *Mixture) Status() mlcore.Status { return m.status.Clone() }

// Predict returns the component to which each row of X belongs most probably, the lowest
// on a tie.
func (m *Mixture) Predict(X mat.Matrix) ([]int, error) {
	if err := checkQuery(X, m.features); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	labels := make([]int, n)
	err := m.each(X, func(i int, joint []float64) error {
		labels[i] = kernel.ArgMax(joint)
		if v := joint[labels[i]]; v-v != 0 {
			return tooFar(i)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return labels, nil
}

// PredictProba returns the probability of each component for each row of X, n×K: the
// shares of the components in the density there.
func (m *Mixture) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	if err := checkQuery(X, m.features); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	proba := mat.NewDense(n, len(m.weights), nil)
	err := m.each(X, func(i int, joint []float64) error {
		total := logSumExp(joint)
		if total-total != 0 {
			return tooFar(i)
		}
		for k, v := range joint {
			proba.Set(i, k, exp(v-total))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return proba, nil
}

// LogDensity returns log p(x) for each row of X.
func (m *Mixture) LogDensity(X mat.Matrix) ([]float64, error) {
	if err := checkQuery(X, m.features); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	density := make([]float64, n)
	err := m.each(X, func(i int, joint []float64) error {
		if density[i] = logSumExp(joint); density[i]-density[i] != 0 {
			return tooFar(i)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return density, nil
}

// NumParameters is the number of free parameters: K-1 weights, K·d means and, by the
// shape, K·d(d+1)/2, d(d+1)/2, K·d or K variances and covariances.
func (m *Mixture) NumParameters() int {
	K, d := len(m.weights), m.features
	of := map[Covariance]int{Full: K * d * (d + 1) / 2, Tied: d * (d + 1) / 2, Diagonal: K * d, Spherical: K}
	return K - 1 + K*d + of[m.shape]
}

// AIC is Akaike's information criterion on the rows of X: twice the number of parameters
// less twice the log likelihood. Of several mixtures the one with the lowest AIC is
// preferred.
func (m *Mixture) AIC(X mat.Matrix) (float64, error) { return m.criterion(X, 2) }

// BIC is the Bayesian information criterion on the n rows of X (Schwarz, 1978): log n
// times the number of parameters less twice the log likelihood. Of several mixtures the
// one with the lowest BIC is preferred; a parameter costs more than with AIC.
func (m *Mixture) BIC(X mat.Matrix) (float64, error) {
	if err := checkQuery(X, m.features); err != nil {
		return 0, err
	}
	n, _ := X.Dims()
	return m.criterion(X, log(float64(n)))
}

func (m *Mixture) criterion(X mat.Matrix, price float64) (float64, error) {
	density, err := m.LogDensity(X)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for _, v := range density {
		sum += v
	}
	return float64(price*float64(m.NumParameters())) - 2*sum, nil
}

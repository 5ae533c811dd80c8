package cluster

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// expect shares each row among the components, and returns the weighted mean of the log
// likelihood of a row.
func (e *em) expect(m *Mixture) (float64, error) {
	blocks := (e.n + block - 1) / block
	sums := make([]float64, blocks)
	err := par.DoWith(blocks, e.workers, newScratch, func(s *scratch, b int) error {
		lo, hi := b*block, min(e.n, (b+1)*block)
		joint := kernel.Matrix{Data: e.share[lo*e.k : hi*e.k], Rows: hi - lo, Cols: e.k}
		m.joint(s, joint, e.x[lo*e.d:], e.d)
		for i := lo; i < hi; i++ {
			row, wi := joint.Row(i-lo), given.Weight(e.w, i)
			likelihood := logSumExp(row)
			if likelihood-likelihood != 0 {
				return fmt.Errorf("cluster: %w: the density of row %d of those that count is 0 or infinite in all components; scale the columns", mlcore.ErrNonFinite, i)
			}
			sums[b] += float64(wi * likelihood)
			for k := range row {
				row[k] -= likelihood
			}
			kernel.Exp(row)
			for k := range row {
				row[k] *= wi
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	total := 0.0
	for _, v := range sums {
		total += v
	}
	return total / e.total, nil
}

// maximise fits the components to their shares of the rows.
func (e *em) maximise(m *Mixture) error {
	m.weights, m.means = make([]float64, e.k), make([]float64, e.k*e.d)
	m.features = e.d
	nothing := float64(10 * 0x1p-52) // a component without rows must not divide by 0
	sums := e.sum(e.k*(e.d+1), func(s *scratch, into []float64, lo, hi int) {
		share := kernel.Matrix{Data: e.share[lo*e.k : hi*e.k], Rows: hi - lo, Cols: e.k}
		rows := kernel.Matrix{Data: e.x[lo*e.d : hi*e.d], Rows: hi - lo, Cols: e.d}
		kernel.MulTransAdd(kernel.Matrix{Data: into[e.k:], Rows: e.k, Cols: e.d}, share, rows, &s.buffer)
		for i := range hi - lo {
			for k, v := range share.Row(i) {
				into[k] += v
			}
		}
	})
	for k := range e.k {
		m.weights[k] = sums[k] + nothing
		for j := range e.d {
			m.means[k*e.d+j] = sums[e.k+k*e.d+j] / m.weights[k]
		}
	}
	e.covariances(m)
	// Shares sum to 1 but for what keeps them off 0.
	total := 0.0
	for _, v := range m.weights {
		total += v
	}
	for k := range m.weights {
		m.weights[k] /= total
	}
	return m.prepare()
}

// covariances sets those of m around its means; its weights are sums of shares here.
func (e *em) covariances(m *Mixture) {
	d, size := e.d, e.d
	if e.shape == Full || e.shape == Tied {
		size = d * d
	}
	sums := e.sum(e.k*size, func(s *scratch, into []float64, lo, hi int) {
		n := hi - lo
		s.gathered, s.score = grown(s.gathered, n*d), grown(s.score, n*d)
		diff := kernel.Matrix{Data: s.gathered, Rows: n, Cols: d}
		weighted := kernel.Matrix{Data: s.score, Rows: n, Cols: d}
		for k := range e.k {
			mean := m.means[k*d:][:d]
			own := into[k*size:][:size]
			for i := range n {
				share, x := e.share[(lo+i)*e.k+k], e.row(lo + i)[:len(mean)]
				from, to := diff.Row(i)[:len(mean)], weighted.Row(i)[:len(mean)]
				for j, v := range mean {
					v = x[j] - v
					from[j], to[j] = v, share*v
				}
				if size == d {
					for j := range from {
						own[j] += float64(to[j] * from[j])
					}
				}
			}
			if size != d {
				kernel.MulTransAdd(kernel.Matrix{Data: own, Rows: d, Cols: d}, weighted, diff, &s.buffer)
			}
		}
	})
	switch e.shape {
	case Full, Diagonal:
		for k := range e.k {
			for at := range size {
				sums[k*size+at] /= m.weights[k]
			}
		}
	case Tied:
		total := m.weights[0]
		for k := 1; k < e.k; k++ {
			total += m.weights[k]
			for at := range size {
				sums[at] += sums[k*size+at]
			}
		}
		sums = sums[:size]
		for at := range sums {
			sums[at] /= total
		}
	case Spherical:
		balls := make([]float64, e.k)
		for k := range e.k {
			for _, v := range sums[k*d:][:d] {
				balls[k] += v
			}
			balls[k] /= m.weights[k] * float64(d)
		}
		sums = balls
	}
	ridge(sums, e.shape, d, e.ridge)
	m.covariances = sums
}

// ridge adds v to all variances.
func ridge(covariances []float64, shape Covariance, d int, v float64) {
	step := 1
	if shape == Full || shape == Tied {
		step = d + 1
	}
	for at := range covariances {
		if at%blockSize(shape, d)%step == 0 {
			covariances[at] += v
		}
	}
}

// blockSize is how many numbers describe the covariance of one component.
func blockSize(shape Covariance, d int) int {
	switch shape {
	case Full, Tied:
		return d * d
	case Diagonal:
		return d
	}
	return 1
}

// sum adds up, part by part in order, what f adds for the rows of a part.
func (e *em) sum(size int, f func(s *scratch, into []float64, lo, hi int)) []float64 {
	part := partSize(e.n)
	partial := make([][]float64, (e.n+part-1)/part)
	par.Sure(par.DoWith(len(partial), e.workers, newScratch, func(s *scratch, p int) error {
		partial[p] = make([]float64, size)
		for lo, end := p*part, min(e.n, (p+1)*part); lo < end; lo += together {
			f(s, partial[p], lo, min(end, lo+together))
		}
		return nil
	}))
	for _, more := range partial[1:] {
		for at, v := range more {
			partial[0][at] += v
		}
	}
	return partial[0]
}

// logSumExp returns log Σ e^v. The slice keeps its values.
func logSumExp(v []float64) float64 {
	most := math.Inf(-1)
	for _, x := range v {
		most = max(most, x)
	}
	if most-most != 0 {
		return most
	}
	sum := 0.0
	for _, x := range v {
		sum += exp(x - most)
	}
	return most + log(sum)
}

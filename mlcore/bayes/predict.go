package bayes

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// A scorer is a model as prediction sees it.
type scorer interface {
	base() *classes
	// score adds the K log-likelihoods of a row to acc. It returns false for a
	// row with a value that the model does not take; check says which. room has
	// as many elements as the method of that name says.
	score(acc, row, room []float64) bool
	room() int
	check(X mat.Matrix) error
}

// A productScorer is a scorer that takes products of matrices: many rows at a time are
// several times as fast as one by one.
type productScorer interface {
	scorer
	// products sets the room of each of the rows to what score needs to find there.
	products(room, rows kernel.Matrix, s *productRoom)
	// scores sets joint to what score makes of the priors of each row. It returns false where
	// rows have to be scored one by one, because one of them needs more care or because many
	// at a time are no faster; joint is then of no use.
	scores(joint []float64, room kernel.Matrix) bool
}

// productRoom is what one goroutine needs for products.
type productRoom struct {
	less, white []float64
	buffer      kernel.Buffer
}

// minus returns the rows less a mean.
func (s *productRoom) minus(rows kernel.Matrix, mean []float64) kernel.Matrix {
	s.less = slices.Grow(s.less[:0], len(rows.Data))[:len(rows.Data)]
	kernel.SubtractRows(s.less, rows.Cols, rows.Data, rows.Cols, rows.Rows, mean)
	return kernel.Matrix{Data: s.less, Rows: rows.Rows, Cols: rows.Cols}
}

// Rows a goroutine takes at a time.
const chunk = 256

var errRow = errors.New("bad row")

// eachJoint calls use with the joint log-likelihoods of runs of rows of X, which begin with
// row first and are K numbers each. They are made in into, n×K, or, where that is nil, are
// only valid during the call.
func eachJoint(m scorer, X mat.Matrix, workers int, into []float64, use func(first int, joint []float64)) error {
	c := m.base()
	n, _ := X.Dims()
	if n == 0 {
		return fmt.Errorf("bayes: %w: X has no rows", mlcore.ErrEmpty)
	}
	type scratch struct {
		joint, room []float64
		row         func(i int) []float64
		rows        func(lo, hi int) []float64
		products    productRoom
	}
	many, _ := m.(productScorer)
	d, K, size := c.features, len(c.logPrior), m.room()
	fresh := func() *scratch {
		s := &scratch{room: make([]float64, size), row: given.Rows(X)}
		if into == nil {
			s.joint = make([]float64, min(n, chunk)*K)
		}
		if many != nil {
			s.room, s.rows = make([]float64, min(n, chunk)*size), given.Blocks(X)
		}
		return s
	}
	err := par.DoWith((n+chunk-1)/chunk, workers, fresh, func(s *scratch, p int) error {
		first, end := p*chunk, min((p+1)*chunk, n)
		joint := s.joint
		if into != nil {
			joint = into[first*K:]
		}
		joint = joint[:(end-first)*K]
		if many != nil {
			k := end - first
			room := kernel.Matrix{Data: s.room[:k*size], Rows: k, Cols: size}
			many.products(room, kernel.Matrix{Data: s.rows(first, end), Rows: k, Cols: d}, &s.products)
			if many.scores(joint, room) {
				use(first, joint)
				return nil
			}
		}
		for i := first; i < end; i++ {
			room := s.room
			if many != nil {
				room = s.room[(i-first)*size:][:size]
			}
			acc := joint[(i-first)*K:][:K]
			copy(acc, c.logPrior)
			if !m.score(acc, s.row(i), room) {
				return errRow
			}
			if acc[kernel.ArgMax(acc)] == math.Inf(-1) {
				copy(acc, c.logPrior)
			}
		}
		use(first, joint)
		return nil
	})
	if err == nil {
		return nil
	}
	// Only now is it worth a second look at all values to name the first bad one.
	if err := m.check(X); err != nil {
		return fmt.Errorf("bayes: %w", err)
	}
	return fmt.Errorf("bayes: %w", err)
}

func predict(m scorer, X mat.Matrix, workers int) ([]int, error) {
	if err := mlcore.CheckFeatures(X, m.base().features); err != nil {
		return nil, fmt.Errorf("bayes: %w", err)
	}
	n, _ := X.Dims()
	y, K := make([]int, n), len(m.base().logPrior)
	err := eachJoint(m, X, workers, nil, func(first int, joint []float64) {
		for i := first; len(joint) > 0; i, joint = i+1, joint[K:] {
			y[i] = greatest(joint[:K])
		}
	})
	if err != nil {
		return nil, err
	}
	return y, nil
}

// greatest is kernel.ArgMax of a row, of which most are short.
func greatest(row []float64) int {
	const short = 8
	if len(row) > short {
		return kernel.ArgMax(row)
	}
	best := 0
	for k, v := range row {
		if v > row[best] {
			best = k
		}
	}
	return best
}

// outputs returns an n×K matrix of each row's joint log-likelihoods, after finish has
// changed runs of rows.
func outputs(m scorer, X mat.Matrix, workers int, finish func(joint []float64, K int)) (*mat.Dense, error) {
	if err := mlcore.CheckFeatures(X, m.base().features); err != nil {
		return nil, fmt.Errorf("bayes: %w", err)
	}
	out, K := &mat.Dense{}, len(m.base().logPrior)
	if n, _ := X.Dims(); n > 0 {
		out = mat.NewDense(n, K, nil)
	}
	if err := eachJoint(m, X, workers, out.RawMatrix().Data, func(_ int, joint []float64) { finish(joint, K) }); err != nil {
		return nil, err
	}
	return out, nil
}

// unchanged leaves joint log-likelihoods as they are.
func unchanged([]float64, int) {}

// decisions returns the n×K joint log-likelihoods, of two classes the n×1 log odds of class
// 1. Log odds that overflow are the greatest float64.
func decisions(m scorer, X mat.Matrix, workers int) (*mat.Dense, error) {
	joint, err := outputs(m, X, workers, unchanged)
	prior := m.base().logPrior
	if err != nil || len(prior) != 2 {
		return joint, err
	}
	n, _ := joint.Dims()
	odds, possible := mat.NewDense(n, 1, nil), kernel.Finite(prior)
	for i := range n {
		v := joint.At(i, 1) - joint.At(i, 0)
		if possible {
			v = max(-math.MaxFloat64, min(v, math.MaxFloat64))
		}
		odds.Set(i, 0, v)
	}
	return odds, nil
}

// logProba subtracts log P(x) from each row, the log-sum-exp of the joint log-likelihoods.
func logProba(joint []float64, K int) {
	for ; len(joint) > 0; joint = joint[K:] {
		row := joint[:K]
		top, sum := row[greatest(row)], 0.0
		for _, v := range row {
			sum += elementary.Exp(v - top)
		}
		norm := top + elementary.Log(sum)
		for k := range row {
			row[k] -= norm
		}
	}
}

// proba takes the exponentials of what logProba makes, whose rows sum to 1 as nearly as can
// be. Exponentials of many numbers at a time are several times as fast.
func proba(joint []float64, K int) {
	if K == 2 { // most often; the two loops below without those over classes
		for i := 1; i < len(joint); i += 2 {
			a, b := joint[i-1], joint[i]
			top := max(a, b) // no branch, which would be a matter of chance
			joint[i-1], joint[i] = a-top, b-top
		}
		elementary.ExpEach(joint)
		for i := 1; i < len(joint); i += 2 {
			sum := joint[i-1] + joint[i]
			joint[i-1] /= sum
			joint[i] /= sum
		}
		return
	}
	for rest := joint; len(rest) > 0; rest = rest[K:] {
		row := rest[:K]
		top := row[greatest(row)]
		for k := range row {
			row[k] -= top
		}
	}
	elementary.ExpEach(joint)
	for rest := joint; len(rest) > 0; rest = rest[K:] {
		row, sum := rest[:K], 0.0
		for _, v := range row {
			sum += v
		}
		for k := range row {
			row[k] /= sum
		}
	}
}

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
	// products sets the room of each of the rows to what score is to find in it.
	products(room, rows kernel.Matrix, s *productRoom)
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

// eachJoint calls use with the joint log-likelihoods of each row of X, which
// are only valid during the call.
func eachJoint(m scorer, X mat.Matrix, workers int, use func(i int, joint []float64)) error {
	c := m.base()
	n, _ := X.Dims()
	if n == 0 {
		return fmt.Errorf("bayes: %w: X has no rows", mlcore.ErrEmpty)
	}
	type scratch struct {
		acc, room []float64
		row       func(i int) []float64
		rows      func(lo, hi int) []float64
		products  productRoom
	}
	many, _ := m.(productScorer)
	d, size := c.features, m.room()
	fresh := func() *scratch {
		s := &scratch{acc: make([]float64, len(c.logPrior)), room: make([]float64, size), row: given.Rows(X)}
		if many != nil {
			s.room, s.rows = make([]float64, min(n, chunk)*size), given.Blocks(X)
		}
		return s
	}
	err := par.DoWith((n+chunk-1)/chunk, workers, fresh, func(s *scratch, p int) error {
		first, end := p*chunk, min((p+1)*chunk, n)
		if many != nil {
			k := end - first
			many.products(kernel.Matrix{Data: s.room[:k*size], Rows: k, Cols: size}, kernel.Matrix{Data: s.rows(first, end), Rows: k, Cols: d}, &s.products)
		}
		for i := first; i < end; i++ {
			room := s.room
			if many != nil {
				room = s.room[(i-first)*size:][:size]
			}
			copy(s.acc, c.logPrior)
			if !m.score(s.acc, s.row(i), room) {
				return errRow
			}
			if s.acc[kernel.ArgMax(s.acc)] == math.Inf(-1) {
				copy(s.acc, c.logPrior)
			}
			use(i, s.acc)
		}
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
	y := make([]int, n)
	if err := eachJoint(m, X, workers, func(i int, joint []float64) { y[i] = kernel.ArgMax(joint) }); err != nil {
		return nil, err
	}
	return y, nil
}

// outputs returns an n×K matrix of what finish makes of each row's joint
// log-likelihoods.
func outputs(m scorer, X mat.Matrix, workers int, finish func(dst, joint []float64)) (*mat.Dense, error) {
	if err := mlcore.CheckFeatures(X, m.base().features); err != nil {
		return nil, fmt.Errorf("bayes: %w", err)
	}
	out := &mat.Dense{}
	if n, _ := X.Dims(); n > 0 {
		out = mat.NewDense(n, len(m.base().logPrior), nil)
	}
	if err := eachJoint(m, X, workers, func(i int, joint []float64) { finish(out.RawRowView(i), joint) }); err != nil {
		return nil, err
	}
	return out, nil
}

func copyJoint(dst, joint []float64) { copy(dst, joint) }

// logProba subtracts log P(x), the log-sum-exp of the joint log-likelihoods.
func logProba(dst, joint []float64) {
	top, sum := joint[kernel.ArgMax(joint)], 0.0
	for _, v := range joint {
		sum += elementary.Exp(v - top)
	}
	norm := top + elementary.Log(sum)
	for k, v := range joint {
		dst[k] = v - norm
	}
}

// probabilities returns an n×K matrix of the exponentials of logProba, whose rows sum to 1
// as nearly as can be. Exponentials of many numbers at a time are several times as fast.
func probabilities(m scorer, X mat.Matrix, workers int) (*mat.Dense, error) {
	out, err := outputs(m, X, workers, func(dst, joint []float64) {
		top := joint[kernel.ArgMax(joint)]
		for k, v := range joint {
			dst[k] = v - top
		}
	})
	if err != nil || out.IsEmpty() {
		return out, err
	}
	const numbers = 1 << 12
	n, K := out.Dims()
	par.Sure(par.Chunks(n, 1+numbers/K, workers, func(lo, hi int) error {
		rest := out.RawMatrix().Data[lo*K : hi*K]
		elementary.ExpEach(rest)
		for ; len(rest) > 0; rest = rest[K:] {
			row, sum := rest[:K], 0.0
			for _, v := range row {
				sum += v
			}
			for k := range row {
				row[k] /= sum
			}
		}
		return nil
	}))
	return out, nil
}

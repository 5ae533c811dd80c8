// Package hyperplane evaluates the linear functions w·x + b of a model for many rows: a
// matrix of queries, directions and intercepts flow in, the functions of each row flow out.
// What comes of a row does not depend on the others nor on the number of workers.
package hyperplane

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// Functions are the linear functions of a model: row k of Directions is w and Intercepts[k]
// is b of function k. An intercept of -Inf is that of a class that is never predicted.
type Functions struct {
	Directions kernel.Matrix
	Intercepts []float64
}

// block is how many rows are evaluated together.
const block = 64

// room is what one goroutine needs.
type room struct {
	rows   func(lo, hi int) []float64
	values []float64
	buf    kernel.Buffer
}

// Each calls use with the values of the functions at every row of X, of which the number of
// columns is that of the directions; several rows at a time, each once. values are
// overwritten afterwards. It refuses an X without rows, values that are not finite, and rows
// for which a function overflows.
func (f Functions) Each(X mat.Matrix, workers int, use func(i int, values []float64)) error {
	n, d := X.Dims()
	if n == 0 || d == 0 || len(f.Intercepts) == 0 {
		// Nothing would tell that X is empty or has values that are not finite.
		if err := mlcore.CheckMatrix(X, false); err != nil {
			return err
		}
	}
	k := len(f.Intercepts)
	planes := kernel.NewPlanes(f.Directions, n)
	scratch := func() *room { return &room{rows: given.Blocks(X), values: make([]float64, block*k)} }
	err := par.DoWith((n+block-1)/block, workers, scratch, func(r *room, at int) error {
		lo, hi := at*block, min((at+1)*block, n)
		values := kernel.Matrix{Data: r.values[:(hi-lo)*k], Rows: hi - lo, Cols: k}
		planes.OfRows(values, kernel.Matrix{Data: r.rows(lo, hi), Rows: hi - lo, Cols: d}, &r.buf)
		for i := range values.Rows {
			row := values.Data[i*k:][:k:k]
			if !f.finish(row) {
				return fmt.Errorf("%w: w·x + b overflows in row %d; its values are out of proportion to the training data", mlcore.ErrNonFinite, lo+i)
			}
			use(lo+i, row)
		}
		return nil
	})
	if err != nil {
		// What is not finite in X is not finite in a function of it either.
		if err := mlcore.CheckMatrix(X, false); err != nil {
			return err
		}
	}
	return err
}

// finish adds the intercepts and reports whether all is finite but the functions of absent
// classes.
func (f Functions) finish(values []float64) (finite bool) {
	finite = true
	for k, b := range f.Intercepts {
		z := values[k]
		v := b + z
		values[k] = v
		finite = finite && (v-v == 0 || math.IsInf(b, -1) && z-z == 0)
	}
	return finite
}

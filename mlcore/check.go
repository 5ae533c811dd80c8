package mlcore

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"gonum.org/v1/gonum/mat"
)

// The checks that learners run on what they are given. Each returns nil or an
// error that wraps a sentinel and names the first offending row and column,
// both counted from 0.

// CheckMatrix refuses an X without rows or columns and one that holds an
// infinity or, unless allowNaN, a NaN.
func CheckMatrix(X mat.Matrix, allowNaN bool) error {
	if err := CheckSize(X); err != nil {
		return err
	}
	n, d := X.Dims()
	if dense, ok := X.(*mat.Dense); ok {
		if i, j := given.FirstNonFinite(dense, allowNaN); i >= 0 {
			return nonFinite(dense.At(i, j), i, j)
		}
		return nil
	}
	row := make([]float64, d)
	for i := range n {
		if kernel.Finite(mat.Row(row, i, X)) {
			continue
		}
		if _, j := given.FirstNonFinite(mat.NewDense(1, d, row), allowNaN); j >= 0 {
			return nonFinite(row[j], i, j)
		}
	}
	return nil
}

// CheckSize refuses an X without rows or columns, or that is nil.
func CheckSize(X mat.Matrix) error {
	if given.IsNil(X) {
		return fmt.Errorf("%w: X is nil", ErrEmpty)
	}
	if n, d := X.Dims(); n == 0 || d == 0 {
		return fmt.Errorf("%w: X is %d×%d", ErrEmpty, n, d)
	}
	return nil
}

func nonFinite(v float64, i, j int) error {
	return fmt.Errorf("%w: %v in row %d, column %d; impute or drop it first", ErrNonFinite, v, i, j)
}

// CheckFeatures refuses an X whose width is not want, the number of features
// that a model was fitted with. No model has 0 features: with a want of 0 the
// error wraps [ErrNotFitted].
func CheckFeatures(X mat.Matrix, want int) error {
	if want == 0 {
		return ErrNotFitted
	}
	if given.IsNil(X) {
		return fmt.Errorf("%w: X is nil", ErrEmpty)
	}
	if _, d := X.Dims(); d != want {
		return fmt.Errorf("%w: X has %d columns, the model was fitted with %d", ErrShape, d, want)
	}
	return nil
}

// maxClasses bounds the number of classes: a greater code is a mistake, an
// identifier say, and models that have a number for each class would only fill
// memory.
const maxClasses = 1 << 20

// CheckLabels refuses labels that are not n codes in 0..classes-1, and more than
// 2^20 classes. Pass 0 for classes where any code from 0 is good.
func CheckLabels(y []int, n, classes int) error {
	if len(y) != n {
		return fmt.Errorf("%w: X has %d rows, y has %d labels", ErrShape, n, len(y))
	}
	if classes > maxClasses {
		return fmt.Errorf("%w: %d classes are more than %d; labels are codes from 0", ErrConfig, classes, maxClasses)
	}
	bound := uint(maxClasses)
	if classes > 0 {
		bound = uint(classes)
	}
	for i, c := range y {
		if uint(c) >= bound { // a negative one is a great number
			return labelError(i, c, classes)
		}
	}
	return nil
}

// labelError says what is wrong with the label c of row i.
func labelError(i, c, classes int) error {
	switch {
	case c < 0:
		return fmt.Errorf("%w: %d in row %d; codes start at 0", ErrLabel, c, i)
	case c >= maxClasses:
		return fmt.Errorf("%w: %d in row %d; labels are codes from 0 to %d", ErrLabel, c, i, maxClasses-1)
	}
	return fmt.Errorf("%w: %d in row %d; with %d classes codes are 0 to %d", ErrLabel, c, i, classes, classes-1)
}

// CheckTargets refuses targets that are not n finite numbers.
func CheckTargets(y []float64, n int) error {
	if len(y) != n {
		return fmt.Errorf("%w: X has %d rows, y has %d targets", ErrShape, n, len(y))
	}
	for i, v := range y {
		if v-v != 0 {
			return fmt.Errorf("%w: target %v in row %d", ErrNonFinite, v, i)
		}
	}
	return nil
}

// CheckWeights refuses weights that are not n non-negative finite numbers with
// a positive sum. A nil w is good.
func CheckWeights(w []float64, n int) error {
	if w == nil {
		return nil
	}
	if len(w) != n {
		return fmt.Errorf("%w: X has %d rows, w has %d weights", ErrShape, n, len(w))
	}
	sum := 0.0
	for i, v := range w {
		if v-v != 0 || v < 0 {
			return fmt.Errorf("%w: %v in row %d; weights are finite and not negative", ErrWeight, v, i)
		}
		sum += v
	}
	if sum <= 0 || math.IsInf(sum, 0) {
		return fmt.Errorf("%w: the weights sum to %v", ErrWeight, sum)
	}
	return nil
}

// CheckLevels refuses codes outside the levels of categorical columns:
// levels[j] is the number of categories of column j, 0 where it is numeric.
// A nil levels is good; NaN is left to [CheckMatrix].
func CheckLevels(X mat.Matrix, levels []int) error {
	if levels == nil {
		return nil
	}
	n, d := X.Dims()
	if len(levels) != d {
		return fmt.Errorf("%w: X has %d columns, Levels describes %d", ErrShape, d, len(levels))
	}
	for j, L := range levels {
		if L < 0 {
			return fmt.Errorf("%w: Levels[%d] is %d", ErrConfig, j, L)
		}
		if L == 0 {
			continue
		}
		for i := range n {
			if v := X.At(i, j); !math.IsNaN(v) && !isCode(v, L) {
				return fmt.Errorf("%w: code %v in row %d, column %d, which has %d levels", ErrLevel, v, i, j, L)
			}
		}
	}
	return nil
}

func isCode(v float64, levels int) bool {
	return v >= 0 && v < float64(levels) && v == math.Trunc(v)
}

// CountClasses returns 1 + the largest label: K where a learner is not told.
func CountClasses(y []int) int {
	k := 0
	for _, c := range y {
		k = max(k, c+1)
	}
	return k
}

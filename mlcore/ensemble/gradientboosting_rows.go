package ensemble

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// A blockwise loss judges many rows at once, which is faster than one by one.
type blockwise interface {
	// rows is [Loss].Row for n rows of targets y. Output k of row i stands at
	// k·n+i of scores, residuals and curvatures. It returns Σ w·loss.
	rows(y, w, scores, residuals, curvatures []float64) float64
}

// blocks returns loss as one that judges blocks. A loss that embeds one of these
// has a Row of its own, which a method rows that comes with it knows nothing of.
func blocks(loss Loss) (blockwise, bool) {
	switch l := loss.(type) {
	case Logistic:
		return l, true
	case Softmax:
		return l, true
	}
	return nil, false
}

// eachRow is rows of any loss; room has places for three times the outputs.
func eachRow(loss Loss, y, w, scores, residuals, curvatures, room []float64) float64 {
	n, outputs := len(y), len(room)/3
	s, r, c := room[:outputs], room[outputs:2*outputs], room[2*outputs:]
	sum := 0.0
	for i := range y {
		for k := range s {
			s[k] = scores[k*n+i]
		}
		sum += float64(w[i] * loss.Row(y[i], s, r, c))
		for k := range s {
			residuals[k*n+i], curvatures[k*n+i] = r[k], c[k]
		}
	}
	return sum
}

// sumLogs is Σ w·log(more + x), of numbers from 1 up to 2^100. Logarithms are slow, so
// as long as weights are 1 it multiplies and takes one of the product.
func sumLogs(x, w []float64, more float64) float64 {
	product, sum := 1.0, 0.0
	for i, x := range x {
		if w[i] != 1 {
			sum += float64(w[i] * elementary.Log(more+x))
			continue
		}
		if product *= more + x; product > 0x1p900 {
			sum += elementary.Log(product)
			product = 1
		}
	}
	return sum + elementary.Log(product)
}

func (Logistic) rows(y, w, scores, residuals, curvatures []float64) float64 {
	e := curvatures[:len(y)]
	for i, s := range scores {
		e[i] = -math.Abs(s)
	}
	kernel.Exp(e)
	logs, sum := sumLogs(e, w, 1), 0.0
	w, y, residuals = w[:len(e)], y[:len(e)], residuals[:len(e)]
	for i, s := range scores[:len(e)] {
		large := 1 / (1 + e[i])
		small := float64(e[i] * large) // the lesser of the two probabilities, to all digits
		// Nobody can foresee which rows are on the wrong side, so there is no branch.
		wrong := mask((s > 0) != (y[i] == 1))
		sum += math.Float64frombits(math.Float64bits(float64(w[i]*math.Abs(s))) & wrong)
		e[i] = large * small // the curvature
		residual := math.Float64bits(small)&^wrong | math.Float64bits(large)&wrong
		residuals[i] = math.Copysign(math.Float64frombits(residual), y[i]-0.5)
	}
	return sum + logs
}

// mask is all bits where b is true, else none.
func mask(b bool) uint64 {
	if b {
		return math.MaxUint64
	}
	return 0
}

func (Softmax) rows(y, w, scores, residuals, curvatures []float64) float64 {
	n := len(y)
	outputs := len(scores) / n
	top, scale := curvatures[:n], curvatures[:n] // of each row; column 0 is free until the end
	copy(top, scores)
	for k := 1; k < outputs; k++ {
		for i, s := range scores[k*n : (k+1)*n] {
			top[i] = max(top[i], s)
		}
	}
	loss := 0.0
	for i, c := range y {
		loss += float64(w[i] * (top[i] - scores[int(c)*n+i]))
	}
	for k := range outputs {
		for i, s := range scores[k*n : (k+1)*n] {
			residuals[k*n+i] = s - top[i]
		}
	}
	kernel.Exp(residuals)
	clear(scale)
	for k := range outputs {
		for i, e := range residuals[k*n : (k+1)*n] {
			scale[i] += e
		}
	}
	logs := sumLogs(scale, w, 0)
	for i, sum := range scale {
		scale[i] = 1 / sum
	}
	for k := outputs - 1; k >= 0; k-- { // column 0, where scale is, last
		r, c := residuals[k*n:(k+1)*n], curvatures[k*n:(k+1)*n]
		for i, e := range r {
			p := float64(e * scale[i])
			r[i], c[i] = -p, float64(p*(1-p))
		}
	}
	for i, c := range y {
		residuals[int(c)*n+i] += 1
	}
	return loss + logs
}

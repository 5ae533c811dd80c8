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

// A logSum is Σ w·log x. Logarithms are slow, so as long as weights are 1 it
// multiplies and takes one of the product.
type logSum struct{ product, sum float64 }

// add takes x, from 1 up to 2^100, with weight w.
func (l *logSum) add(x, w float64) {
	if w != 1 {
		l.sum += float64(w * elementary.Log(x))
		return
	}
	if l.product *= x; l.product > 0x1p900 {
		l.sum += elementary.Log(l.product)
		l.product = 1
	}
}

func (l *logSum) total() float64 { return l.sum + elementary.Log(l.product) }

func (Logistic) rows(y, w, scores, residuals, curvatures []float64) float64 {
	e := curvatures[:len(y)]
	for i, s := range scores {
		e[i] = -math.Abs(s)
	}
	kernel.Exp(e)
	logs, sum := logSum{product: 1}, 0.0
	for i, s := range scores {
		large := 1 / (1 + e[i])
		small := float64(e[i] * large) // the lesser of the two probabilities, to all digits
		logs.add(1+e[i], w[i])
		wrong := small
		if (s > 0) != (y[i] == 1) {
			wrong = large
			sum += float64(w[i] * math.Abs(s))
		}
		curvatures[i] = large * small
		residuals[i] = math.Copysign(wrong, y[i]-0.5)
	}
	return sum + logs.total()
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
	logs := logSum{product: 1}
	for i, sum := range scale {
		logs.add(sum, w[i])
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
	return loss + logs.total()
}

package ensemble

import (
	"cmp"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
)

// A Loss is what boosting lowers. A model keeps one or more scores for each row;
// the loss says how bad they are, where each should move (the residual) and how
// the residual changes as it moves (the curvature). Losses are values without
// state and safe for concurrent use.
//
// The losses of this package are [Squared], [Absolute] and [Huber] for
// regression, [Logistic] for two classes and [Softmax] for any number. A Loss of
// your own works wherever a configuration takes one. In a classifier a single
// score has to be the log odds of class 1; K scores have to be logarithms of the
// classes' probabilities, up to a common constant.
type Loss interface {
	// Outputs returns how many scores a row has with the given number of
	// classes, where 0 classes stand for regression. It returns 0 if the loss
	// is not for that.
	Outputs(classes int) int
	// Start returns the constant scores, one for each output, from which
	// boosting starts: those with the least weighted mean loss. y holds targets,
	// or class codes as numbers; w holds weights, of which some are positive.
	Start(y, w []float64, classes int) []float64
	// Row returns the loss of a row with target y at these scores. It puts the
	// residual -∂L/∂s of each score s in residuals and the curvature ∂²L/∂s² in
	// curvatures. A curvature is never negative; where it is of no use, it is 1.
	Row(y float64, scores, residuals, curvatures []float64) float64
	// Step returns what to add to a score of the rows of one leaf: the line
	// search of Friedman (2001), algorithm 1, line 5.
	Step(leaf Leaf) float64
}

// A Leaf holds what [Loss.Step] is told of the rows of a leaf: one element for
// each row, for the output to which the tree belongs. Its slices are good until Step
// returns.
type Leaf struct {
	// Outputs is the number of scores of each row.
	Outputs int
	// Classes is how many classes have training rows of positive weight; 0 in
	// regression.
	Classes int
	// Y holds the targets or class codes, W the weights.
	Y, W []float64
	// Scores are those before the step, Residuals and Curvatures those that the
	// tree was fitted to.
	Scores, Residuals, Curvatures []float64
}

// newton is the step Σ w·residual / Σ w·curvature, or 0 where the sum of the
// curvatures is as good as 0.
func (l Leaf) newton() float64 {
	r, c := 0.0, 0.0
	for i, w := range l.W {
		r += float64(w * l.Residuals[i])
		c += float64(w * l.Curvatures[i])
	}
	if c < 1e-150 {
		return 0
	}
	return r / c
}

// errors returns the distances from the scores to the targets.
func (l Leaf) errors() []float64 {
	e := make([]float64, len(l.Y))
	for i, y := range l.Y {
		e[i] = y - l.Scores[i]
	}
	return e
}

// Squared is the loss (y-s)²/2. Its residual is y-s, and a leaf's step is the
// mean residual of its rows.
type Squared struct{}

// Outputs is 1 for regression.
func (Squared) Outputs(classes int) int { return forRegression(classes) }

// Start returns the weighted mean of y.
func (Squared) Start(y, w []float64, _ int) []float64 { return []float64{mean(y, w)} }

// Row returns (y-s)²/2.
func (Squared) Row(y float64, scores, residuals, curvatures []float64) float64 {
	e := y - scores[0]
	residuals[0], curvatures[0] = e, 1
	return e * e / 2
}

// Step returns the weighted mean residual.
func (Squared) Step(l Leaf) float64 { return l.newton() }

// Absolute is the loss |y-s|. Its residual is the sign of y-s, and a leaf's step
// the weighted median of y-s, so that outliers pull no harder than other rows.
type Absolute struct{}

// Outputs is 1 for regression.
func (Absolute) Outputs(classes int) int { return forRegression(classes) }

// Start returns the weighted median of y.
func (Absolute) Start(y, w []float64, _ int) []float64 { return []float64{quantile(y, w, 0.5)} }

// Row returns |y-s|.
func (Absolute) Row(y float64, scores, residuals, curvatures []float64) float64 {
	e := y - scores[0]
	residuals[0], curvatures[0] = sign(e), 1
	return math.Abs(e)
}

// Step returns the weighted median of y-s.
func (Absolute) Step(l Leaf) float64 { return quantile(l.errors(), l.W, 0.5) }

func (Absolute) searches() {}

// Huber is squared near the target and absolute far from it: with e = y-s it is
// e²/2 where |e| <= Delta, and else Delta·(|e|-Delta/2).
type Huber struct {
	// Delta is where the loss stops being squared. 0 means the Quantile of |e|
	// over the training rows, taken anew before each round (Friedman, 2001,
	// algorithm 4). Histories and early stopping judge all rounds by the first
	// of these, because the loss falls with Delta even where no error falls.
	Delta float64
	// Quantile is the quantile for a Delta of 0, and an error with another Delta;
	// 0 means 0.9.
	Quantile float64
}

// Outputs is 1 for regression.
func (Huber) Outputs(classes int) int { return forRegression(classes) }

// Start returns the weighted median of y.
func (Huber) Start(y, w []float64, _ int) []float64 { return []float64{quantile(y, w, 0.5)} }

// Row returns the loss above. Where Delta is 0 it returns 0, because Delta has
// to be found first; the configurations do that.
func (h Huber) Row(y float64, scores, residuals, curvatures []float64) float64 {
	e := y - scores[0]
	residuals[0], curvatures[0] = max(-h.Delta, min(h.Delta, e)), 1
	if a := math.Abs(e); a > h.Delta {
		return h.Delta * (a - float64(h.Delta/2))
	}
	return e * e / 2
}

// Step returns the weighted median m of e = y-s plus the mean of e-m, cut off at
// ±Delta: one step of the search for the minimum.
func (h Huber) Step(l Leaf) float64 {
	e := l.errors()
	m := quantile(e, l.W, 0.5)
	for i := range e {
		e[i] = max(-h.Delta, min(h.Delta, e[i]-m))
	}
	return m + mean(e, l.W)
}

func (Huber) searches() {}

// check refuses settings out of range.
func (h Huber) check() error {
	if !(h.Delta >= 0) || math.IsInf(h.Delta, 1) {
		return configError("Huber.Delta is %v; it is finite and not negative", h.Delta)
	}
	if !(h.Quantile >= 0 && h.Quantile < 1) {
		return configError("Huber.Quantile is %v; it is a share above 0 and below 1", h.Quantile)
	}
	if h.Delta > 0 && h.Quantile > 0 {
		return configError("Huber has both Delta and Quantile; choose one")
	}
	return nil
}

// at returns the loss with Delta found, given y and the scores of the rows.
func (h Huber) at(y, w, scores []float64) Loss {
	if h.Delta > 0 {
		return h
	}
	e := Leaf{Y: y, Scores: scores}.errors()
	for i := range e {
		e[i] = math.Abs(e[i])
	}
	q := h.Quantile
	if q == 0 {
		q = 0.9
	}
	return Huber{Delta: quantile(e, w, q)}
}

// Logistic is the loss of two classes, the binomial deviance log(1+exp(s)) - y·s,
// where the score s is the log odds of class 1, and p = 1/(1+exp(-s)) its
// probability. The residual is y-p, the curvature p·(1-p).
type Logistic struct{}

// Outputs is 1 for two classes.
func (Logistic) Outputs(classes int) int {
	if classes == 2 {
		return 1
	}
	return 0
}

// Start returns the log odds of class 1. Its share is kept at least 2^-52 away
// from 0 and 1.
func (Logistic) Start(y, w []float64, _ int) []float64 {
	p := inside(mean(y, w))
	return []float64{elementary.Log(p / (1 - p))}
}

// Row returns log(1+exp(s)) - y·s.
func (l Logistic) Row(y float64, scores, residuals, curvatures []float64) float64 {
	return l.rows([]float64{y}, []float64{1}, scores, residuals, curvatures)
}

// Step returns the Newton step Σ(y-p) / Σ p·(1-p).
func (Logistic) Step(l Leaf) float64 { return l.newton() }

// Softmax is the loss of K classes, -log p of the row's class, where the
// probabilities p are exp(s_k) of the K scores, scaled to sum to 1. The residual
// of score k is 1-p_k for the row's class and -p_k for others, the curvature
// p_k·(1-p_k).
type Softmax struct{}

// Outputs is K.
func (Softmax) Outputs(classes int) int { return classes }

// Start returns the logarithms of the classes' shares. The share of a class
// without rows counts as 2^-52.
func (Softmax) Start(y, w []float64, classes int) []float64 {
	share, all := make([]float64, classes), 0.0
	for i, c := range y {
		share[int(c)] += w[i]
		all += w[i]
	}
	for k := range share {
		share[k] = elementary.Log(inside(share[k] / all))
	}
	return share
}

// Row returns -log p of class y.
func (l Softmax) Row(y float64, scores, residuals, curvatures []float64) float64 {
	return l.rows([]float64{y}, []float64{1}, scores, residuals, curvatures)
}

// Step returns (K-1)/K times the Newton step, as in Friedman (2001), algorithm 6. K
// counts the classes that occur, so that others change nothing.
func (Softmax) Step(l Leaf) float64 {
	k := float64(cmp.Or(l.Classes, l.Outputs))
	return l.newton() * ((k - 1) / k)
}

func forRegression(classes int) int {
	if classes == 0 {
		return 1
	}
	return 0
}

// inside moves a probability at least 2^-52 away from 0 and 1.
func inside(p float64) float64 {
	const least = 0x1p-52
	return max(least, min(1-least, p))
}

func sign(v float64) float64 {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}

func mean(v, w []float64) float64 {
	sum, all := 0.0, 0.0
	for i, x := range v {
		sum += float64(w[i] * x)
		all += w[i]
	}
	return sum / all
}

// quantile returns the least value of v such that the values up to it have at
// least the share q of the weight: scikit-learn's weighted percentile.
func quantile(v, w []float64, q float64) float64 {
	order := make([]int, len(v))
	all := 0.0
	for i := range order {
		order[i] = i
		all += w[i]
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(v[a], v[b]), cmp.Compare(a, b)) })
	below := 0.0
	for _, i := range order {
		below += w[i]
		if below >= q*all && w[i] > 0 {
			return v[i]
		}
	}
	return v[order[len(order)-1]]
}

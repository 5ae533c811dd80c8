package neural

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// largeFeature is the root mean square from which on a column is worth a remark.
const largeFeature = 20

// scaleAdvice remarks on the column that most needs scaling, if one does.
func scaleAdvice(in *input) []string {
	squares := make([]float64, in.d)
	for i := range in.n {
		if in.sparse() {
			columns, values := in.nonZeros(i)
			for k, j := range columns {
				squares[j] += float64(values[k] * values[k])
			}
			continue
		}
		for j, v := range in.values[i*in.d : (i+1)*in.d] {
			squares[j] += float64(v * v)
		}
	}
	worst, large := 0, 0
	for j, s := range squares {
		if s > largeFeature*largeFeature*float64(in.n) {
			large++
		}
		if s > squares[worst] {
			worst = j
		}
	}
	if large == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d features are large, column %d most with a root mean square of %.3g; a network learns best from features with a standard deviation near 1",
		large, in.d, worst, math.Sqrt(squares[worst]/float64(in.n)))}
}

// worse is how many times the loss before the first step, or that of an answer
// that is the same for all rows, shows that training has done harm.
const worse = 1.5

// outcomeAdvice remarks on a training that has ended without having learnt. A
// classifier's loss is bounded, so that its divergence need not overflow.
func (tr *training) outcomeAdvice(t targets) []string {
	e := tr.history[tr.bestEpoch-1].Train
	if tr.net.loss == Squared {
		if size := math.Sqrt(kernel.SumSquares(t.values) / float64(len(t.values))); size > largeFeature && e.Score <= 0 {
			return []string{fmt.Sprintf("the training rows have an R² of %.3g, no better than one answer for all of them, and their targets a root mean square of %.3g; a network learns best from targets with a standard deviation near 1", e.Score, size)}
		}
	}
	bar := tr.firstLoss
	if tr.net.loss == CrossEntropy {
		bar = max(bar, elementary.Log(float64(max(t.outputs, 2))))
	}
	if e.Loss > worse*bar && (tr.net.loss == CrossEntropy || e.Score < 0) {
		return []string{fmt.Sprintf("training has made the loss larger, %.3g instead of %.3g before the first step; lower LearningRate (%v) or scale the features", e.Loss, tr.firstLoss, tr.cfg.LearningRate)}
	}
	return nil
}

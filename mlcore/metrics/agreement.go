package metrics

import (
	"fmt"
	"math"
)

// CohenKappa is the agreement of truth and prediction beyond what chance gives
// with the same class totals (Cohen 1960, "A coefficient of agreement for nominal
// scales"): 1 is perfect, 0 is chance. It is undefined where both are one and the
// same class throughout.
func (m *ConfusionMatrix) CohenKappa() float64 {
	return m.kappa(func(i, j int) float64 {
		if i == j {
			return 0
		}
		return 1
	})
}

// KappaWeights says how much worse a disagreement is between classes that are
// further apart.
type KappaWeights int

const (
	// LinearWeights count a disagreement of classes i and j as |i-j|.
	LinearWeights KappaWeights = iota
	// QuadraticWeights count it as (i-j)².
	QuadraticWeights
)

// WeightedKappa is Cohen's kappa for ordered classes, whose codes follow the order
// (Cohen 1968, "Weighted kappa"). It panics if weights is neither of the two.
func (m *ConfusionMatrix) WeightedKappa(weights KappaWeights) float64 {
	return m.kappa(func(i, j int) float64 {
		d := math.Abs(float64(i - j))
		switch weights {
		case LinearWeights:
			return d
		case QuadraticWeights:
			return d * d
		}
		panic(fmt.Sprintf("metrics: KappaWeights %d", weights))
	})
}

func (m *ConfusionMatrix) kappa(disagreement func(i, j int) float64) float64 {
	m = m.inUnits()
	observed, expected := 0.0, 0.0
	for i := range m.classes {
		for j := range m.classes {
			d := disagreement(i, j)
			observed += float64(d * m.row(i)[j])
			expected += float64(d * m.truth[i] * (m.predicted[j] / m.total))
		}
	}
	if expected == 0 {
		return math.NaN()
	}
	return 1 - observed/expected
}

// Matthews is Matthews' correlation coefficient of truth and prediction, -1 to 1
// for two classes (Matthews 1975), and Gorodkin's R_K for more (2004, "Comparing
// two K-category assignments by a K-category correlation coefficient"). It is
// undefined where the truth or the prediction is one class throughout;
// scikit-learn puts 0.
func (m *ConfusionMatrix) Matthews() float64 {
	m = m.inUnits()
	covariance, varTruth, varPredicted := 0.0, 0.0, 0.0
	negatives := m.trueNegatives()
	for i := range m.classes {
		// Σ TP TN - FP FN is c s - Σ t_k p_k, and the next two s² - Σ t_k² and
		// s² - Σ p_k², without their cancellation: exactly 0 for one class.
		covariance += float64(m.TP(i)*negatives[i]) - float64(m.FP(i)*m.FN(i))
		for j := range m.classes {
			if i != j {
				varTruth += float64(m.truth[i] * m.truth[j])
				varPredicted += float64(m.predicted[i] * m.predicted[j])
			}
		}
	}
	if varTruth == 0 || varPredicted == 0 {
		return math.NaN()
	}
	if product := varTruth * varPredicted; product > 0x1p-1000 {
		return covariance / math.Sqrt(product)
	}
	return covariance / math.Sqrt(varTruth) / math.Sqrt(varPredicted)
}

// trueNegatives is TN of every class. Sums from either end of each row leave the
// class out, where one TN after the other would take K³ steps.
func (m *ConfusionMatrix) trueNegatives() []float64 {
	tn := make([]float64, m.classes)
	for t := range m.classes {
		row := m.row(t)
		before, after := 0.0, 0.0
		for k := range row {
			back := m.classes - 1 - k
			if k != t {
				tn[k] += before
			}
			if back != t {
				tn[back] += after
			}
			before += row[k]
			after += row[back]
		}
	}
	return tn
}

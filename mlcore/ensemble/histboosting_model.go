package ensemble

import (
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/histtree"
)

// A HistBoosting is a fitted classifier of gradient boosting on histograms. It
// is immutable and safe for concurrent use.
type HistBoosting struct {
	boostedClassifier[*histtree.Tree]
}

// A HistBoostingRegressor is a fitted regressor of gradient boosting on
// histograms. It is immutable and safe for concurrent use.
type HistBoostingRegressor struct {
	boostedRegressor[*histtree.Tree]
}

var (
	_ mlcore.ProbClassifier = (*HistBoosting)(nil)
	_ mlcore.Regressor      = (*HistBoostingRegressor)(nil)
)

// Gains returns for each column the sum of the gains of its splits.
func (m *HistBoosting) Gains() []float64 { return gains(&m.boosted) }

// Gains returns for each column the sum of the gains of its splits.
func (m *HistBoostingRegressor) Gains() []float64 { return gains(&m.boosted) }

// SplitCounts returns for each column how many splits test it.
func (m *HistBoosting) SplitCounts() []int { return splitCounts(&m.boosted) }

// SplitCounts returns for each column how many splits test it.
func (m *HistBoostingRegressor) SplitCounts() []int { return splitCounts(&m.boosted) }

// FeatureImportances returns each column's share of all gains; the shares sum to
// 1, or are all 0 where no tree has a split.
func (m *HistBoosting) FeatureImportances() []float64 { return shares(m.Gains()) }

// FeatureImportances returns each column's share of all gains; the shares sum to
// 1, or are all 0 where no tree has a split.
func (m *HistBoostingRegressor) FeatureImportances() []float64 { return shares(m.Gains()) }

func gains(m *boosted[*histtree.Tree]) []float64 {
	sum := make([]float64, m.features)
	for _, t := range m.trees {
		t.Splits(func(column int, gain float64) { sum[column] += gain })
	}
	return sum
}

func splitCounts(m *boosted[*histtree.Tree]) []int {
	count := make([]int, m.features)
	for _, t := range m.trees {
		t.Splits(func(column int, _ float64) { count[column]++ })
	}
	return count
}

func shares(v []float64) []float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	if sum > 0 {
		for j := range v {
			v[j] /= sum
		}
	}
	return v
}

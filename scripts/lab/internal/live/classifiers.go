package live

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/neural"
	"github.com/mllabs-go/mllabs/mlcore/svm"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/floats"
)

func neighborsFigure(r Request) (*Answer, error) {
	ds, err := r.classified()
	if err != nil {
		return nil, err
	}
	s := r.Settings
	cfg := neighbors.Config{Neighbors: min(s.Neighbors, ds.Len())}
	if cfg.Metric, err = choose("metric", s.Metric, []string{"euclidean", "manhattan", "chebyshev"},
		[]neighbors.Metric{neighbors.Euclidean, neighbors.Manhattan, neighbors.Chebyshev}); err != nil {
		return nil, err
	}
	if cfg.Weights, err = choose("weights", s.Weights, []string{"uniform", "distance", "gaussian"},
		[]neighbors.Weights{neighbors.Uniform, neighbors.InverseDistance, neighbors.Gaussian}); err != nil {
		return nil, err
	}
	m, err := cfg.FitClassifier(ds)
	if err != nil {
		return nil, err
	}
	return r.classMap(ds, m.Predict)
}

// treeConfig are the settings of a tree of classes that learns from n points: points can be
// removed until there are fewer than a leaf is to have.
func (s Settings) treeConfig(n int) (tree.Config, error) {
	cfg := tree.Config{MaxDepth: s.MaxDepth, MinSamplesLeaf: min(s.MinSamplesLeaf, n)}
	var err error
	if cfg.Rule, err = choose("rule", s.Rule, []string{"at-most", "at-least"}, []tree.Rule{tree.AtMost, tree.AtLeast}); err != nil {
		return cfg, err
	}
	cfg.Criterion, err = choose("criterion", s.Criterion, []string{"gini", "entropy", "misclassification"},
		[]tree.Criterion{tree.Gini, tree.Entropy, tree.Misclassification})
	return cfg, err
}

// forTrees is the data of a figure whose points have classes, and the tree to grow on them.
func (r Request) forTrees() (*mlcore.Dataset, tree.Config, error) {
	ds, err := r.classified()
	if err != nil {
		return nil, tree.Config{}, err
	}
	cfg, err := r.Settings.treeConfig(ds.Len())
	return ds, cfg, err
}

func treeFigure(r Request) (*Answer, error) {
	ds, cfg, err := r.forTrees()
	if err != nil {
		return nil, err
	}
	m, err := cfg.FitClassifier(ds)
	if err != nil {
		return nil, err
	}
	full := m.NumLeaves()
	if r.Settings.Alpha > 0 {
		if m, err = m.Prune(r.Settings.Alpha); err != nil {
			return nil, err
		}
	}
	a, err := r.classMap(ds, m.Predict)
	if err != nil {
		return nil, err
	}
	a.fact("depth", fmt.Sprint(m.Depth()))
	leaves := fmt.Sprint(m.NumLeaves())
	if m.NumLeaves() < full {
		leaves += fmt.Sprintf(", before pruning %d", full)
	}
	a.fact("leaves", leaves)
	return a, nil
}

func forestFigure(r Request) (*Answer, error) {
	ds, cfg, err := r.forTrees()
	if err != nil {
		return nil, err
	}
	forest := ensemble.ForestConfig{Estimators: r.Settings.Estimators, Tree: cfg, Seed: r.Settings.Seed, OutOfBag: true}
	if forest.Voting, err = choose("voting", r.Settings.Voting, []string{"soft", "hard"}, []ensemble.VotingRule{ensemble.SoftVoting, ensemble.HardVoting}); err != nil {
		return nil, err
	}
	if forest.MaxFeatures, err = choose("maxFeatures", r.Settings.MaxFeatures, []string{"sqrt", "all"}, []int{tree.SqrtFeatures, tree.AllFeatures}); err != nil {
		return nil, err
	}
	m, err := forest.FitClassifier(ds)
	if err != nil {
		return nil, err
	}
	a, err := r.classMap(ds, m.Predict)
	if err != nil {
		return nil, err
	}
	if score := m.OutOfBag().Score; !math.IsNaN(score) {
		a.fact("out-of-bag error", fmt.Sprintf("%.1f%%", 100*(1-score)))
	}
	return a, nil
}

// adaBoostFigure shows the ensemble after some rounds, and the weights with which the next
// round would learn.
func adaBoostFigure(r Request) (*Answer, error) {
	ds, err := r.classified()
	if err != nil {
		return nil, err
	}
	stump, err := r.Settings.treeConfig(ds.Len())
	if err != nil {
		return nil, err
	}
	stump.MaxDepth = max(stump.MaxDepth, 1)
	cfg := ensemble.AdaBoostConfig{Estimators: max(r.Settings.Rounds, 1), Tree: stump}
	m, err := cfg.FitClassifier(ds)
	if err != nil {
		return nil, err
	}
	a, err := r.classMap(ds, m.Predict)
	if err != nil {
		return nil, err
	}
	if a.Sizes, err = boosted(ds, m); err != nil {
		return nil, err
	}
	last := len(m.Alphas()) - 1
	a.Done = last+1 < cfg.Estimators
	a.fact("round", fmt.Sprint(last+1))
	a.fact("its error", fmt.Sprintf("%.3f", m.Errors()[last]))
	a.fact("its alpha", fmt.Sprintf("%.2f", m.Alphas()[last]))
	return a, nil
}

// boosted are the weights of the rows after the last round, with mean 1: a round multiplies
// those of the rows that it gets wrong by exp(alpha).
func boosted(ds *mlcore.Dataset, m *ensemble.AdaBoost) ([]float64, error) {
	w, alphas := slices.Repeat([]float64{1}, ds.Len()), m.Alphas()
	for k, member := range m.Members() {
		classes, err := member.Predict(ds.X)
		if err != nil {
			return nil, err
		}
		for i := range w {
			if classes[i] != ds.Y[i] {
				w[i] *= math.Exp(alphas[k])
			}
		}
		floats.Scale(float64(len(w))/floats.Sum(w), w) // before they become too large
	}
	return w, nil
}

func svmFigure(r Request) (*Answer, error) {
	ds, err := r.classified()
	if err != nil {
		return nil, err
	}
	m, err := svm.Config{C: r.Settings.C, Kernel: svm.RBF{Gamma: r.Settings.Gamma}}.FitClassifier(ds)
	if err != nil {
		return nil, err
	}
	a, err := r.classMap(ds, m.Predict)
	if err != nil {
		return nil, err
	}
	a.Rings = m.Support()
	a.fact("support vectors", fmt.Sprint(len(a.Rings)))
	return a, nil
}

// networkFigure shows a network after some epochs. It trains from the start each time, so
// that the same settings give the same map.
func networkFigure(r Request) (*Answer, error) {
	ds, err := r.classified()
	if err != nil {
		return nil, err
	}
	s := r.Settings
	cfg := neural.Config{Hidden: slices.Repeat([]int{max(s.Hidden, 1)}, s.Layers), BatchSize: min(20, ds.Len()), Epochs: max(s.Epochs, 1), LearningRate: s.LearningRate, Seed: s.Seed}
	m, err := cfg.FitClassifier(ds)
	if err != nil {
		return nil, err
	}
	a, err := r.classMap(ds, m.Predict)
	if err != nil {
		return nil, err
	}
	h := m.History()
	a.fact("epoch", fmt.Sprint(len(h)))
	a.fact("loss", fmt.Sprintf("%.3f", h[len(h)-1].Train.Loss))
	return a, nil
}

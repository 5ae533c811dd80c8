package uci

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// A candidate is a learner that may be chosen.
type candidate struct {
	Name  string
	Learn mlcore.ClassifierLearner
}

// A family is an algorithm with the settings that may be chosen for it, within the training
// rows.
type family struct {
	Name string
	// Row is the row of Table 2 that the family belongs to, "" for gradient boosting.
	Row Algorithm
	// Report is true for the report's form of the algorithm.
	Report  bool
	Choices []candidate
	// numbers is true where the family is to see numbers, if the set has them.
	numbers bool
}

// familiesOf lists the report's six algorithms, whose free settings are to be chosen, then wider
// forms of the same six ideas, and gradient boosting.
func familiesOf(s Set, seed uint64) ([]family, error) {
	report, err := reportFamilies(s, seed)
	if err != nil {
		return nil, err
	}
	return append(report, widerFamilies(s, seed)...), nil
}

// reportFamilies are the report's algorithms. What it leaves open is a list to choose from,
// and AdaBoost chooses its rounds itself.
func reportFamilies(s Set, seed uint64) ([]family, error) {
	knn := KNNHamming
	if s.HasNumbers() {
		knn = KNNSquared
	}
	attributes := map[Set][]int{Car: {2, 3, 4, 5, 6}, Breast: {1, 2, 3, 5, 7}, Ecoli: {2, 3, 4, 5, 6, 7}, Mushroom: {2, 4, 8, 12, 16}, Letter: {2, 3, 4, 6, 8}}[s]
	families := []family{
		{Name: "ID3", Row: ID3}, {Name: "forest", Row: RandomForest}, {Name: "stumps", Row: AdaBoost},
		{Name: "naive Bayes", Row: NaiveBayes}, {Name: "bagged NB", Row: BaggedNaiveBayes},
		{Name: "k-NN", Row: KNN, numbers: true},
	}
	for i := range families {
		f := &families[i]
		f.Report = true
		add := func(a Algorithm, name string, change func(c *Settings)) error {
			c := DefaultSettings(s)
			c.Trees, c.RoundsByCV, c.Rounds = 30, true, 100
			change(&c)
			learn, err := c.Learner(a, seed)
			f.Choices = append(f.Choices, candidate{name, learn})
			return err
		}
		var err error
		switch f.Row {
		case RandomForest:
			for _, m := range attributes {
				err = add(f.Row, fmt.Sprintf("%d attributes", m), func(c *Settings) { c.TreeAttributes = m })
			}
		case BaggedNaiveBayes:
			for _, share := range []float64{0.1, 1. / 3, 2. / 3, 0.9} {
				err = add(f.Row, fmt.Sprintf("bags of %.2g", share), func(c *Settings) { c.BagShare = share })
			}
		case KNN:
			for _, k := range []int{1, 3, 5, 9, 15, 25} {
				err = add(knn, fmt.Sprintf("k = %d", k), func(c *Settings) { c.Neighbours = k })
			}
		default:
			err = add(f.Row, "as it is", func(*Settings) {})
		}
		if err != nil {
			return nil, err
		}
	}
	return families, nil
}

// widerFamilies may ask whether one value is above another, grow deeper, smooth less and
// weigh neighbours.
func widerFamilies(s Set, seed uint64) []family {
	var trees, forests, boosted, nearest, gradient []candidate
	for _, leaf := range []int{1, 3, 10, 20} {
		trees = append(trees, ordered(tree.Config{MinSamplesLeaf: leaf}.FitClassifier, "leaves of %d", leaf))
	}
	for _, m := range []int{1, 2, 4, 6} {
		forests = append(forests, ordered(ensemble.ForestConfig{Estimators: 50, MaxFeatures: m, Seed: seed, Workers: 1}.FitClassifier, "%d attributes a question", m))
	}
	for _, depth := range []int{1, 4, 8, 12, 20} {
		boosted = append(boosted, ordered(ensemble.AdaBoostConfig{Estimators: 30, Tree: tree.Config{MaxDepth: depth}}.FitClassifier, "depth %d", depth))
	}
	for _, k := range []int{1, 3, 5, 9, 15, 25} {
		nearest = append(nearest, ordered(neighbors.Config{Neighbors: k, Metric: neighbors.Manhattan, Weights: neighbors.InverseDistance, Workers: 1}.FitClassifier, "k = %d", k))
	}
	for _, leaf := range []int{2, 5, 20, 60, 120} {
		gradient = append(gradient, ordered(ensemble.HistBoostingConfig{Estimators: 40, LearningRate: 0.2, MinSamplesLeaf: leaf, Workers: 1}.FitClassifier, "leaves of %d", leaf))
	}
	naive := bayesian(s)
	var bags []candidate
	for _, c := range naive {
		bags = append(bags, choice(ensemble.BaggingConfig{Estimators: 15, Learner: c.Learn, Seed: seed, Workers: 1}.FitClassifier, "%s", c.Name))
	}
	return []family{
		{Name: "tree +", Row: ID3, Choices: trees, numbers: true}, {Name: "forest +", Row: RandomForest, Choices: forests, numbers: true},
		{Name: "boosted trees", Row: AdaBoost, Choices: boosted, numbers: true}, {Name: "naive Bayes +", Row: NaiveBayes, Choices: naive, numbers: s == Ecoli},
		{Name: "bagged NB +", Row: BaggedNaiveBayes, Choices: bags, numbers: s == Ecoli}, {Name: "k-NN +", Row: KNN, Choices: nearest, numbers: true},
		{Name: "gradient boosting", Choices: gradient, numbers: true},
	}
}

// bayesian are the forms of naive Bayes: normal densities for Ecoli's numbers, else other
// smoothing.
func bayesian(s Set) (list []candidate) {
	if s == Ecoli {
		for _, v := range []float64{1e-9, 1e-3, 1e-2, 1e-1, 1} {
			list = append(list, ordered(bayes.GaussianConfig{VarSmoothing: v}.FitClassifier, "normal + %g", v))
		}
		return list
	}
	for _, alpha := range []float64{1, 0.1, 0.01, 1e-3, 1e-4, 1e-6, 1e-8, 1e-10} { // of equals the first, which smooths most, is chosen
		list = append(list, choice(bayes.CategoricalConfig{Smoothing: bayes.Lidstone(alpha), Workers: 1}.FitClassifier, "count + %g", alpha))
	}
	return list
}

func choice[M mlcore.Classifier](train func(*mlcore.Dataset) (M, error), name string, v ...any) candidate {
	return candidate{fmt.Sprintf(name, v...), mlcore.LearnClassifier(train)}
}

// ordered is a choice that takes the codes of categories for numbers, so that a tree may ask
// whether one value is above another.
func ordered[M mlcore.Classifier](train func(*mlcore.Dataset) (M, error), name string, v ...any) candidate {
	return choice(func(ds *mlcore.Dataset) (M, error) { return train(codesAsNumbers(ds)) }, name, v...)
}

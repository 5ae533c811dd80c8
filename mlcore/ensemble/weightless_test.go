package ensemble_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
)

// fewWeighted returns 100 rows of which only every twentieth has weight.
func fewWeighted() (X *mat.Dense, y []int, targets, w []float64) {
	r := rand.New(rand.NewPCG(9, 1))
	X = mat.NewDense(100, 2, nil)
	w = make([]float64, 100)
	for i := range 100 {
		X.SetRow(i, []float64{r.NormFloat64(), r.NormFloat64()})
		y = append(y, i/20%2)
		targets = append(targets, float64(i))
	}
	for i := 0; i < 100; i += 20 {
		w[i] = 1
	}
	return X, y, targets, w
}

// TestSamplesHaveWeight: no draw of rows may consist of rows of weight 0, so with
// any seed there is a model, and it is that of the weighted rows alone (the
// documented meaning of weight 0).
func TestSamplesHaveWeight(t *testing.T) {
	X, y, targets, w := fewWeighted()
	var rows []int
	for i := range w {
		if w[i] > 0 {
			rows = append(rows, i)
		}
	}
	alone := mat.NewDense(len(rows), 2, nil)
	aloneY, aloneTargets := make([]int, len(rows)), make([]float64, len(rows))
	for k, i := range rows {
		alone.SetRow(k, X.RawRowView(i))
		aloneY[k], aloneTargets[k] = y[i], targets[i]
	}
	for seed := range uint64(3) {
		forest := ensemble.ForestConfig{Estimators: 100, Seed: seed}
		share := ensemble.ForestConfig{Estimators: 100, Seed: seed, Sampling: ensemble.WithoutReplacement, Subsample: 0.4}
		boost := ensemble.GradientBoostingConfig{Estimators: 5, Seed: seed, ValidationFraction: 0.2}
		hist := ensemble.HistBoostingConfig{Estimators: 5, Seed: seed, ValidationFraction: 0.2, MinSamplesLeaf: 1}
		for name, fit := range map[string]mlcore.ClassifierLearner{
			"forest":             mlcore.LearnClassifier(forest.FitClassifier),
			"forest of shares":   mlcore.LearnClassifier(share.FitClassifier),
			"boosting":           mlcore.LearnClassifier(boost.FitClassifier),
			"histogram boosting": mlcore.LearnClassifier(hist.FitClassifier),
		} {
			got, err := fit(mlcore.FromMatrix(X, y, w))
			if err != nil {
				t.Errorf("%s, seed %d: %v", name, seed, err)
				continue
			}
			want, err := fit(mlcore.FromMatrix(alone, aloneY, nil))
			if err != nil {
				t.Fatal(err)
			}
			a, _ := got.(mlcore.ProbClassifier).PredictProba(X)
			b, _ := want.(mlcore.ProbClassifier).PredictProba(X)
			if !mat.Equal(a, b) {
				t.Errorf("%s, seed %d: rows of weight 0 change the model", name, seed)
			}
		}
		for name, fit := range map[string]mlcore.RegressorLearner{
			"forest":   mlcore.LearnRegressor(forest.FitRegressor),
			"boosting": mlcore.LearnRegressor(boost.FitRegressor),
		} {
			got, err := fit(mlcore.FromMatrix(X, targets, w))
			if err != nil {
				t.Errorf("regression %s, seed %d: %v", name, seed, err)
				continue
			}
			want, err := fit(mlcore.FromMatrix(alone, aloneTargets, nil))
			if err != nil {
				t.Fatal(err)
			}
			a, _ := got.Predict(X)
			b, _ := want.Predict(X)
			for i := range a {
				if a[i] != b[i] {
					t.Errorf("regression %s, seed %d: rows of weight 0 change the model", name, seed)
					break
				}
			}
		}
	}
}

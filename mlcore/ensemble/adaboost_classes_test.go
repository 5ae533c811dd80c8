package ensemble_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// TestAdaBoostCountsTheClassesThatOccur: the oracle is scikit-learn 1.9.1,
//
//	AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=8)
//
// whose number of classes is that of the labels seen.
func TestAdaBoostCountsTheClassesThatOccur(t *testing.T) {
	const n = 60
	for _, test := range []struct {
		codes  []int
		alphas []float64
		score  float64
		proba  map[int][]float64
	}{
		{
			[]int{1, 4},
			[]float64{1.285198244248522, 1.2459370034249684, 0.7449722484245306, 0.5378542961539099, 0.6359887667199962, 0.8423407848192702, 0.952227721789825, 0.6975236580678396},
			0.9,
			map[int][]float64{0: {0, 0.8102025880874444, 0, 0, 0.18979741191255553}, 7: {0, 0.5142590200001226, 0, 0, 0.48574097999987736}},
		},
		{
			[]int{1, 3, 6},
			[]float64{2.717528945056754, 1.9897640042839697, 1.6402084637357133, 1.3946048316543627, 1.7505057683665415, 1.3407022245538132, 2.0099118213502054, 1.7829200969348857},
			0.95,
			map[int][]float64{0: {0, 0.38813904910283825, 0, 0.3562797928418867, 0, 0, 0.25558115805527515}, 7: {0, 0.3568463108560562, 0, 0.3875602115176565, 0, 0, 0.25559347762628715}},
		},
	} {
		X, y, w := mat.NewDense(n, 2, nil), make([]int, n), make([]float64, n)
		k := len(test.codes)
		for i := range n {
			a, b := float64(i*37%61)/61, float64(i*23%59)/59
			X.SetRow(i, []float64{a, b})
			y[i] = test.codes[int(float64(k)*((a+0.7*b+float64(i*31%17)/17*0.8)/2.5))%k]
			w[i] = 2
		}
		base := tree.Config{MaxDepth: 1}
		for name, cfg := range map[string]ensemble.AdaBoostConfig{
			"trees":   {Estimators: 8, Tree: base},
			"learner": {Estimators: 8, Learner: mlcore.LearnClassifier(base.FitClassifier)},
		} {
			m, err := cfg.FitClassifier(mlcore.FromMatrix(X, y, w))
			if err != nil {
				t.Fatal(err)
			}
			if m.NumClasses() != test.codes[k-1]+1 {
				t.Errorf("%s, labels %v: %d classes; codes keep their meaning", name, test.codes, m.NumClasses())
			}
			if got := m.Alphas(); len(got) != 8 {
				t.Errorf("%s, labels %v: %d members, want 8", name, test.codes, len(got))
			} else {
				for i, a := range got {
					if math.Abs(a-test.alphas[i]) > 1e-9 {
						t.Errorf("%s, labels %v: alpha %d is %v, want %v", name, test.codes, i, a, test.alphas[i])
					}
				}
			}
			guess, err := m.Predict(X)
			if err != nil {
				t.Fatal(err)
			}
			right := 0.0
			for i := range guess {
				if guess[i] == y[i] {
					right++
				}
			}
			if right/n != test.score {
				t.Errorf("%s, labels %v: accuracy %v, want %v", name, test.codes, right/n, test.score)
			}
			proba, err := m.PredictProba(X)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range test.proba {
				for c, p := range proba.RawRowView(i) {
					if math.Abs(p-want[c]) > 1e-9 {
						t.Errorf("%s, labels %v: probability of class %d in row %d is %v, want %v", name, test.codes, c, i, p, want[c])
					}
				}
			}
		}
	}
}

// TestAdaBoostClassWithoutWeight: a class whose rows all have weight 0 does not
// occur. By hand: of the other two, one round with error e = 1/4 gives
// alpha = log 3, for log(K-1) is 0.
func TestAdaBoostClassWithoutWeight(t *testing.T) {
	X := mat.NewDense(6, 1, []float64{1, 2, 2, 3, 4, 5})
	y := []int{0, 0, 2, 2, 1, 1}
	m, err := ensemble.AdaBoostConfig{Estimators: 1}.FitClassifier(mlcore.FromMatrix(X, y, []float64{1, 1, 1, 1, 0, 0}))
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Alphas()[0]; math.Abs(got-math.Log(3)) > 1e-15 {
		t.Errorf("alpha %v, want log 3", got)
	}
}

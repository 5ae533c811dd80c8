package ensemble_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/internal/fixture"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// boostingCase is made-up data and the scores that scikit-learn's models give
// its queries.
type boostingCase struct {
	Name       string
	Classes    int
	Levels     []int
	X, Queries [][]*float64 // null: missing
	Y, W       []float64
	// First and Last are the scores, or predictions, after the first and the
	// last round.
	First, Last         [][]float64
	Losses, Importances []float64
	Settings            struct {
		Rounds           int     `json:"n_estimators"`
		MaxIter          int     `json:"max_iter"`
		MaxDepth         int     `json:"max_depth"`
		MinLeaf          int     `json:"min_samples_leaf"`
		MaxLeaves        int     `json:"max_leaf_nodes"`
		LearningRate     float64 `json:"learning_rate"`
		L2               float64 `json:"l2_regularization"`
		Loss             string
		Alpha            float64
		Monotone         []int   `json:"monotonic_cst"`
		LightLeaves      int     `json:"num_leaves"`
		LightL1          float64 `json:"lambda_l1"`
		LightL2          float64 `json:"lambda_l2"`
		LightGain        float64 `json:"min_gain_to_split"`
		LightMinLeaf     int     `json:"min_data_in_leaf"`
		LightMinWeight   float64 `json:"min_sum_hessian_in_leaf"`
		ExtremeLeaves    int     `json:"max_leaves"`
		ExtremeMinWeight float64 `json:"min_child_weight"`
		ExtremeL2        float64 `json:"reg_lambda"`
		ExtremeMonotone  []int   `json:"monotone_constraints"`
		Grow             string  `json:"grow_policy"`
	}
}

// boostingFile is what scripts/oracles/ensemble_boosting.py writes.
type boostingFile struct {
	Exact, Hist, Light, Extreme []boostingCase
	Scores                      []struct {
		Set               string
		Rounds            int
		LightGBM, XGBoost float64
	}
}

func boostingAnswers(t *testing.T) *boostingFile {
	t.Helper()
	f := oracle.Load[boostingFile](t, "testdata/peers_boosting.json")
	if len(f.Exact) < 9 || len(f.Hist) < 8 || len(f.Light) < 10 || len(f.Extreme) < 5 || len(f.Scores) < 3 {
		t.Fatalf("%d, %d, %d, %d and %d cases", len(f.Exact), len(f.Hist), len(f.Light), len(f.Extreme), len(f.Scores))
	}
	return &f
}

func holes(rows [][]*float64) *mat.Dense {
	X := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		for j, v := range row {
			X.Set(i, j, math.NaN())
			if v != nil {
				X.Set(i, j, *v)
			}
		}
	}
	return X
}

func labels(y []float64) []int {
	codes := make([]int, len(y))
	for i, v := range y {
		codes[i] = int(v)
	}
	return codes
}

func (c *boostingCase) loss() ensemble.Loss {
	switch c.Settings.Loss {
	case "absolute_error":
		return ensemble.Absolute{}
	case "huber":
		return ensemble.Huber{Quantile: c.Settings.Alpha}
	}
	return nil
}

// scores returns the final scores of the rows of Q.
func scores(t *testing.T, m any, Q *mat.Dense) [][]float64 {
	t.Helper()
	if r, ok := m.(mlcore.Regressor); ok {
		y, err := r.Predict(Q)
		if err != nil {
			t.Fatal(err)
		}
		return columnRows(y)
	}
	s, err := m.(interface {
		DecisionFunction(mat.Matrix) (*mat.Dense, error)
	}).DecisionFunction(Q)
	if err != nil {
		t.Fatal(err)
	}
	n, _ := s.Dims()
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = s.RawRowView(i)
	}
	return rows
}

func columnRows(y []float64) [][]float64 {
	rows := make([][]float64, len(y))
	for i := range y {
		rows[i] = y[i : i+1]
	}
	return rows
}

func compareRows(t *testing.T, what string, got, want [][]float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d rows, want %d", what, len(got), len(want))
	}
	for i := range want {
		compare(t, what, got[i], want[i], tol)
	}
}

func TestGradientBoostingAgainstScikitLearn(t *testing.T) {
	for _, c := range boostingAnswers(t).Exact {
		t.Run(c.Name, func(t *testing.T) {
			cfg := ensemble.GradientBoostingConfig{
				Loss: c.loss(), Estimators: c.Settings.Rounds, LearningRate: c.Settings.LearningRate,
				Tree: tree.Config{MaxDepth: c.Settings.MaxDepth, MinSamplesLeaf: c.Settings.MinLeaf},
			}
			X, Q := holes(c.X), holes(c.Queries)
			var last [][]float64
			var losses []float64
			if c.Classes > 0 {
				m, err := cfg.FitClassifier(mlcore.FromMatrix(X, labels(c.Y), c.W))
				if err != nil {
					t.Fatal(err)
				}
				last = scores(t, m, Q)
				losses = m.TrainingLoss()
				compare(t, "importance", m.FeatureImportances(), c.Importances, 1e-8)
			} else {
				m, err := cfg.FitRegressor(mlcore.FromMatrix(X, c.Y, c.W))
				if err != nil {
					t.Fatal(err)
				}
				stages, err := m.StagedPredict(Q)
				if err != nil {
					t.Fatal(err)
				}
				for round, y := range stages {
					if round == 1 {
						compareRows(t, "prediction after round 1", columnRows(y), c.First, 1e-8)
					}
				}
				last = scores(t, m, Q)
				losses = m.TrainingLoss()
				if c.Settings.Loss != "absolute_error" { // the residual of a row met exactly is 0 here, 1 there
					compare(t, "importance", m.FeatureImportances(), c.Importances, 1e-8)
				}
			}
			c.centre(last)
			compareRows(t, "score", last, c.Last, 1e-8)
			if c.Settings.Loss == "huber" {
				return // its loss after a round is told with the next round's delta, not the last's
			}
			// scikit-learn reports deviances: twice a squared or a binomial loss.
			for i := range losses {
				if c.Settings.Loss == "" && c.Classes <= 2 {
					losses[i] *= 2
				}
			}
			compare(t, "loss", losses, c.Losses, 1e-8)
		})
	}
}

// centre makes scores comparable: those of classes matter up to a constant, which
// scikit-learn chooses otherwise.
func (c *boostingCase) centre(scores [][]float64) {
	if c.Classes <= 2 {
		return
	}
	for _, rows := range [][][]float64{scores, c.Last} {
		for _, row := range rows {
			mean := 0.0
			for _, v := range row {
				mean += v / float64(len(row))
			}
			for k := range row {
				row[k] -= mean
			}
		}
	}
}

func (c *boostingCase) fitHist(t *testing.T, cfg ensemble.HistBoostingConfig) [][]float64 {
	t.Helper()
	X, Q := holes(c.X), holes(c.Queries)
	var m any
	var err error
	if c.Classes > 0 {
		m, err = cfg.FitClassifier(fixture.Levels(mlcore.FromMatrix(X, labels(c.Y), c.W), c.Levels))
	} else {
		m, err = cfg.FitRegressor(fixture.Levels(mlcore.FromMatrix(X, c.Y, c.W), c.Levels))
	}
	if err != nil {
		t.Fatal(err)
	}
	return scores(t, m, Q)
}

// The peers keep gradients of 24 bits, so agreement ends there.
const histTolerance = 2e-5

func TestHistBoostingAgainstScikitLearn(t *testing.T) {
	for _, c := range boostingAnswers(t).Hist {
		t.Run(c.Name, func(t *testing.T) {
			last := c.fitHist(t, ensemble.HistBoostingConfig{
				Loss: c.loss(), Estimators: c.Settings.MaxIter, MaxLeafNodes: c.Settings.MaxLeaves, MinSamplesLeaf: c.Settings.MinLeaf,
				L2: c.Settings.L2, AllowMissing: true,
			})
			c.centre(last)
			compareRows(t, "score", last, c.Last, histTolerance)
		})
	}
}

func TestHistBoostingAgainstLightGBM(t *testing.T) {
	for _, c := range boostingAnswers(t).Light {
		t.Run(c.Name, func(t *testing.T) {
			last := c.fitHist(t, ensemble.HistBoostingConfig{
				Estimators: c.Settings.MaxIter, LearningRate: c.Settings.LearningRate,
				MaxLeafNodes: c.Settings.LightLeaves, MaxDepth: c.Settings.MaxDepth,
				L1: c.Settings.LightL1, L2: c.Settings.LightL2, MinGain: c.Settings.LightGain,
				MinSamplesLeaf: c.Settings.LightMinLeaf, MinChildWeight: c.Settings.LightMinWeight, AllowMissing: true,
			})
			compareRows(t, "score", last, c.Last, histTolerance)
		})
	}
}

func TestHistBoostingAgainstXGBoost(t *testing.T) {
	for _, c := range boostingAnswers(t).Extreme {
		t.Run(c.Name, func(t *testing.T) {
			cfg := ensemble.HistBoostingConfig{
				Estimators: c.Settings.MaxIter, MaxLeafNodes: c.Settings.ExtremeLeaves, MaxDepth: c.Settings.MaxDepth,
				MinSamplesLeaf: 1, MinChildWeight: c.Settings.ExtremeMinWeight, L2: c.Settings.ExtremeL2, Monotone: c.Settings.ExtremeMonotone,
			}
			if c.Settings.Grow == "depthwise" {
				cfg.Growth = ensemble.DepthWise
			}
			compareRows(t, "score", c.fitHist(t, cfg), c.Last, histTolerance)
		})
	}
}

// TestHistBoostingBesideItsPeers asks that, with the same settings, a model is
// no worse on rows that it has not seen than those of LightGBM and XGBoost, but
// for 0.3 percentage points of accuracy, or 0.3 % of the root mean square error.
func TestHistBoostingBesideItsPeers(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds")
	}
	for _, s := range boostingAnswers(t).Scores {
		t.Run(s.Set, func(t *testing.T) {
			if s.Set == "hitters" {
				best := min(s.LightGBM, s.XGBoost)
				if got := foldError(t, datasetstest.Load(t, s.Set), s.Rounds); got > 1.003*best {
					t.Errorf("error %.2f, LightGBM has %.2f, XGBoost %.2f", got, s.LightGBM, s.XGBoost)
				}
				return
			}
			train, test := datasetstest.LoadSplit(t, s.Set)
			m, err := ensemble.HistBoostingConfig{Estimators: s.Rounds}.FitClassifier(train)
			if err != nil {
				t.Fatal(err)
			}
			if got := accuracy(t, m, test.X, test.Y); got < max(s.LightGBM, s.XGBoost)-0.003 {
				t.Errorf("accuracy %.4f, LightGBM has %.4f, XGBoost %.4f", got, s.LightGBM, s.XGBoost)
			}
		})
	}
}

// foldError is the root mean square error by five folds, row i being in fold i
// mod 5.
func foldError(t *testing.T, ds *mlcore.Dataset, rounds int) float64 {
	t.Helper()
	total := 0.0
	for fold := range 5 {
		var in, out []int
		for i := range ds.Len() {
			if i%5 == fold {
				out = append(out, i)
			} else {
				in = append(in, i)
			}
		}
		train, test := ds.Subset(in), ds.Subset(out)
		m, err := ensemble.HistBoostingConfig{Estimators: rounds}.FitRegressor(mlcore.FromMatrix(train.X, train.Target, nil))
		if err != nil {
			t.Fatal(err)
		}
		y, err := m.Predict(test.X)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range y {
			total += (v - test.Target[i]) * (v - test.Target[i])
		}
	}
	return math.Sqrt(total / float64(ds.Len()))
}

package bayes_test

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/internal/fixture"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"gonum.org/v1/gonum/mat"
)

// A fit is scikit-learn's settings and answers. scripts/oracles/bayes.py
// made them; the file holds versions.
type fit struct {
	Kind   string `json:"kind"`
	Params struct {
		Alpha        *float64  `json:"alpha"`
		ClassPrior   []float64 `json:"class_prior"`
		Priors       []float64 `json:"priors"`
		FitPrior     *bool     `json:"fit_prior"`
		Binarize     float64   `json:"binarize"`
		VarSmoothing float64   `json:"var_smoothing"`
	} `json:"params"`
	Classes  string      `json:"classes"`
	Rows     []int       `json:"rows"`
	Joint    [][]float64 `json:"joint"`
	LogProba [][]float64 `json:"log_proba"`
	Proba    [][]float64 `json:"proba"`
}

type answers struct {
	MadeUp struct {
		Y       []int                  `json:"y"`
		W       []float64              `json:"w"`
		X       map[string][][]float64 `json:"X"`
		Queries map[string][][]float64 `json:"queries"`
		Fits    []struct {
			Name     string `json:"name"`
			Weighted bool   `json:"weighted"`
			fit
		} `json:"fits"`
	} `json:"made_up"`
	Files []struct {
		Set        string   `json:"set"`
		ClassNames []string `json:"class_names"`
		fit
	} `json:"files"`
}

func scikitLearn(t *testing.T) answers {
	t.Helper()
	return oracle.Load[answers](t, "testdata/peers.json")
}

// A model has what all four models have.
type model interface {
	mlcore.ProbClassifier
	PredictLogProba(X mat.Matrix) (*mat.Dense, error)
	PredictJointLogProba(X mat.Matrix) (*mat.Dense, error)
}

// train fits our model with scikit-learn's settings.
func (f fit) train(X *mat.Dense, y []int, w []float64, levels []int) (model, error) {
	prior, smoothing := bayes.Prior{Given: f.Params.ClassPrior}, bayes.Laplace
	if f.Params.FitPrior != nil && !*f.Params.FitPrior {
		prior.Uniform = true
	}
	if f.Params.Alpha != nil {
		smoothing = bayes.Lidstone(*f.Params.Alpha)
	}
	switch f.Kind {
	case "categorical":
		return bayes.CategoricalConfig{Smoothing: smoothing, Prior: prior}.FitClassifier(fixture.Levels(mlcore.FromMatrix(X, y, w), levels))
	case "bernoulli":
		return bayes.BernoulliConfig{Threshold: f.Params.Binarize, Smoothing: smoothing, Prior: prior}.FitClassifier(mlcore.FromMatrix(X, y, w))
	case "multinomial":
		return bayes.MultinomialConfig{Smoothing: smoothing, Prior: prior}.FitClassifier(mlcore.FromMatrix(X, y, w))
	}
	return bayes.GaussianConfig{VarSmoothing: f.Params.VarSmoothing, Prior: bayes.Prior{Given: f.Params.Priors}}.FitClassifier(mlcore.FromMatrix(X, y, w))
}

// compare checks a model's answers; code[k] is our code of scikit-learn's class
// k. Logarithms may differ by 1e-9 of their size, probabilities by 1e-9.
func (f fit) compare(t *testing.T, m model, X *mat.Dense, code []int) {
	t.Helper()
	y, err := m.Predict(X)
	if err != nil {
		t.Fatal(err)
	}
	if len(y) != len(f.Classes) || len(y) == 0 {
		t.Fatalf("%d predictions, scikit-learn has %d", len(y), len(f.Classes))
	}
	for i, k := range y {
		if want := code[f.Classes[i]-'A']; k != want {
			t.Errorf("row %d: class %d, scikit-learn %d", i, k, want)
		}
	}
	for name, c := range map[string]struct {
		ask  func(mat.Matrix) (*mat.Dense, error)
		want [][]float64
	}{
		"joint log-likelihood": {m.PredictJointLogProba, f.Joint},
		"log-probability":      {m.PredictLogProba, f.LogProba},
		"probability":          {m.PredictProba, f.Proba},
	} {
		got, err := c.ask(X)
		if err != nil {
			t.Fatal(err)
		}
		for r, i := range f.Rows {
			for k, want := range c.want[r] {
				if g := got.At(i, code[k]); !(math.Abs(g-want) <= 1e-9*max(1, math.Abs(want))) {
					t.Errorf("%s of class %d, row %d: %v, scikit-learn %v", name, code[k], i, g, want)
				}
			}
		}
	}
}

func TestMadeUpAgainstScikitLearn(t *testing.T) {
	o := scikitLearn(t).MadeUp
	if len(o.Fits) < 30 {
		t.Fatalf("only %d fits in the oracle", len(o.Fits))
	}
	for _, f := range o.Fits {
		name, w := f.Kind+"/"+f.Name, []float64(nil)
		if f.Weighted {
			name, w = name+"/weighted", o.W
		}
		t.Run(name, func(t *testing.T) {
			X := oracle.Matrix(o.X[f.Kind])
			m, err := f.train(X, o.Y, w, fixture.Codes(mlcore.FromMatrix(X, o.Y, w)).Levels())
			if err != nil {
				t.Fatal(err)
			}
			f.compare(t, m, oracle.Matrix(o.Queries[f.Kind]), []int{0, 1, 2})
		})
	}
}

// load returns training rows and queries of a catalogued set, all categories of
// which are columns with levels.
func load(t testing.TB, name string) (train, queries *mlcore.Dataset) {
	t.Helper()
	if name == "letter" {
		return datasetstest.LoadSplit(t, name)
	}
	train = datasetstest.Load(t, name)
	return train, train
}

// sixteen is the levels of the Letter data, whose columns are 0 to 15.
var sixteen = []int{16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16}

func TestFilesAgainstScikitLearn(t *testing.T) {
	for _, f := range scikitLearn(t).Files {
		t.Run(f.Set+"/"+f.Kind, func(t *testing.T) {
			train, queries := load(t, f.Set)
			levels := train.Levels()
			switch f.Set {
			case "letter":
				levels = sixteen
			case "mushroom":
				// scikit-learn had all columns but the one with missing values.
				var names []string
				for _, name := range train.FeatureNames() {
					if name != "stalk-root" {
						names = append(names, name)
					}
				}
				var err error
				if train, err = train.Select(names...); err != nil {
					t.Fatal(err)
				}
				queries, levels = train, train.Levels()
			}
			m, err := f.train(train.X, train.Y, nil, levels)
			if err != nil {
				t.Fatal(err)
			}
			f.compare(t, m, queries.X, classCodes(t, f.ClassNames, train.ClassNames))
		})
	}
}

// classCodes finds scikit-learn's classes among ours; Mushroom's have other names
// in the same order.
func classCodes(t *testing.T, theirs, ours []string) []int {
	t.Helper()
	if len(theirs) != len(ours) {
		t.Fatalf("classes %q and %q", theirs, ours)
	}
	codes := make([]int, len(theirs))
	for k, name := range theirs {
		codes[k] = k
		for l, other := range ours {
			if name == other {
				codes[k] = l
			}
		}
	}
	return codes
}

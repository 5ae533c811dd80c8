package bayes_test

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"gonum.org/v1/gonum/mat"
)

// scikit-learn's answers; scripts/oracles/bayes_discriminants.py made them.
type discriminants struct {
	Sets []struct {
		Name   string      `json:"name"`
		X      [][]float64 `json:"X"`
		Y      []int       `json:"y"`
		Linear []struct {
			Priors    []float64   `json:"priors"`
			Shrinkage float64     `json:"shrinkage"`
			Proba     [][]float64 `json:"proba"`
			Labels    []int       `json:"labels"`
			Ratio     []float64   `json:"ratio"`
			Projected [][]float64 `json:"projected"`
		} `json:"linear"`
		Quadratic []struct {
			Priors   []float64   `json:"priors"`
			RegParam float64     `json:"reg_param"`
			Proba    [][]float64 `json:"proba"`
			Labels   []int       `json:"labels"`
			Joint    [][]float64 `json:"joint"`
		} `json:"quadratic"`
	} `json:"sets"`
}

// close compares the first rows of got with want, relative to the size of each number
// from 1 on.
func closeTo(t *testing.T, what string, got *mat.Dense, want [][]float64, tol float64) {
	t.Helper()
	for i, row := range want {
		for j, v := range row {
			if g := got.At(i, j); !(math.Abs(g-v) <= tol*max(1, math.Abs(v))) {
				t.Fatalf("%s: row %d, column %d: %v, scikit-learn %v", what, i, j, g, v)
			}
		}
	}
}

func TestDiscriminantsAgainstScikitLearn(t *testing.T) {
	for _, s := range oracle.Load[discriminants](t, "testdata/peers_discriminants.json").Sets {
		X := oracle.Matrix(s.X)
		ds := mlcore.FromMatrix(X, s.Y, nil)
		// Sums of far numbers lose digits, in scikit-learn too.
		tol := 1e-9
		if s.Name == "far from 0" {
			tol = 1e-7
		}
		for _, want := range s.Linear {
			t.Run(s.Name+"/linear", func(t *testing.T) {
				tol := tol
				// scikit-learn's solver with shrinkage loses more digits.
				if want.Shrinkage > 0 && s.Name == "far from 0" {
					tol = 1e-4
				} else if want.Shrinkage > 0 && s.Name == "columns of many sizes" {
					tol = 1e-6
				}
				m, err := bayes.LinearDiscriminantConfig{Prior: bayes.Prior{Given: want.Priors}, Shrinkage: want.Shrinkage}.FitClassifier(ds)
				if err != nil {
					t.Fatal(err)
				}
				check(t, m, X, want.Labels, want.Proba, tol)
				if want.Shrinkage > 0 {
					return // scikit-learn's solver with shrinkage means another ratio
				}
				ratio := m.ExplainedVarianceRatio()
				for k, v := range want.Ratio {
					if k < len(ratio) && math.Abs(ratio[k]-v) > tol || k >= len(ratio) && v > 1e-8 {
						t.Errorf("explained variance ratio %v, scikit-learn %v", ratio, want.Ratio)
						break
					}
				}
				if want.Projected == nil {
					return
				}
				got, err := m.Project(X)
				if err != nil {
					t.Fatal(err)
				}
				// Each discriminant has one of two signs.
				_, q := got.Dims()
				for j := range q {
					sign := 1.0
					if got.At(0, j)*want.Projected[0][j] < 0 {
						sign = -1
					}
					for i := range want.Projected {
						want.Projected[i][j] *= sign
					}
				}
				closeTo(t, "coordinates", got, want.Projected, 10*tol)
			})
		}
		for _, want := range s.Quadratic {
			t.Run(s.Name+"/quadratic", func(t *testing.T) {
				m, err := bayes.QuadraticDiscriminantConfig{Prior: bayes.Prior{Given: want.Priors}, RegParam: want.RegParam}.FitClassifier(ds)
				if err != nil {
					t.Fatal(err)
				}
				check(t, m, X, want.Labels, want.Proba, tol)
				joint, err := m.PredictJointLogProba(X)
				if err != nil {
					t.Fatal(err)
				}
				// scikit-learn leaves the power of 2π out.
				_, d := X.Dims()
				for i := range want.Joint {
					for k := range want.Joint[i] {
						want.Joint[i][k] -= 0.5 * float64(d) * math.Log(2*math.Pi)
					}
				}
				closeTo(t, "joint log-likelihood", joint, want.Joint, 100*tol)
			})
		}
	}
}

func check(t *testing.T, m mlcore.ProbClassifier, X *mat.Dense, labels []int, proba [][]float64, tol float64) {
	t.Helper()
	got, err := m.Predict(X)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, labels) {
		t.Errorf("classes %v, scikit-learn %v", got, labels)
	}
	p, err := m.PredictProba(X)
	if err != nil {
		t.Fatal(err)
	}
	closeTo(t, "probabilities", p, proba, tol)
}

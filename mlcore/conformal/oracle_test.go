package conformal_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/conformal"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
)

// peers is testdata/peers.json; scripts/oracles/conformal.py made it.
type peers struct {
	X     [][]float64
	Y     []float64
	Cases []struct {
		Method    string
		Folds     int
		Level     float64
		Intervals [][2]float64
	}
}

// The same least squares fits on the same folds give the intervals of MAPIE.
func TestIntervalsAgainstMAPIE(t *testing.T) {
	answers := oracle.Load[peers](t, "testdata/peers.json")
	all := mlcore.FromMatrix(oracle.Matrix(answers.X), answers.Y, nil)
	learner := mlcore.LearnRegressor(linear.LeastSquaresConfig{}.FitRegressor)
	fresh := all.Subset(rows(80, 90))
	for _, tc := range answers.Cases {
		name := fmt.Sprintf("%s, %d folds, level %v", tc.Method, tc.Folds, tc.Level)
		var got []conformal.Interval
		if tc.Method == "split" {
			model, err := learner(all.Subset(rows(0, 40)))
			if err != nil {
				t.Fatal(err)
			}
			s, err := conformal.SplitConfig{Level: tc.Level}.Calibrate(model, all.Subset(rows(40, 80)))
			if err != nil {
				t.Fatal(err)
			}
			if got, err = s.Intervals(fresh); err != nil {
				t.Fatal(err)
			}
		} else {
			cfg := conformal.CVPlusConfig{RegressorLearner: learner, Splitter: modelsel.KFold{Folds: tc.Folds}, Level: tc.Level}
			if tc.Folds == 0 {
				cfg.Splitter = modelsel.LeaveOneOut{}
			}
			m, err := cfg.Calibrate(all.Subset(rows(0, 80)))
			if err != nil {
				t.Fatal(err)
			}
			if got, err = m.Intervals(fresh); err != nil {
				t.Fatal(err)
			}
		}
		for i, want := range tc.Intervals {
			if math.Abs(got[i].Lower-want[0]) > 1e-9 || math.Abs(got[i].Upper-want[1]) > 1e-9 {
				t.Errorf("%s: row %d is in %v, MAPIE says %v", name, i, got[i], want)
			}
		}
	}
	if len(answers.Cases) != 20 {
		t.Errorf("%d cases", len(answers.Cases))
	}
}

package sidebyside

import (
	"math"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/notebooks/assess"
)

// Whole numbers, ten classes, sixteen features, and a third held back.
func TestLarge(t *testing.T) {
	train, test := Large()
	if train.Len() != 2000 || test.Len() != 1000 || train.NumFeatures() != 16 || len(train.ClassNames) != 10 {
		t.Errorf("%d and %d samples, %d features, %d classes", train.Len(), test.Len(), train.NumFeatures(), len(train.ClassNames))
	}
	for i := range 100 {
		if v := train.X.At(i, i%16); v != math.Trunc(v) {
			t.Errorf("row %d has %v, which is no whole number", i, v)
		}
	}
}

// Every name has a model in both libraries, and it is better than guessing one of ten
// classes.
func TestEstimators(t *testing.T) {
	train, test := Large()
	for _, e := range Estimators {
		if got := assess.TestError(GoModel(e, 0), train, test); got > 0.8 {
			t.Errorf("%s: error rate %v", e, got)
		}
		if m := pythonModel(e, 3); m.Estimator != e || m.Name != e {
			t.Errorf("%s is called %+v", e, m)
		}
	}
	defer func() {
		if r := recover(); r == nil || !strings.Contains(r.(error).Error(), `"SVC"`) {
			t.Errorf("an unknown name: %v", r)
		}
	}()
	GoModel("SVC", 0)
}

package assess_test

import (
	"errors"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/notebooks/assess"
)

// What k-NN by Manhattan distances refuses of categories it takes of their codes, with
// the same classes.
func TestCodes(t *testing.T) {
	car, err := datasets.LoadDataset("car")
	if err != nil {
		t.Fatal(err)
	}
	cfg := neighbors.Config{Neighbors: 1, Metric: neighbors.Manhattan}
	if _, err := cfg.FitClassifier(car); !errors.Is(err, mlcore.ErrColumn) {
		t.Errorf("categories: %v", err)
	}
	m, err := cfg.FitClassifier(assess.Codes(car))
	if err != nil {
		t.Fatal(err)
	}
	names, err := mlcore.PredictNames(m, assess.Codes(car).Subset([]int{0, 1727}))
	if err != nil || names[0] != car.ClassNames[car.Y[0]] || names[1] != car.ClassNames[car.Y[1727]] {
		t.Errorf("%v, %v", names, err)
	}
}

package conformal_test

import (
	"fmt"
	"log"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore/conformal"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// A tree of a parabola, calibrated by 99 rows that it has not seen, and the share of 1000
// new rows that their intervals contain.
func ExampleSplitConfig() {
	model, err := tree.Config{MinSamplesLeaf: 5}.FitRegressor(datasets.MakeQuadratic(200, 0.1, 0))
	if err != nil {
		log.Fatal(err)
	}
	split, err := conformal.SplitConfig{Level: 0.9}.Calibrate(model, datasets.MakeQuadratic(99, 0.1, 1))
	if err != nil {
		log.Fatal(err)
	}
	fresh := datasets.MakeQuadratic(1000, 0.1, 2)
	intervals, err := split.Intervals(fresh)
	if err != nil {
		log.Fatal(err)
	}
	share, err := conformal.Coverage(intervals, fresh.Target)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("prediction ± %.3f contains %.1f %%\n", split.HalfWidth(), 100*share)
	// Output:
	// prediction ± 0.187 contains 89.1 %
}

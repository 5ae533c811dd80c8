// Compare tests whether two models differ, over ten times five folds that both share:
//
//	go run ./mlcore/examples/compare
package main

import (
	"fmt"
	"log"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/sigtest"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

func main() {
	ds, err := datasets.LoadDataset("iris")
	if err != nil {
		log.Fatal(err)
	}
	folds := modelsel.Options{Splitter: modelsel.Repeated{}}
	forest, err := modelsel.CrossValidate(ensemble.ForestConfig{Seed: 1}.FitClassifier, ds, folds)
	if err != nil {
		log.Fatal(err)
	}
	single, err := modelsel.CrossValidate(tree.Config{}.FitClassifier, ds, folds)
	if err != nil {
		log.Fatal(err)
	}
	test, err := modelsel.CorrectedResampledT(forest, single, sigtest.TwoSided)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("forest %v\ntree %v\np = %.3f\n", forest, single, test.PValue)
}

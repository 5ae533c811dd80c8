// Search chooses how boosting learns and when it stops, calibrates the best, and draws
// its ROC curve on rows that had no part in any of it:
//
//	go run ./mlcore/examples/search
package main

import (
	"fmt"
	"log"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/calibration"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
)

func main() {
	train, test, err := datasets.LoadSplit("income")
	if err != nil {
		log.Fatal(err)
	}
	grid := modelsel.Grid(ensemble.HistBoostingConfig{Estimators: 300, ValidationFraction: 0.1, Patience: 5},
		modelsel.Vary("rate", func(c *ensemble.HistBoostingConfig, v float64) { c.LearningRate = v }, 0.1, 0.3),
		modelsel.Vary("leaves", func(c *ensemble.HistBoostingConfig, v int) { c.MaxLeafNodes = v }, 7, 31))
	search, err := modelsel.Search(ensemble.HistBoostingConfig.FitClassifier, grid, train, modelsel.SearchOptions{NoRefit: true})
	if err != nil {
		log.Fatal(err)
	}
	best := mlcore.LearnClassifier(search.Chosen().Config.FitClassifier)
	model, err := calibration.Config{Learner: best, Method: calibration.Isotonic}.FitClassifier(train)
	if err != nil {
		log.Fatal(err)
	}
	proba, err := mlcore.PredictProba(model, test)
	if err != nil {
		log.Fatal(err)
	}
	curve, err := metrics.ROCOn(test, proba)
	if err != nil {
		log.Fatal(err)
	}
	panel, err := plotx.ROC("Income above $50,000", plotx.NamedROC{Name: search.Chosen().Candidate.String(), Curve: curve})
	if err != nil {
		log.Fatal(err)
	}
	if err := plotx.Save(panel, "roc.png"); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: area %.3f\n", search.Chosen(), curve.AUC())
}

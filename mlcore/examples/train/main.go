// Train reads a table with gaps and categories, judges a pipeline by stratified
// cross-validation, fits it to all the rows and saves it:
//
//	go run ./mlcore/examples/train
package main

import (
	"fmt"
	"log"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/frame"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
)

func main() {
	ds, err := frame.CSV{}.DatasetFile("mlcore/testdata/flats.csv", frame.Options{Label: "sold"})
	if err != nil {
		log.Fatal(err)
	}
	pipeline := preprocess.PipelineConfig{
		Steps:   []preprocess.Step{preprocess.ImputerConfig{}, preprocess.OneHotConfig{Unknown: mlcore.UnknownIgnore}},
		Learner: mlcore.LearnClassifier(ensemble.ForestConfig{Seed: 1}.FitClassifier),
	}
	result, err := modelsel.CrossValidate(pipeline.FitClassifier, ds, modelsel.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result)
	model, err := pipeline.FitClassifier(ds)
	if err != nil {
		log.Fatal(err)
	}
	if err := modelfile.Save("flats.model", model); err != nil {
		log.Fatal(err)
	}
}

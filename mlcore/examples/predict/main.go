// Predict says what the model that train saved makes of the rows of another table, some of
// which have gaps and a category that was not there in training. It would do the same
// with a model of any other kind:
//
//	go run ./mlcore/examples/predict
package main

import (
	"fmt"
	"log"

	"github.com/mllabs-go/mllabs/mlcore"
	_ "github.com/mllabs-go/mllabs/mlcore/all"
	"github.com/mllabs-go/mllabs/mlcore/frame"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
)

func main() {
	model, err := modelfile.Load[mlcore.Classifier]("flats.model")
	if err != nil {
		log.Fatal(err)
	}
	rows, err := frame.CSV{}.RowsFile("mlcore/testdata/new_flats.csv", model)
	if err != nil {
		log.Fatal(err)
	}
	names, err := mlcore.PredictNames(model, rows)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(names)
}

// Serve answers with the predictions of the model that train saved over HTTP, to many at
// a time, and goes on with the new model when the file is replaced:
//
//	go run ./mlcore/examples/serve
//	curl --data-binary @mlcore/testdata/new_flats.csv http://localhost:8080/predict
package main

import (
	"encoding/json"
	"flag"
	"log"
	"net/http"

	"github.com/mllabs-go/mllabs/mlcore"
	_ "github.com/mllabs-go/mllabs/mlcore/all"
	"github.com/mllabs-go/mllabs/mlcore/frame"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
)

func main() {
	address := flag.String("address", "localhost:8080", "where to listen")
	flag.Parse()
	source, err := modelfile.Open[mlcore.Classifier]("flats.model")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /predict", func(w http.ResponseWriter, r *http.Request) {
		model, err := source.Model()
		if err != nil {
			log.Print(err) // and the model of before answers
		}
		rows, err := frame.CSV{}.Rows(http.MaxBytesReader(w, r.Body, 1<<20), model)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		names, err := mlcore.PredictNames(model, rows)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		json.NewEncoder(w).Encode(names)
	})
	log.Fatal(http.ListenAndServe(*address, nil))
}

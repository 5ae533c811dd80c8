package onnx_test

import (
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/onnx"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
)

func ExampleSave() {
	dir, err := os.MkdirTemp("", "onnx")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	iris, err := datasets.LoadDataset("iris")
	if err != nil {
		log.Fatal(err)
	}
	pipeline := preprocess.PipelineConfig{
		Steps:   []preprocess.Step{preprocess.StandardScalerConfig{}},
		Learner: mlcore.LearnClassifier(linear.LogisticConfig{}.FitClassifier),
	}
	model, err := pipeline.FitClassifier(iris)
	if err != nil {
		log.Fatal(err)
	}
	err = onnx.Save(filepath.Join(dir, "iris.onnx"), model)
	fmt.Println("a pipeline:", err)

	nearest, err := neighbors.Config{Neighbors: 5}.FitClassifier(iris)
	if err != nil {
		log.Fatal(err)
	}
	_, err = onnx.Marshal(nearest)
	fmt.Println("k-NN:", errors.Is(err, mlcore.ErrKind))
	// Output:
	// a pipeline: <nil>
	// k-NN: true
}

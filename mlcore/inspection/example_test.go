package inspection_test

import (
	"fmt"
	"log"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore/inspection"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// How likely a tree thinks that a car is refused, by how safe it is.
func ExamplePartialDependenceConfig() {
	cars, err := datasets.LoadDataset("car")
	if err != nil {
		log.Fatal(err)
	}
	model, err := tree.Config{}.FitClassifier(cars)
	if err != nil {
		log.Fatal(err)
	}
	d, err := inspection.PartialDependenceConfig{Features: []string{"safety"}, Class: "unacc"}.Classifier(model, cars)
	if err != nil {
		log.Fatal(err)
	}
	for g, name := range d.Axes[0].Names() {
		fmt.Printf("%-5s %s %.3f\n", name, d.Response, d.Average[g])
	}
	// Output:
	// low   probability of unacc 1.000
	// med   probability of unacc 0.620
	// high  probability of unacc 0.481
}

package calibration_test

import (
	"fmt"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/calibration"
	"github.com/mllabs-go/mllabs/mlcore/svm"
)

// A support vector machine has no probabilities of its own.
func ExampleConfig() {
	iris, err := datasets.LoadDataset("iris")
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := calibration.Config{
		Learner: mlcore.LearnClassifier(svm.Config{}.FitClassifier),
	}.FitClassifier(iris)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := mlcore.PredictProba(m, iris.Subset([]int{0, 77, 149}))
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 3 {
		fmt.Printf("%.2f\n", p.RawRowView(i))
	}
	// Output:
	// [0.91 0.08 0.01]
	// [0.05 0.10 0.86]
	// [0.04 0.09 0.86]
}

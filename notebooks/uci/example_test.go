package uci_test

import (
	"context"
	"fmt"

	"github.com/mllabs-go/mllabs/notebooks/uci"
)

// Naive Bayes on Car, the one set that is always at hand.
func ExampleExperiment() {
	r, err := uci.Experiment{
		Seed: 1,
		Only: func(s uci.Set, a uci.Algorithm) bool { return s == uci.Car && a == uci.NaiveBayes },
	}.Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	c, _ := r.Cell(uci.Car, uci.NaiveBayes)
	said, _ := uci.Published(uci.Car, uci.NaiveBayes)
	fmt.Printf("%d folds: %.1f ± %.1f; the report has %.1f ± %.1f\n", len(c.Accuracies), c.Mean, c.SD, said.Mean, said.SD)
	// Output: 50 folds: 84.1 ± 1.9; the report has 61.7 ± 6.9
}

func ExampleSizes() {
	fmt.Print(uci.Sizes())
	// Output:
	// Table 1: overview of the data sets
	//                 Size  Attributes  Numerical  Classes  Missing
	// C               1728           6          N        4        N
	// B  699 (report: 569)           9          Y        2        Y
	// E                336           7          Y        8        N
	// M               8124          22          N        2        Y
	// L              20000          16          N       26        N
}

// Package week3 is the test driver of lab 3's hand-out: it tests the functions that a
// student has written and draws what they learn as a figure of four class maps. A
// function that is missing, wrong, panics or never returns is reported by name and costs
// nothing but its own panel.
//
// A notebook gives its functions to [Draw], and a program to [Main]; scripts/week3 lays
// and runs the file in which to write them.
package week3

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"github.com/mllabs-go/mllabs/notebooks/lab3"
	"gonum.org/v1/gonum/mat"
)

// A Lab holds a student's functions. A nil function is not implemented yet, and so is
// one that returns nil or panics with "not implemented". DecisionNodeSplit is not among
// them because DecisionTreeTrain calls it.
type Lab struct {
	NearestNeighboursPredict func(trainX *mat.Dense, trainY []int, testX *mat.Dense, neighbours int) []int
	Misclassification        func(y []int, cls int, weights []float64) float64
	DecisionTreeTrain        func(X *mat.Dense, y []int, opts lab3.TreeOptions) *lab3.Tree
	DecisionTreePredict      func(tree *lab3.Tree, X *mat.Dense) []int
	RandomForestTrain        func(X *mat.Dense, y []int, k int, rng *rand.Rand, opts lab3.TreeOptions) []*lab3.Tree
	RandomForestPredict      func(forest []*lab3.Tree, X *mat.Dense) []int
	AdaBoostTrain            func(X *mat.Dense, y []int, k int, opts lab3.AdaBoostOptions) ([]*lab3.Tree, []float64)
	AdaBoostPredict          func(trees []*lab3.Tree, alphas []float64, X *mat.Dense) []int

	// Title, which is not in the hand-out, makes the title of a panel from the name of a
	// model, the model, all samples, and the number of those that it learns from. Where it
	// is nil or panics the title is the name.
	Title func(name string, f assess.FitPredict, ds *mlcore.Dataset, n int) string
}

// Draw tests the functions, prints the results to stdout, and returns the figure, which
// it also writes to o.File unless that is empty. Only bad options and data are errors.
func Draw(l Lab, o Options, stdout io.Writer) (plotx.Figure, error) {
	figure, _, err := draw(l, o, stdout)
	return figure, err
}

// Main is the driver as a program: it reads the command line, draws, writes the figure to
// week_3.pdf unless the command line names another file, and exits: 0 all drawn, 1
// something failed, 2 bad usage.
func Main(l Lab) {
	os.Exit(run(l, os.Args[1:], os.Stdout, os.Stderr))
}

func run(l Lab, args []string, stdout, stderr io.Writer) int {
	o, err := CommandLine(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stderr, Usage())
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "week3: %v; see week3 -h\n", err)
		return 2
	}
	o.File = cmp.Or(o.File, "week_3.pdf")
	_, failed, err := draw(l, o, stdout)
	if err == nil && len(failed) > 0 {
		err = fmt.Errorf("failed: %s; the reasons are above", strings.Join(failed, ", "))
	}
	if err != nil {
		fmt.Fprintf(stderr, "week3: %v\n", err)
		return 1
	}
	return 0
}

// checkPlace returns an error if the figure cannot be written to the file, before the
// work is done.
func checkPlace(file string) error {
	folder := filepath.Dir(file)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("output file %s: there is no folder %s; make it, or name another", file, folder)
	}
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("output file %s exists and is not a file; name another", file)
	}
	return nil
}

package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/notebooks/lab3"
	"github.com/mllabs-go/mllabs/notebooks/lab3/solutions"
	"gonum.org/v1/gonum/mat"
)

// A lab is the set of functions under test.
type lab struct {
	neighbours        func(trainX *mat.Dense, trainY []int, testX *mat.Dense, neighbours int) []int
	misclassification func(y []int, cls int, weights []float64) float64
	treeTrain         func(X *mat.Dense, y []int, opts lab3.TreeOptions) *lab3.Tree
	treePredict       func(tree *lab3.Tree, X *mat.Dense) []int
	forestTrain       func(X *mat.Dense, y []int, k int, rng *rand.Rand, opts lab3.TreeOptions) []*lab3.Tree
	forestPredict     func(forest []*lab3.Tree, X *mat.Dense) []int
	adaTrain          func(X *mat.Dense, y []int, k int, opts lab3.AdaBoostOptions) ([]*lab3.Tree, []float64)
	adaPredict        func(trees []*lab3.Tree, alphas []float64, X *mat.Dense) []int
}

var handout = lab{
	solutions.NearestNeighboursPredict,
	solutions.Misclassification,
	solutions.DecisionTreeTrain, solutions.DecisionTreePredict,
	solutions.RandomForestTrain, solutions.RandomForestPredict,
	solutions.AdaBoostTrain, solutions.AdaBoostPredict,
}

// draw checks each part, draws its class map or a placeholder, and writes the
// figure. Parts that are not implemented are not an error; parts that fail are,
// after the figure has been written.
func draw(o options, l lab, s samples, stdout io.Writer) error {
	say := func(format string, args ...any) { fmt.Fprintf(stdout, format+"\n", args...) }
	say("%d samples from %s, seed %d", s.multi.Len(), s.from, o.seed)
	var failed []string // parts, whose trouble has been told
	panel := func(question, title string, ds *mlcore.Dataset, predict func(X *mat.Dense) []int) plotx.Figure {
		figure, note := tryClassMap(ds, predict, plotx.MapOptions{Title: title, Resolution: o.resolution})
		if note != "" {
			say("%s: %s: %s", question, title, note)
			if note != notImplemented {
				failed = append(failed, title)
			}
			return plotx.Placeholder(title, note)
		}
		say("%s: plotted %s", question, title)
		return figure
	}
	X, y := s.multi.X, s.multi.Y

	say("Q1: checking %d-nearest neighbours fit", o.neighbours)
	nearest := panel("Q1", fmt.Sprintf("%d-Nearest Neighbours", o.neighbours), s.multi, func(Q *mat.Dense) []int {
		return l.neighbours(X, y, Q, o.neighbours)
	})

	say("Q2: testing misclassification error")
	if !checkMisclassification(l, say) {
		failed = append(failed, "misclassification")
	}

	say("Q2: fitting decision tree")
	treePanel := panel("Q2", "Decision Tree", s.multi, func(Q *mat.Dense) []int {
		tree := l.treeTrain(X, y, lab3.TreeOptions{MinSize: o.minSize})
		if tree == nil {
			return nil
		}
		return l.treePredict(tree, Q)
	})

	say("Q3: fitting random forest with %d trees", o.forest)
	forestPanel := panel("Q3", fmt.Sprintf("Random Forest (%d Trees)", o.forest), s.multi, func(Q *mat.Dense) []int {
		forest := l.forestTrain(X, y, o.forest, mlcore.NewRand(o.seed), lab3.TreeOptions{MinSize: o.minSize})
		if forest == nil {
			return nil
		}
		return l.forestPredict(forest, Q)
	})

	say("Q4: fitting AdaBoost ensemble")
	adaPanel := panel("Q4", fmt.Sprintf("AdaBoost (%d Stumps)", o.weak), s.binary, func(Q *mat.Dense) []int {
		trees, alphas := l.adaTrain(s.binary.X, s.binary.Y, o.weak, lab3.AdaBoostOptions{})
		if trees == nil {
			return nil
		}
		return l.adaPredict(trees, alphas, Q)
	})

	if err := plotx.Save(plotx.Grid("", 2, nearest, treePanel, forestPanel, adaPanel), o.file); err != nil {
		return fmt.Errorf("the figure was not written: %w", err)
	}
	say("wrote %s", o.file)
	if len(failed) > 0 {
		return fmt.Errorf("failed: %s; what is wrong is said above", strings.Join(failed, ", "))
	}
	return nil
}

const notImplemented = "not implemented yet"

// tryClassMap draws a class map, or says in a note why it cannot: nothing was
// predicted, the functions panicked, or the predictions do not fit.
func tryClassMap(ds *mlcore.Dataset, predict func(X *mat.Dense) []int, opts plotx.MapOptions) (f plotx.Figure, note string) {
	defer func() {
		if r := recover(); r != nil {
			f, note = nil, panicNote(r)
		}
	}()
	missing := false
	p, err := plotx.ClassMap(ds, func(Q mat.Matrix) ([]int, error) {
		classes := predict(mat.DenseCopyOf(Q))
		missing = classes == nil
		return classes, nil
	}, opts)
	switch {
	case missing:
		return nil, notImplemented
	case err != nil:
		return nil, err.Error()
	}
	return p, ""
}

func panicNote(r any) string {
	if s := fmt.Sprint(r); s != "not implemented" {
		return "panic: " + s
	}
	return notImplemented
}

// checkMisclassification prints the hand-out's three checks and says whether they
// are right; what is not implemented is not wrong.
func checkMisclassification(l lab, say func(string, ...any)) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			note := panicNote(r)
			say(" misclassification: %s", note)
			ok = note == notImplemented
		}
	}()
	ok = true
	for _, c := range []struct {
		name string
		y    []int
		cls  int
		want float64
	}{
		{"all right", []int{1, 1, 1}, 1, 0},
		{"all wrong", []int{1, 1, 1}, 0, 1},
		{"fifty-fifty", []int{1, 1, 1, 0, 0, 0}, 1, 0.5},
	} {
		got := l.misclassification(c.y, c.cls, nil)
		if math.Abs(got-c.want) < 1e-8 {
			say(" %s: %.4g - correct", c.name, got)
			continue
		}
		say(" %s: %.4g - wrong, should be %.4g", c.name, got, c.want)
		ok = false
	}
	return ok
}

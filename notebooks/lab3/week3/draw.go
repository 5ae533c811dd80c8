package week3

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/notebooks/lab3"
	"github.com/mllabs-go/mllabs/notebooks/nbkit"
	"github.com/mllabs-go/mllabs/notebooks/nbkit/attempt"
	"gonum.org/v1/gonum/mat"
)

// A part is one panel of the figure: a model, fitted to the first samples of a data set.
type part struct {
	question, doing, title string
	samples                labelled
	fit                    func(train *mlcore.Dataset, Q *mat.Dense) ([]int, error)
}

func (l Lab) parts(o Options, s samples) []part {
	opts := lab3.TreeOptions{MinSize: o.MinSize}
	return []part{
		{"Q1", fmt.Sprintf("checking %d-nearest neighbours fit", o.Neighbours),
			fmt.Sprintf("%d-Nearest Neighbours", o.Neighbours), s.multi,
			func(train *mlcore.Dataset, Q *mat.Dense) (predicted []int, err error) {
				return predict("NearestNeighboursPredict", l.NearestNeighboursPredict == nil, Q, train, func() []int {
					return l.NearestNeighboursPredict(train.X, train.Y, Q, o.Neighbours)
				})
			}},
		{"Q2", "fitting decision tree", "Decision Tree", s.multi,
			func(train *mlcore.Dataset, Q *mat.Dense) ([]int, error) {
				var tree *lab3.Tree
				err := attempted("DecisionTreeTrain", l.DecisionTreeTrain == nil, func() bool {
					tree = l.DecisionTreeTrain(train.X, train.Y, opts)
					return tree != nil
				})
				if err != nil {
					return nil, err
				}
				return predict("DecisionTreePredict", l.DecisionTreePredict == nil, Q, train, func() []int {
					return l.DecisionTreePredict(tree, Q)
				})
			}},
		{"Q3", fmt.Sprintf("fitting random forest with %d trees", o.Forest),
			fmt.Sprintf("Random Forest (%d Trees)", o.Forest), s.multi,
			func(train *mlcore.Dataset, Q *mat.Dense) ([]int, error) {
				var forest []*lab3.Tree
				err := attempted("RandomForestTrain", l.RandomForestTrain == nil, func() bool {
					forest = l.RandomForestTrain(train.X, train.Y, o.Forest, mlcore.NewRand(o.Seed), opts)
					return forest != nil
				})
				if err != nil {
					return nil, err
				}
				return predict("RandomForestPredict", l.RandomForestPredict == nil, Q, train, func() []int {
					return l.RandomForestPredict(forest, Q)
				})
			}},
		{"Q4", "fitting AdaBoost ensemble", fmt.Sprintf("AdaBoost (%d Stumps)", o.Weak), s.binary,
			func(train *mlcore.Dataset, Q *mat.Dense) ([]int, error) {
				var trees []*lab3.Tree
				var alphas []float64
				err := attempted("AdaBoostTrain", l.AdaBoostTrain == nil, func() bool {
					trees, alphas = l.AdaBoostTrain(train.X, train.Y, o.Weak, lab3.AdaBoostOptions{})
					return trees != nil
				})
				if err == nil && len(trees) != len(alphas) {
					err = fmt.Errorf("AdaBoostTrain returns %d trees and %d alphas; each tree needs one", len(trees), len(alphas))
				}
				if err != nil {
					return nil, err
				}
				return predict("AdaBoostPredict", l.AdaBoostPredict == nil, Q, train, func() []int {
					return l.AdaBoostPredict(trees, alphas, Q)
				})
			}},
	}
}

// draw tests each part and draws its class map, or a placeholder, and returns the names
// of what failed. A function that is not implemented has not failed.
func draw(l Lab, o Options, stdout io.Writer) (figure plotx.Figure, failed []string, err error) {
	if o.File != "" {
		if err := checkPlace(o.File); err != nil {
			return nil, nil, err
		}
	}
	s, err := loadSamples(o)
	if err != nil {
		return nil, nil, err
	}
	say := func(format string, args ...any) { fmt.Fprintf(stdout, format+"\n", args...) }
	say("loading data from %s: %d samples, seed %d", s.from, s.multi.train.Len(), o.Seed)
	var panels []plotx.Figure
	for _, p := range l.parts(o, s) {
		if p.question == "Q2" {
			say("Q2: testing misclassification error")
			if !l.checkMisclassification(say) {
				failed = append(failed, "Misclassification")
			}
		}
		say("%s: %s", p.question, p.doing)
		panel, err := l.panel(p, o)
		var missing notImplemented
		switch {
		case errors.As(err, &missing):
			say("%s: %v", p.question, err)
			panel = plotx.Placeholder(p.title, "Not implemented")
		case err != nil:
			say("%s: %v", p.question, err)
			failed = append(failed, p.title)
			panel = plotx.Placeholder(p.title, wrap(err.Error(), 40))
		default:
			say("%s: plotted %s", p.question, p.title)
		}
		panels = append(panels, panel)
	}
	figure = plotx.Grid("", 2, panels...)
	if o.File != "" {
		if err := plotx.Save(figure, o.File); err != nil {
			return nil, nil, fmt.Errorf("the figure was not written: %w", err)
		}
		say("wrote %s", o.File)
	}
	return figure, failed, nil
}

func (l Lab) panel(p part, o Options) (plotx.Figure, error) {
	// A function that changes its arguments must not change those of the others.
	fit := func(train *mlcore.Dataset, X mat.Matrix) ([]int, error) {
		own := *train
		own.X, own.Y = mat.DenseCopyOf(train.X), slices.Clone(train.Y)
		return p.fit(&own, mat.DenseCopyOf(X))
	}
	var wrong error
	panel, err := plotx.ClassMap(p.samples.train, func(Q mat.Matrix) (predicted []int, err error) {
		predicted, wrong = fit(p.samples.train, Q)
		return predicted, wrong
	}, plotx.MapOptions{Title: p.title, Window: p.samples.all, Resolution: o.Resolution})
	if wrong != nil {
		return nil, wrong
	}
	if err != nil {
		return nil, err
	}
	// Where Title fails, the panel keeps its name.
	title := ""
	if attempted("Title", l.Title == nil, func() bool {
		title = l.Title(p.title, func(train *mlcore.Dataset, X *mat.Dense) []int {
			predicted, err := fit(train, X)
			if err != nil {
				panic(err)
			}
			return predicted
		}, p.samples.all, o.Samples)
		return title != ""
	}) == nil {
		panel.Title.Text = title
	}
	return panel, nil
}

// wrap breaks the text between words into lines of at most width characters, which fit a panel.
func wrap(text string, width int) string {
	var lines []string
	for _, word := range strings.Fields(text) {
		last := len(lines) - 1
		if last >= 0 && len(lines[last])+1+len(word) <= width {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return strings.Join(lines, "\n")
}

// notImplemented is the error of a function that is still to be written.
type notImplemented struct{ function string }

func (e notImplemented) Error() string {
	return e.function + ", or a function that it calls, is not implemented yet"
}

// patience is how long a function may take, a variable for tests.
var patience = 30 * time.Second

// attempted calls a student's function, which returns false where it returned nothing, and
// returns an error where it panics or does not return.
func attempted(function string, missing bool, call func() bool) error {
	if missing {
		return notImplemented{function}
	}
	something := false
	err := attempt.Call(function, patience, func() { something = call() })
	switch {
	case errors.Is(err, nbkit.ErrNotImplemented), err == nil && !something:
		return notImplemented{function}
	case errors.Is(err, attempt.ErrNoAnswer):
		return fmt.Errorf("%s: %w (if it is only slow, lower -n or -r)", function, err)
	case err != nil:
		return fmt.Errorf("%s: %w", function, err)
	}
	return nil
}

// predict attempts a function that predicts, and checks that each row of Q got a class.
func predict(function string, missing bool, Q *mat.Dense, train *mlcore.Dataset, call func() []int) (predicted []int, err error) {
	// Q is counted before the call, which may change it.
	n, _ := Q.Dims()
	err = attempted(function, missing, func() bool {
		predicted = call()
		return predicted != nil
	})
	if err != nil {
		return nil, err
	}
	if len(predicted) != n {
		return nil, fmt.Errorf("%s returns %d predictions for %d rows; each row needs one", function, len(predicted), n)
	}
	for i, c := range predicted {
		if c < 0 || c >= train.NumClasses() {
			return nil, fmt.Errorf("%s returns class %d for row %d; the classes are 0 to %d", function, c, i, train.NumClasses()-1)
		}
	}
	return predicted, nil
}

// checkMisclassification prints the hand-out's three tests and reports whether none is
// wrong; a function that is not implemented is not wrong.
func (l Lab) checkMisclassification(say func(string, ...any)) bool {
	right := true
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
		var got float64
		err := attempted("Misclassification", l.Misclassification == nil, func() bool {
			got = l.Misclassification(c.y, c.cls, nil)
			return true
		})
		var missing notImplemented
		switch {
		case errors.As(err, &missing):
			say(" %v", err)
			return true
		case errors.Is(err, attempt.ErrNoAnswer):
			say(" %s: %v", c.name, err)
			return false
		case err != nil:
			say(" %s: %v", c.name, err)
			right = false
		case math.Abs(got-c.want) < 1e-8:
			say(" %s: %.4g - correct", c.name, got)
		default:
			say(" %s: %.4g - wrong, should be %.4g", c.name, got, c.want)
			right = false
		}
	}
	return right
}

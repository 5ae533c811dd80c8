package ada511

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// An Axis is one setting of a grid and its values.
type Axis struct {
	Name   string
	Values []float64
}

// Over makes an Axis.
func Over(name string, values ...float64) Axis { return Axis{name, values} }

// A Grid is what a search over two settings found.
type Grid struct {
	Rows, Columns Axis
	// Accuracy holds the mean accuracy over the folds of every pair of settings, a
	// slice for each value of Rows.
	Accuracy [][]float64
}

// Search scores every pair of settings by cross-validation on five folds of a data
// set, stratified and in the order of its rows: scikit-learn's StratifiedKFold(5).
// config makes the configuration of a pair, learn fits it.
func Search[C any, M mlcore.Classifier](learn func(C, *mlcore.Dataset) (M, error), config func(row, column float64) C,
	rows, columns Axis, ds *mlcore.Dataset) Grid {
	g := Grid{Rows: rows, Columns: columns}
	for _, row := range rows.Values {
		var line []float64
		for _, column := range columns.Values {
			c := config(row, column)
			train := func(ds *mlcore.Dataset) (M, error) { return learn(c, ds) }
			r, err := modelsel.CrossValidate(train, ds, modelsel.Options{Splitter: toChoose})
			orPanic(err)
			line = append(line, r.Mean())
		}
		g.Accuracy = append(g.Accuracy, line)
	}
	return g
}

// A stagedClassifier grows round by round and says what it would predict after each
// of them.
type stagedClassifier interface {
	StagedPredict(X mat.Matrix) (iter.Seq2[int, []int], error)
}

// SearchRounds is Search for models that grow by rounds, where rounds is the second
// setting, in rising order. The first rounds of a long training are the whole of a
// shorter one, so that one fit a fold answers for every number of rounds.
func SearchRounds[C any, M stagedClassifier](learn func(C, *mlcore.Dataset) (M, error), config func(row, rounds float64) C,
	rows, rounds Axis, ds *mlcore.Dataset) Grid {
	folds, err := toChoose.Split(modelsel.Rows{N: ds.Len(), Labels: ds.Y})
	orPanic(err)
	g := Grid{Rows: rows, Columns: rounds}
	most := rounds.Values[len(rounds.Values)-1]
	for _, row := range rows.Values {
		line := make([]float64, len(rounds.Values))
		for k := range folds.Len() {
			fold := folds.At(k)
			m, err := learn(config(row, most), ds.Subset(fold.Train))
			orPanic(err)
			held := ds.Subset(fold.Test)
			stages, err := m.StagedPredict(held.X)
			orPanic(err)
			for round, predicted := range stages {
				for j, v := range rounds.Values {
					if int(v) == round {
						a, err := metrics.Accuracy(held.Y, predicted, nil)
						orPanic(err)
						line[j] += a / float64(folds.Len())
					}
				}
			}
		}
		g.Accuracy = append(g.Accuracy, line)
	}
	return g
}

// Size is how many settings were tried.
func (g Grid) Size() int { return len(g.Rows.Values) * len(g.Columns.Values) }

// Settings says what a pair of settings is, "depth 10, least leaf 50".
func (g Grid) Settings(row, column int) string {
	return fmt.Sprintf("%s %g, %s %g", g.Rows.Name, g.Rows.Values[row], g.Columns.Name, g.Columns.Values[column])
}

// BestSettings says which pair of settings has the highest accuracy, the first of
// equals.
func (g Grid) BestSettings() string { return g.Settings(g.best()) }

func (g Grid) best() (row, column int) {
	for i, line := range g.Accuracy {
		for j, a := range line {
			if a > g.Accuracy[row][column] {
				row, column = i, j
			}
		}
	}
	return row, column
}

// Spread is the standard deviation of the accuracies of the grid.
func (g Grid) Spread() float64 {
	var all []float64
	for _, line := range g.Accuracy {
		all = append(all, line...)
	}
	return stat.StdDev(all, nil)
}

// Panel draws the grid. Darker cells have the higher accuracy, from the lowest to the highest,
// which stand below the title, and the highest has a frame.
func (g Grid) Panel(title string) *plotx.Panel {
	var table []modelsel.Row[struct{}]
	lowest := math.Inf(1)
	for i, row := range g.Rows.Values {
		for j, column := range g.Columns.Values {
			lowest = min(lowest, g.Accuracy[i][j])
			params := []modelsel.Param{{Name: g.Rows.Name, Value: fmt.Sprint(row)}, {Name: g.Columns.Name, Value: fmt.Sprint(column)}}
			table = append(table, modelsel.Row[struct{}]{
				Candidate: modelsel.Candidate[struct{}]{Params: params},
				Scores:    []modelsel.Scores{{Scorer: "accuracy", Test: []float64{g.Accuracy[i][j]}}},
			})
		}
	}
	row, column := g.best()
	table[row*len(g.Columns.Values)+column].Rank = 1
	title += fmt.Sprintf("\npale %.4f, dark %.4f", lowest, g.Accuracy[row][column])
	p, err := plotx.SearchMap(title, "%.4f", table)
	orPanic(err)
	return p
}

func orPanic(err error) {
	if err != nil {
		panic(errors.Join(errors.New("ada511"), err))
	}
}

package uci

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Frame has a row for each cell of the report's Tables 2 and 3, in their order: the algorithm,
// the set and its number of rows, the report's mean and standard deviation, and ours. It takes
// a result of all algorithms on all sets.
func (r *Result) Frame() dataframe.DataFrame {
	var algorithms, sets []string
	var rows []int
	var means, sds, ours, ourSDs []float64
	for _, row := range Rows() {
		for _, size := range trueSizes() {
			said, _ := Published(size.Set, row)
			c, _ := r.Cell(size.Set, row)
			algorithms, sets, rows = append(algorithms, string(row)), append(sets, size.Set.Name()), append(rows, size.Rows)
			means, sds = append(means, said.Mean), append(sds, said.SD)
			ours, ourSDs = append(ours, c.Mean), append(ourSDs, c.SD)
		}
	}
	return dataframe.New(
		series.New(algorithms, series.String, "algorithm"), series.New(sets, series.String, "set"), series.New(rows, series.Int, "rows"),
		series.New(means, series.Float, "mean"), series.New(sds, series.Float, "sd"),
		series.New(ours, series.Float, "ours"), series.New(ourSDs, series.Float, "our sd"))
}

// Grid is a column of a frame with the columns "algorithm" and "set", such as [Result.Frame], in
// the form of the report's tables: a line for each algorithm, a column for each set.
func Grid(df dataframe.DataFrame, column, verb string) [][]string {
	table := [][]string{append([]string{""}, setNames()...)}
	algorithms, sets, values := df.Col("algorithm").Records(), df.Col("set").Records(), df.Col(column).Float()
	for _, row := range Rows() {
		line := make([]string, len(table[0]))
		line[0] = string(row)
		for i, v := range values {
			if j := slices.Index(table[0], sets[i]); algorithms[i] == line[0] && j > 0 {
				line[j] = fmt.Sprintf(verb, v)
			}
		}
		table = append(table, line)
	}
	return table
}

// Distance is how far a mean is from the middle of the prediction interval of [Cell.Near], in half
// widths of it: a mean is near up to 1. Without at least two cuts that differ there is no
// interval, and the distance is 0 for the cuts' own mean and infinite for any other.
func (c Cell) Distance(mean float64) float64 {
	cuts := c.Cuts()
	middle, s := meanSD(cuts)
	off, r := math.Abs(mean-middle), float64(len(cuts))
	switch {
	case off < digit && s == 0:
		return 0
	case s == 0:
		return math.Inf(1)
	}
	return off / float64(s*math.Sqrt((r+1)/r*distuv.F{D1: 1, D2: r - 1}.Quantile(level)))
}

// Distances draws a number for each cell of Table 2, and returns the numbers as a table, too.
func Distances(title string, distance func(s Set, row Algorithm) float64) (plotx.Figure, [][]string) {
	m := mat.NewDense(len(Rows()), len(Sets()), nil)
	var names []string
	for i, row := range Rows() {
		names = append(names, string(row))
		for j, s := range Sets() {
			m.Set(i, j, distance(s, row))
		}
	}
	return must(plotx.Matrix(title, "", "", "%.1f", names, setNames(), m)), valueTable(names, m, "%.1f")
}

// RoundsTable has a row for each set: the report's mean of AdaBoost, ours with the rounds of
// [DefaultSettings], and ours with the rounds that a cross-validation within the training rows
// chooses, with the standard deviation and the distance of the report's mean from it.
func (r *Runs) RoundsTable() [][]string {
	table := [][]string{{"AdaBoost", "the report", "rounds by a look", "rounds by CV", "SD", "distance"}}
	for _, s := range Sets() {
		said, _ := Published(s, AdaBoost)
		look, _ := r.Stated.Cell(s, AdaBoost)
		cv := r.Variants[fmt.Sprintf("%s/%s/by-cv", s, AdaBoost)]
		line := []string{s.Name()}
		for _, v := range []float64{said.Mean, look.Mean, cv.Mean, cv.SD, cv.Distance(said.Mean)} {
			line = append(line, fmt.Sprintf("%.2f", v))
		}
		table = append(table, line)
	}
	return table
}

// CaseForm says what is wrong with the form of a test case of naive Bayes: rows of two attributes
// with the values 0 and 1, their classes, and a row to predict. It is "as asked" if nothing is.
func CaseForm(rows [][]float64, classes []int, row []float64) string {
	all := append(slices.Clone(rows), row)
	switch {
	case len(rows) == 0 || len(rows) > 10:
		return fmt.Sprintf("%d training rows", len(rows))
	case len(classes) != len(rows):
		return fmt.Sprintf("%d rows, but %d classes", len(rows), len(classes))
	case slices.ContainsFunc(all, func(r []float64) bool { return len(r) != 2 }):
		return "a row that has not two attributes"
	case slices.ContainsFunc(slices.Concat(all...), func(v float64) bool { return v != 0 && v != 1 }):
		return "a value that is neither 0 nor 1"
	case slices.Min(classes) != 0 || slices.Max(classes) != 1:
		return "not both classes, 0 and 1"
	}
	var twins [2]bool
	for i, r := range rows {
		if slices.Equal(r, row) {
			twins[classes[i]] = true
		}
	}
	switch twins {
	case [2]bool{}:
		return "the row to predict is no training row"
	case [2]bool{true, true}:
		return "training rows equal to the row, but of both classes"
	}
	return "as asked"
}

// CaseData is the data set of such a case. With swap the two classes are exchanged, with turn
// the rows come in reverse order.
func CaseData(rows [][]float64, classes []int, swap, turn bool) *mlcore.Dataset {
	X, y := mat.NewDense(len(rows), 2, nil), make([]int, len(rows))
	for i := range rows {
		from := i
		if turn {
			from = len(rows) - 1 - i
		}
		X.SetRow(i, rows[from])
		y[i] = classes[from]
		if swap {
			y[i] = 1 - y[i]
		}
	}
	return mlcore.FromMatrix(X, y, nil)
}

// OfCounts is the mean and the standard deviation, as [Cell.TenTimes] has them, of five folds of
// m rows with these numbers of right answers.
func OfCounts(counts []int, m int) Outcome {
	var c Cell
	for _, n := range counts {
		c.Accuracies = append(c.Accuracies, 100*float64(n)/float64(m))
	}
	return c.TenTimes()
}

// ShuffledCuts are the outcomes of n cuts of a set into five folds, with the rows shuffled, by
// naive Bayes with the last attribute or without it.
func ShuffledCuts(s Set, last bool, n int) ([]Outcome, error) {
	r, err := Experiment{
		Seed: 1, Repeats: n,
		Only: func(t Set, a Algorithm) bool { return t == s && a == NaiveBayes },
		Settings: func(s Set) Settings {
			c := DefaultSettings(s)
			c.SkipLast = !last
			return c
		},
	}.Run(context.Background())
	if err != nil {
		return nil, err
	}
	var list []Outcome
	for five := range slices.Chunk(r.Cells[0].Accuracies, modelsel.DefaultFolds) {
		list = append(list, Cell{Accuracies: five}.TenTimes())
	}
	return list, nil
}

// WithoutShares is the outcome of naive Bayes with all attributes but without the classes'
// shares of the rows, on a set in file order: a reading that fits Breast, and not Car.
func WithoutShares(s Set) (Outcome, error) {
	r, err := Experiment{
		Repeats: 1, Splitter: inFileOrder,
		Only: func(t Set, a Algorithm) bool { return t == s && a == NaiveBayes },
		Settings: func(s Set) Settings {
			c := DefaultSettings(s)
			c.Prior = bayes.Prior{Uniform: true}
			return c
		},
	}.Run(context.Background())
	if err != nil {
		return Outcome{}, err
	}
	return r.Cells[0].TenTimes(), nil
}

// TryReading runs one of the [Variants] and sets what it gives beside the report's numbers.
func TryReading(name string) (string, error) {
	v, err := VariantCalled(name)
	if err != nil {
		return "", err
	}
	c, err := v.Run(context.Background(), 1)
	if err != nil {
		return "", err
	}
	row := v.Algorithm
	if row.neighbours() {
		row = KNN
	}
	said, _ := Published(v.Set, row)
	ours := c.TenTimes()
	return fmt.Sprintf("%s: %.4f and %.4f\nthe report: %.4f and %.4f\nthe same to the last digit: %v",
		name, ours.Mean, ours.SD, said.Mean, said.SD, ours.Is(said)), nil
}

// FirstOfTied is the class that most of the neighbours have, of several the one that is first in
// the alphabet.
func FirstOfTied(near []string) string {
	counts := map[string]int{}
	for _, name := range near {
		counts[name]++
	}
	return slices.MinFunc(near, func(a, b string) int { return cmp.Or(counts[b]-counts[a], strings.Compare(a, b)) })
}

// CarVotes are the numbers of right answers of k-NN on five folds of Car in file order. Given the
// classes of the k training rows that differ from a test row in the fewest attributes, the
// earliest of equally near ones, vote makes one answer of them.
func CarVotes(k int, vote func(near []string) string) ([]int, error) {
	ds, err := Car.Load()
	if err != nil {
		return nil, err
	}
	folds, err := Experiment{Splitter: inFileOrder}.Split(Car, ds, 0)
	if err != nil {
		return nil, err
	}
	counts := make([]int, folds.Len())
	for f := range counts {
		train, test := ds.Subset(folds.At(f).Train), ds.Subset(folds.At(f).Test)
		m, err := neighbors.Config{Neighbors: k, Metric: neighbors.Hamming}.FitClassifier(train)
		if err != nil {
			return nil, err
		}
		rows, _, err := m.Neighbors(test.X, k)
		if err != nil {
			return nil, err
		}
		for i, nearest := range rows {
			names := make([]string, k)
			for j, row := range nearest {
				names[j] = ds.ClassNames[train.Y[row]]
			}
			counts[f] += count(vote(names) == ds.ClassNames[test.Y[i]])
		}
	}
	return counts, nil
}

// EcoliForest is the forest on Ecoli whose trees see numbers and five attributes, and test rows
// as well if seesTest is true.
func EcoliForest(seesTest bool) (Cell, error) {
	r, err := Experiment{
		Seed: 1,
		Only: func(s Set, a Algorithm) bool { return s == Ecoli && a == RandomForest },
		Settings: func(s Set) Settings {
			c := DefaultSettings(s)
			c.NumericTrees, c.TreeAttributes, c.SeesTest = true, 5, seesTest
			return c
		},
	}.Run(context.Background())
	if err != nil {
		return Cell{}, err
	}
	return r.Cells[0], nil
}

package ada511

import (
	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/sigtest"
	"gonum.org/v1/gonum/stat"
)

// Parts divides the rows of a data set at random: three fifths to learn from, one fifth
// to choose by, and one fifth to report on.
func Parts(ds *mlcore.Dataset, seed uint64) (fit, validation, report *mlcore.Dataset) {
	order, n := mlcore.NewRand(seed).Perm(ds.Len()), ds.Len()
	return ds.Subset(order[:3*n/5]), ds.Subset(order[3*n/5 : 4*n/5]), ds.Subset(order[4*n/5:])
}

// ProbabilitiesOf are the probabilities of class 1 for the rows of a data set.
func ProbabilitiesOf(m mlcore.ProbClassifier, ds *mlcore.Dataset) []float64 {
	p, err := m.PredictProba(ds.X)
	orPanic(err)
	column := make([]float64, ds.Len())
	for i := range column {
		column[i] = p.At(i, 1)
	}
	return column
}

// InFolds predicts every row of a data set by a model that has not seen it: for each of
// the folds of [TenFolds], predict learns from one part and predicts the classes of the
// other.
func InFolds(predict func(train, held *mlcore.Dataset) []int, ds *mlcore.Dataset) []int {
	folds, err := toCompare.Split(modelsel.Rows{N: ds.Len(), Labels: ds.Y})
	orPanic(err)
	predicted := make([]int, ds.Len())
	for k := range folds.Len() {
		fold := folds.At(k)
		for i, c := range predict(ds.Subset(fold.Train), ds.Subset(fold.Test)) {
			predicted[fold.Test[i]] = c
		}
	}
	return predicted
}

// FillMissing writes a text in the place of the missing values of a frame's text columns.
func FillMissing(df dataframe.DataFrame, text string) dataframe.DataFrame {
	for _, name := range df.Names() {
		column := df.Col(name)
		if column.Type() != series.String {
			continue
		}
		values := column.Records()
		for i, missing := range column.IsNaN() {
			if missing {
				values[i] = text
			}
		}
		df = df.Mutate(series.New(values, series.String, name))
	}
	return df
}

// FillCommonest replaces missing values of categorical columns by the commonest category
// of another data set, the one that was learned from.
func FillCommonest(ds, learned *mlcore.Dataset) *mlcore.Dataset {
	out := ds.Subset(all(ds.Len()))
	for j, c := range ds.Columns {
		if len(c.Levels) == 0 {
			continue
		}
		counts := make([]int, len(c.Levels))
		for i := range learned.Len() {
			if v := learned.X.At(i, j); v == v {
				counts[int(v)]++
			}
		}
		most := 0
		for level, n := range counts {
			if n > counts[most] {
				most = level
			}
		}
		for i := range ds.Len() {
			if v := out.X.At(i, j); v != v {
				out.X.Set(i, j, float64(most))
			}
		}
	}
	return out
}

func all(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// A Share is k of n people with Wilson's interval of 95 %.
type Share struct {
	What  string  `table:"share"`
	N     int     `table:"of people"`
	Share float64 `table:"is"`
	Low   float64 `table:"95 % from"`
	High  float64 `table:"to"`
}

// ShareOf is the share of those among n people for whom yes holds.
func ShareOf(what string, k, n int) Share {
	in, err := sigtest.WilsonInterval(k, n, 0.95)
	orPanic(err)
	return Share{what, n, in.Estimate, in.Lower, in.Upper}
}

// Above is a column for a frame of Adult: 1 for an income above 50,000 dollars, else 0.
func Above(df dataframe.DataFrame) series.Series {
	ones := make([]float64, df.Nrow())
	for i, income := range df.Col("income").Records() {
		if income == ">50K" {
			ones[i] = 1
		}
	}
	return series.New(ones, series.Float, "above")
}

// A FrameColumn is a column of a frame, its type, and how many values are missing.
type FrameColumn struct {
	Name    string `table:"column"`
	Type    string `table:"type"`
	Missing int    `table:"missing"`
}

// ColumnsOf describes the columns of a frame.
func ColumnsOf(df dataframe.DataFrame) (columns []FrameColumn) {
	for i, name := range df.Names() {
		c := FrameColumn{Name: name, Type: string(df.Types()[i])}
		for _, missing := range df.Col(name).IsNaN() {
			if missing {
				c.Missing++
			}
		}
		columns = append(columns, c)
	}
	return columns
}

// AtLeast is 1 where a probability is at least the threshold, else 0.
func AtLeast(p []float64, threshold float64) []int {
	out := make([]int, len(p))
	for i, v := range p {
		if v >= threshold {
			out[i] = 1
		}
	}
	return out
}

// Jobs is a small frame of two columns to try functions on: job and hours.
func Jobs(jobs []string, hours ...float64) dataframe.DataFrame {
	return dataframe.New(series.New(jobs, series.String, "job"), series.New(hours, series.Float, "hours"))
}

// A Rule is what a rule of decision costs over several draws, and how much more than the
// second rule of the table on the same draws.
type Rule struct {
	Name   string  `table:"rule"`
	Cost   float64 `table:"mean cost"`
	More   float64 `table:"more than rule 2"`
	SD     float64 `table:"standard deviation"`
	Dearer int     `table:"dearer in"`
}

// Rules are the rows of a table of rules: costs[d][k] is the cost of rule k in draw d.
func Rules(names []string, costs [][]float64) (rows []Rule) {
	for k, name := range names {
		var cost, more []float64
		r := Rule{Name: name}
		for _, c := range costs {
			cost, more = append(cost, c[k]), append(more, c[k]-c[1])
			if c[k] > c[1] {
				r.Dearer++
			}
		}
		r.Cost = stat.Mean(cost, nil)
		r.More, r.SD = stat.MeanStdDev(more, nil)
		rows = append(rows, r)
	}
	return rows
}

package co395

import (
	"fmt"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore/frame"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"gonum.org/v1/gonum/stat"
)

// A unitRow says what k-means makes of the same flowers in certain units.
type unitRow struct {
	Units      string
	Clusters   string  `table:"flowers in clusters"`
	Silhouette float64 `table:"mean silhouette"`
	Index      float64 `table:"adjusted Rand index"`
}

// InUnits clusters the rows of each frame into three without its column "class", and
// compares the clusters with that column. The result has a row for each of the named units.
// It panics on an error, as a cell would.
func InUnits(units []string, frames ...dataframe.DataFrame) (rows []unitRow) {
	for i, df := range frames {
		rows = append(rows, inUnits(units[i], df))
	}
	return rows
}

func inUnits(units string, df dataframe.DataFrame) unitRow {
	ds, err := frame.ToDataset(df, frame.Options{Label: "class"})
	if err != nil {
		panic(fmt.Errorf("co395: in %s: %w", units, err))
	}
	const k = 3
	labels, sizes := means(ds.X, k).Labels(), make([]int, k)
	for _, c := range labels {
		sizes[c]++
	}
	index, err := metrics.AdjustedRand(ds.Y, labels)
	if err != nil {
		panic(fmt.Errorf("co395: in %s: %w", units, err))
	}
	return unitRow{units, fmt.Sprintf("%d, %d, %d", sizes[0], sizes[1], sizes[2]), MeanSilhouette(ds.X, k), index}
}

// Standardised is df with mean 0 and standard deviation 1 in each column of numbers.
func Standardised(df dataframe.DataFrame) dataframe.DataFrame {
	for _, name := range df.Names() {
		if df.Col(name).Type() != series.Float {
			continue
		}
		x := df.Col(name).Float()
		mean, sd := stat.PopMeanStdDev(x, nil)
		for i := range x {
			x[i] = (x[i] - mean) / sd
		}
		df = df.Mutate(series.New(x, series.Float, name))
	}
	return df
}

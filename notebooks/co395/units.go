package co395

import (
	"fmt"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore/frame"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"gonum.org/v1/gonum/stat"
)

// A UnitRow says what k-means makes of the same flowers in certain units.
type UnitRow struct {
	Units      string
	Clusters   string  `table:"flowers in clusters"`
	Silhouette float64 `table:"mean silhouette"`
	Index      float64 `table:"adjusted Rand index"`
}

// InUnits clusters the rows of df into three without its column "class", and compares
// the clusters with that column. It panics on an error, as a cell would.
func InUnits(units string, df dataframe.DataFrame) UnitRow {
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
	return UnitRow{units, fmt.Sprintf("%d, %d, %d", sizes[0], sizes[1], sizes[2]), MeanSilhouette(ds.X, k), index}
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

package frame

import (
	"fmt"
	"math"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
)

// ToGota returns a Dataset as a frame: categories and classes by name as String
// columns, numbers as Float columns, missing values as NaN, and last the label
// or target, headed TargetName or else "label" or "target". Reading it back
// with [ToDataset] and the Dataset's levels gives the same codes. A frame has no place for
// the Dataset's weights.
func ToGota(ds *mlcore.Dataset) (dataframe.DataFrame, error) {
	if err := ds.Validate(); err != nil {
		return dataframe.DataFrame{}, err
	}
	n := ds.Len()
	var all []series.Series
	for j, c := range ds.Columns {
		if !c.Categorical() {
			values := make([]float64, n)
			for i := range values {
				values[i] = ds.X.At(i, j)
			}
			all = append(all, series.New(values, series.Float, c.Name))
			continue
		}
		codes := make([]int, n)
		for i := range codes {
			if v := ds.X.At(i, j); math.IsNaN(v) {
				codes[i] = len(c.Levels)
			} else {
				codes[i] = int(v)
			}
		}
		all = append(all, textSeries(c.Levels, codes, c.Name))
	}
	if ds.Y != nil {
		all = append(all, textSeries(ds.ClassNames, ds.Y, heading(ds, "label")))
	}
	if ds.Target != nil {
		name := heading(ds, "target")
		if ds.Y != nil {
			name = "target"
		}
		all = append(all, series.New(ds.Target, series.Float, name))
	}
	df := dataframe.New(all...)
	if df.Err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("%s%w", given.Prefix(ds.Name), df.Err)
	}
	return df, nil
}

// textSeries makes a String column of codes; the code after the last is NaN.
func textSeries(levels []string, codes []int, name string) series.Series {
	values := make([]any, len(levels)+1)
	for i, l := range levels {
		values[i] = l
	}
	return series.New(values, series.String, name).Subset(codes)
}

func heading(ds *mlcore.Dataset, fallback string) string {
	if ds.TargetName != "" {
		return ds.TargetName
	}
	return fallback
}

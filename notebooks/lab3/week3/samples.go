package week3

import (
	"fmt"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/frame"
)

// dataFile is the hand-out's file, which is in the course's data.
const dataFile = "week_3_data.csv"

// samples are the rows of a file with each of its two labels.
type samples struct {
	from          string
	multi, binary labelled
}

// labelled holds all rows of a file with one of its labels, and the first rows, which
// models learn from.
type labelled struct{ all, train *mlcore.Dataset }

// loadSamples reads the data and refuses settings that do not fit them.
func loadSamples(o Options) (samples, error) {
	s := samples{from: o.Data}
	df, err := readFrame(&s.from)
	if err != nil {
		return s, err
	}
	for _, label := range []struct {
		column string
		to     *labelled
	}{{"Multi", &s.multi}, {"Binary", &s.binary}} {
		ds, err := frame.ToDataset(df, frame.Options{Name: s.from, Label: label.column, Features: []string{"X1", "X2"}})
		if err != nil {
			return s, fmt.Errorf("%s: %w", s.from, err)
		}
		*label.to = labelled{ds, ds.Subset(firstRows(min(o.Samples, ds.Len())))}
		if err := checkClasses(label.column, label.to.train); err != nil {
			return s, fmt.Errorf("%s: %w", s.from, err)
		}
	}
	if k := s.binary.all.NumClasses(); k > 2 {
		return s, fmt.Errorf("%s: %w: column Binary holds %d classes, %q; AdaBoost here takes two", s.from, mlcore.ErrLabel, k, s.binary.all.ClassNames)
	}
	n := s.multi.train.Len()
	if o.Neighbours > n {
		return s, fmt.Errorf("%w: %d neighbours of only %d samples; lower -k or raise -n", mlcore.ErrConfig, o.Neighbours, n)
	}
	if o.MinSize > n {
		return s, fmt.Errorf("%w: nodes of at least %d samples, and there are only %d; lower -m or raise -n", mlcore.ErrConfig, o.MinSize, n)
	}
	return s, nil
}

// readFrame reads the named file or, where the name is empty, the hand-out's,
// and puts the source's name in its place.
func readFrame(from *string) (dataframe.DataFrame, error) {
	if *from == "" {
		*from = dataFile
		return datasets.Load("week3")
	}
	return datasets.ReadCSVFile(*from,
		datasets.Column{Name: "X1", Type: series.Float},
		datasets.Column{Name: "X2", Type: series.Float},
		datasets.Column{Name: "Binary", Type: series.Int},
		datasets.Column{Name: "Multi", Type: series.Int},
	)
}

func firstRows(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// checkClasses refuses labels that are all the same among the rows in use.
func checkClasses(column string, ds *mlcore.Dataset) error {
	for _, c := range ds.Y {
		if c != ds.Y[0] {
			return nil
		}
	}
	return fmt.Errorf("%w: column %s is %q in all of the first %d rows; use more rows or other data", mlcore.ErrOneClass, column, ds.ClassNames[ds.Y[0]], ds.Len())
}

package uci

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
)

// Intervals is the number of categories (A, B, C, D) that the report makes of each
// number of Ecoli.
const Intervals = 4

// A View is what a learner sees of a fold: training and test rows.
type View struct{ Train, Test *mlcore.Dataset }

// A Prepared is one fold of a set, ready for every algorithm.
type Prepared struct {
	// Categories holds level codes only.
	Categories View
	// Numbers holds the numbers behind them, for numeric distances. It is nil
	// for sets that have none.
	Numbers *View
}

// Prepare makes a fold of what [Set.Load] returned. Everything that is learnt from
// values is learnt from the training rows: the commonest value, which takes the
// place of missing ones, and the ends of Ecoli's four intervals of equal width.
func (s Set) Prepare(ds *mlcore.Dataset, fold modelsel.Fold) (*Prepared, error) {
	v := View{ds.Subset(fold.Train), ds.Subset(fold.Test)}
	p := &Prepared{Categories: v}
	var err error
	switch s {
	case Breast:
		if v, err = fitted(preprocess.ImputerConfig{}.Fit, v); err != nil {
			return nil, err
		}
		p.Categories, p.Numbers = v, &View{codesAsNumbers(v.Train), codesAsNumbers(v.Test)}
	case Ecoli:
		p.Numbers = &v
		if p.Categories, err = fitted(preprocess.DiscretizerConfig{Bins: Intervals, Letters: true}.Fit, v); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// codesAsNumbers takes the codes of a Dataset for the numbers that they stand for.
// Codes 0 to 9 are the numbers 1 to 10 less one, and that makes no difference to the
// distances between rows.
func codesAsNumbers(ds *mlcore.Dataset) *mlcore.Dataset {
	numbers := *ds
	numbers.Columns = make([]mlcore.Column, len(ds.Columns))
	for j, c := range ds.Columns {
		numbers.Columns[j].Name = c.Name
	}
	return &numbers
}

// fitted fits a transformer to the training rows and applies it to both parts.
func fitted[T preprocess.Transformer](fit func(*mlcore.Dataset) (T, error), v View) (View, error) {
	t, err := fit(v.Train)
	if err != nil {
		return v, fmt.Errorf("uci: %w", err)
	}
	if v.Train, err = t.Transform(v.Train); err == nil {
		v.Test, err = t.Transform(v.Test)
	}
	if err != nil {
		return v, fmt.Errorf("uci: %w", err)
	}
	return v, nil
}

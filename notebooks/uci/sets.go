package uci

import (
	"fmt"
	"math"
	"strconv"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
)

// A Set is one of the five data sets, by the letter that heads its column in the
// report's tables.
type Set string

// The sets, in the order of Table 2.
const (
	Car      Set = "C"
	Breast   Set = "B"
	Ecoli    Set = "E"
	Mushroom Set = "M"
	Letter   Set = "L"
)

// Sets lists the sets in the order of Table 2.
func Sets() []Set { return []Set{Car, Breast, Ecoli, Mushroom, Letter} }

// Name is the set's name in the catalogue of package datasets. It is "" for a Set
// that there is not.
func (s Set) Name() string {
	switch s {
	case Car:
		return "car"
	case Breast:
		return "breast"
	case Ecoli:
		return "ecoli"
	case Mushroom:
		return "mushroom"
	case Letter:
		return "letter"
	}
	return ""
}

// number is the set's place in the derivation of seeds, which a change of order
// must not change.
func (s Set) number() uint64 { return uint64(s[0]) }

// HasNumbers reports whether the report measures numeric distances on the set.
func (s Set) HasNumbers() bool { return s == Breast || s == Ecoli }

// Load returns the set as it is before it is cut into folds. Columns are
// categories with the values that occur in the file, except that those of Breast
// are 1 to 10, those of Letter 0 to 15, and those of Ecoli are numbers, which
// [Prepare] makes categories of. Mushroom is without stalk-root. Missing values of
// Breast are NaN.
func (s Set) Load() (*mlcore.Dataset, error) {
	if s.Name() == "" {
		return nil, fmt.Errorf("uci: %w: there is no set %q; there are %q", mlcore.ErrConfig, string(s), Sets())
	}
	ds, err := datasets.LoadDataset(s.Name())
	if err != nil {
		return nil, fmt.Errorf("uci: %w", err)
	}
	switch s {
	case Breast:
		return wholeNumbers(ds, 1, 10)
	case Letter:
		return wholeNumbers(ds, 0, 15)
	case Mushroom:
		return without(ds, "stalk-root")
	}
	return ds, nil
}

// wholeNumbers makes categories of columns that hold the whole numbers least to
// greatest.
func wholeNumbers(ds *mlcore.Dataset, least, greatest int) (*mlcore.Dataset, error) {
	levels := make([]string, 0, greatest-least+1)
	for v := least; v <= greatest; v++ {
		levels = append(levels, strconv.Itoa(v))
	}
	rows := make([]int, ds.Len())
	for i := range rows {
		rows[i] = i
	}
	out := ds.Subset(rows)
	out.Columns = make([]mlcore.Column, ds.NumFeatures())
	for j, c := range ds.Columns {
		out.Columns[j] = mlcore.Column{Name: c.Name, Levels: levels}
	}
	for i := range rows {
		row := out.X.RawRowView(i)
		for j, v := range row {
			if !math.IsNaN(v) {
				row[j] = v - float64(least)
			}
		}
	}
	if err := out.Validate(); err != nil {
		return nil, fmt.Errorf("uci: %w", err)
	}
	return out, nil
}

func without(ds *mlcore.Dataset, column string) (*mlcore.Dataset, error) {
	var names []string
	for _, name := range ds.FeatureNames() {
		if name != column {
			names = append(names, name)
		}
	}
	return ds.Select(names...)
}

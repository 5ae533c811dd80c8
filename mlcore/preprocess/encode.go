package preprocess

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// UnknownNumber stands for an unknown level among ordinal numbers, which start
// at 0.
const UnknownNumber = -1

// OneHotConfig replaces each categorical column by one numeric column for each of
// its known levels, named "column=level", that is 1 where the row has that level
// and else 0. A missing value is an error; impute it first. The zero value encodes
// all categorical columns.
type OneHotConfig struct {
	// Unknown says what other rows get for a level that no training row has:
	// [mlcore.UnknownError], or [mlcore.UnknownIgnore], which gives zeros in all of
	// the one-hot columns. A pipeline then also ignores categories that the column
	// does not list.
	Unknown mlcore.Unknown
	// AllLevels makes all levels known that the column lists, and not only
	// those that training rows have.
	AllLevels bool
	// DropFirst leaves out the column of the first known level, which the others
	// determine, as linear models without a penalty need.
	DropFirst bool
	// Columns names those to encode; nil means all categorical ones.
	Columns []string
}

// Fit finds the known levels in the training rows.
func (c OneHotConfig) Fit(train *mlcore.Dataset) (*OneHot, error) {
	e, err := fitEncoder(train, c.Columns, c.Unknown, c.AllLevels)
	if err != nil {
		return nil, err
	}
	m := &OneHot{encoder: e, dropFirst: c.DropFirst}
	if m.describe(); len(m.out) == 0 {
		return nil, dataError(train, mlcore.ErrColumn, "every column has one level only and DropFirst leaves none")
	}
	return m, nil
}

// FitStep is Fit for a pipeline.
func (c OneHotConfig) FitStep(train *mlcore.Dataset) (FittedStep, error) {
	return fitStep(c.Fit, train)
}

// OrdinalConfig turns categories into numbers: a level becomes its place, from
// 0, among the known levels in the order in which the column lists them. A
// missing value stays missing. The zero value encodes all categorical columns.
type OrdinalConfig struct {
	// Unknown says what other rows get for a level that no training row has:
	// [mlcore.UnknownError], or [mlcore.UnknownIgnore], which makes it
	// [UnknownNumber]. See [OneHotConfig].
	Unknown mlcore.Unknown
	// AllLevels makes all levels known that the column lists, and not only
	// those that training rows have, so that a number is a level's code.
	AllLevels bool
	// Columns names those to encode; nil means all categorical ones.
	Columns []string
}

// Fit finds the known levels in the training rows.
func (c OrdinalConfig) Fit(train *mlcore.Dataset) (*Ordinal, error) {
	e, err := fitEncoder(train, c.Columns, c.Unknown, c.AllLevels)
	if err != nil {
		return nil, err
	}
	m := &Ordinal{encoder: e}
	m.describe()
	return m, nil
}

// FitStep is Fit for a pipeline.
func (c OrdinalConfig) FitStep(train *mlcore.Dataset) (FittedStep, error) {
	return fitStep(c.Fit, train)
}

// encoder is what the two have in common.
type encoder struct {
	shape
	ignore bool
	picked []int
	places [][]int // of the levels of the picked columns; -1: unknown
}

func fitEncoder(train *mlcore.Dataset, names []string, unknown mlcore.Unknown, all bool) (encoder, error) {
	e := encoder{ignore: unknown == mlcore.UnknownIgnore}
	if !e.ignore && unknown != mlcore.UnknownError {
		return e, configError("Unknown is %d; an encoder has UnknownError and UnknownIgnore, columns have the others", int(unknown))
	}
	var err error
	if e.picked, err = start(train, names, categorical); err != nil {
		return e, err
	}
	e.in = slices.Clone(train.Columns)
	for _, j := range e.picked {
		places := make([]int, len(train.Columns[j].Levels))
		for _, v := range present(train, j) {
			places[int(v)] = 1
		}
		next := 0
		for l, seen := range places {
			places[l] = -1
			if all || seen == 1 {
				places[l] = next
				next++
			}
		}
		if next == 0 {
			return e, columnError(train, mlcore.ErrEmpty, j, "has no value in the training rows; drop it")
		}
		e.places = append(e.places, places)
	}
	return e, nil
}

// ignores reports whether unknown categories of column j, or of the one that it was
// fitted to, are ignored.
func (e *encoder) ignores(j int) bool {
	_, picked := slices.BinarySearch(e.picked, j)
	return picked && e.ignore
}

// known returns how many levels of a picked column are known.
func (e *encoder) known(p int) int { return slices.Max(e.places[p]) + 1 }

// Known returns the names of the known levels of column j, in order; nil for a
// column that is not encoded.
func (e *encoder) Known(j int) []string {
	p, ok := slices.BinarySearch(e.picked, j)
	if !ok {
		return nil
	}
	names := make([]string, 0, e.known(p))
	for l, place := range e.places[p] {
		if place >= 0 {
			names = append(names, e.in[j].Levels[l])
		}
	}
	return names
}

// place returns the place of code v among the known levels of a picked column, -1
// for an unknown one that is to be ignored.
func (e *encoder) place(p int, v float64) (int, error) {
	places := e.places[p]
	l := int(v)
	if l < 0 || float64(l) != v || l >= len(places) && !e.ignore {
		return 0, fmt.Errorf("%w: code %v of %d levels (set Unknown to UnknownIgnore if that may be)", mlcore.ErrLevel, v, len(places))
	}
	if l < len(places) && places[l] >= 0 {
		return places[l], nil
	}
	if !e.ignore {
		return 0, fmt.Errorf("%w: level %q is in no training row (set Unknown or AllLevels if that may be)", mlcore.ErrLevel, e.in[e.picked[p]].Levels[l])
	}
	return -1, nil
}

// A OneHot is a fitted [OneHotConfig].
type OneHot struct {
	encoder
	dropFirst bool
}

// describe derives the columns that come out.
func (m *OneHot) describe() {
	m.out = nil
	for j, c := range m.in {
		known := m.Known(j)
		if known == nil {
			m.out = append(m.out, c)
			continue
		}
		if m.dropFirst {
			known = known[1:]
		}
		for _, level := range known {
			m.out = append(m.out, mlcore.Column{Name: c.Name + "=" + level})
		}
	}
}

func (m *OneHot) mapRow(dst, src []float64) (int, error) {
	at, p := 0, 0
	for j, v := range src {
		if p == len(m.picked) || m.picked[p] != j {
			dst[at] = v
			at++
			continue
		}
		if v != v {
			return j, fmt.Errorf("%w: a missing category; impute it first", mlcore.ErrNonFinite)
		}
		place, err := m.place(p, v)
		if err != nil {
			return j, err
		}
		width := m.known(p)
		if m.dropFirst {
			place, width = place-1, width-1
		}
		clear(dst[at : at+width])
		if place >= 0 {
			dst[at+place] = 1
		}
		at += width
		p++
	}
	return 0, nil
}

// Transform encodes; see [Transformer].
func (m *OneHot) Transform(ds *mlcore.Dataset) (*mlcore.Dataset, error) { return transform(m, ds) }

// TransformRows encodes; see [Transformer].
func (m *OneHot) TransformRows(X mat.Matrix) (*mat.Dense, error) { return transformRows(m, X) }

// An Ordinal is a fitted [OrdinalConfig].
type Ordinal struct{ encoder }

// describe derives the columns that come out.
func (m *Ordinal) describe() {
	m.out = slices.Clone(m.in)
	for _, j := range m.picked {
		m.out[j].Levels = nil
	}
}

func (m *Ordinal) mapRow(dst, src []float64) (int, error) {
	copy(dst, src)
	for p, j := range m.picked {
		if math.IsNaN(src[j]) {
			continue
		}
		place, err := m.place(p, src[j])
		if err != nil {
			return j, err
		}
		if place < 0 {
			place = UnknownNumber
		}
		dst[j] = float64(place)
	}
	return 0, nil
}

// Transform encodes; see [Transformer].
func (m *Ordinal) Transform(ds *mlcore.Dataset) (*mlcore.Dataset, error) { return transform(m, ds) }

// TransformRows encodes; see [Transformer].
func (m *Ordinal) TransformRows(X mat.Matrix) (*mat.Dense, error) { return transformRows(m, X) }

package preprocess

import (
	"fmt"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// A Transformer is what a configuration's Fit makes. It is immutable and safe for
// concurrent use.
type Transformer interface {
	// InputColumns are the columns it was fitted to.
	InputColumns() []mlcore.Column
	// Columns are the columns that come out.
	Columns() []mlcore.Column
	// Transform returns a new Dataset with the changed columns and the same
	// labels. Columns of another name or with other levels than
	// [Transformer.InputColumns] are an error that wraps [mlcore.ErrColumn].
	Transform(ds *mlcore.Dataset) (*mlcore.Dataset, error)
	// TransformRows is Transform for bare rows, whose columns are taken to be
	// InputColumns.
	TransformRows(X mat.Matrix) (*mat.Dense, error)
}

// A Step is a configuration that a pipeline can fit.
type Step interface {
	// FitStep fits the step to training data. The Dataset has labels in Y or
	// Target as the task asks.
	FitStep(train *mlcore.Dataset) (FittedStep, error)
}

// A FittedStep is what a step does to training data and to rows that are
// predicted.
type FittedStep struct {
	// Transformer changes both; nil leaves them as they are.
	Transformer Transformer
	// Rows are the training rows that go on, in order; a row may be repeated.
	// Nil is all of them.
	Rows []int
	// Train, where not nil, is what the training rows become, for a step such as
	// [TargetEncoderConfig] that treats them differently from rows that are
	// predicted. It has the columns of Transformer, and Rows is nil.
	Train *mlcore.Dataset
}

// shape is what goes into a transformer and what comes out.
type shape struct{ in, out []mlcore.Column }

// InputColumns are the columns that the step was fitted to.
func (s *shape) InputColumns() []mlcore.Column { return slices.Clone(s.in) }

// Columns are the columns that come out.
func (s *shape) Columns() []mlcore.Column { return slices.Clone(s.out) }

func (s *shape) base() *shape { return s }

// A rowMap changes a row at a time.
type rowMap interface {
	base() *shape
	// mapRow fills dst from src, which is only read. Where it cannot, it
	// returns the column of src and why. It is called for several rows at once.
	mapRow(dst, src []float64) (column int, err error)
}

// A blockMap changes many rows at a time, faster than one after the other.
type blockMap interface {
	rowMap
	// mapBlock is mapRow for each of the rows of dst, which have len(Columns()) numbers,
	// from the rows of src in the same order. row is where an error is, from 0.
	mapBlock(dst []float64, rows int, src func(row int) []float64) (row, column int, err error)
}

func transformRows(m rowMap, X mat.Matrix) (*mat.Dense, error) {
	out, err := mapRows(m, X)
	if err != nil {
		return nil, fmt.Errorf("preprocess: %w", err)
	}
	return out, nil
}

func mapRows(m rowMap, X mat.Matrix) (*mat.Dense, error) {
	s := m.base()
	if err := mlcore.CheckFeatures(X, len(s.in)); err != nil {
		return nil, err
	}
	if err := mlcore.CheckMatrix(X, true); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	out := mat.NewDense(n, len(s.out), nil)
	cost := len(s.in) + len(s.out)
	if c, ok := m.(interface{ rowCost() int }); ok {
		cost += c.rowCost()
	}
	size := 1 + chunkValues/cost
	if _, ok := m.(blockMap); ok {
		size = max(size, blockRows)
	}
	err := par.Chunks(n, size, 0, func(lo, hi int) error {
		read := given.Rows(X)
		if m, ok := m.(blockMap); ok {
			dst := out.RawMatrix().Data[lo*len(s.out) : hi*len(s.out)]
			if i, j, err := m.mapBlock(dst, hi-lo, func(row int) []float64 { return read(lo + row) }); err != nil {
				return fmt.Errorf("%w: in row %d, column %d (%s)", err, lo+i, j, s.in[j].Name)
			}
			return nil
		}
		for i := lo; i < hi; i++ {
			if j, err := m.mapRow(out.RawRowView(i), read(i)); err != nil {
				return fmt.Errorf("%w: in row %d, column %d (%s)", err, i, j, s.in[j].Name)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// chunkValues is about how many numbers a goroutine reads and writes at a time; fewer
// are not worth its start.
const chunkValues = 1 << 16

// blockRows is how many rows a blockMap gets at a time at least, where there are as many.
const blockRows = 128

func transform(m rowMap, ds *mlcore.Dataset) (*mlcore.Dataset, error) {
	s := m.base()
	if len(s.in) == 0 {
		return nil, fmt.Errorf("preprocess: %w", mlcore.ErrNotFitted)
	}
	if ds == nil {
		return nil, fmt.Errorf("preprocess: %w: the Dataset is nil", mlcore.ErrEmpty)
	}
	if err := sameColumns(s.in, ds.Columns); err != nil {
		return nil, fmt.Errorf("preprocess: %s%w", given.Prefix(ds.Name), err)
	}
	out := *ds
	out.Columns = slices.Clone(s.out)
	if ds.Len() == 0 {
		out.X = nil
		return &out, nil
	}
	var err error
	if out.X, err = mapRows(m, ds.X); err != nil {
		return nil, fmt.Errorf("preprocess: %s%w", given.Prefix(ds.Name), err)
	}
	return &out, nil
}

// sameColumns refuses data in which codes or places mean something else.
func sameColumns(want, got []mlcore.Column) error {
	if len(got) != len(want) {
		return fmt.Errorf("%w: %d columns, the step was fitted to %d", mlcore.ErrColumn, len(got), len(want))
	}
	for j, c := range got {
		if c.Name != want[j].Name {
			return fmt.Errorf("%w: column %d is %q, the step was fitted to %q", mlcore.ErrColumn, j, c.Name, want[j].Name)
		}
		if c.Categorical() != want[j].Categorical() || !slices.Equal(c.Levels, want[j].Levels) {
			return fmt.Errorf("%w: column %d (%s) has levels %q, the step was fitted to %q; encode both data sets with one frame.Encoder", mlcore.ErrColumn, j, c.Name, c.Levels, want[j].Levels)
		}
	}
	return nil
}

// pick returns the places of the named columns, ascending, or of all those of the
// wanted kind. Naming one of the other kind is an error.
func pick(ds *mlcore.Dataset, names []string, kind columnKind) ([]int, error) {
	var picked []int
	if names == nil {
		for j, c := range ds.Columns {
			if kind == anyColumn || c.Categorical() == (kind == categorical) {
				picked = append(picked, j)
			}
		}
		return picked, nil
	}
	for _, name := range names {
		j := slices.IndexFunc(ds.Columns, func(c mlcore.Column) bool { return c.Name == name })
		if j < 0 {
			return nil, fmt.Errorf("%w: no column %q; there are %q", mlcore.ErrColumn, name, ds.FeatureNames())
		}
		if slices.Contains(picked, j) {
			return nil, fmt.Errorf("%w: column %q is named twice", mlcore.ErrColumn, name)
		}
		if kind != anyColumn && ds.Columns[j].Categorical() != (kind == categorical) {
			return nil, fmt.Errorf("%w: column %q is not %s", mlcore.ErrColumn, name, kind)
		}
		picked = append(picked, j)
	}
	slices.Sort(picked)
	return picked, nil
}

type columnKind int

const (
	anyColumn columnKind = iota
	numeric
	categorical
)

func (k columnKind) String() string {
	return [...]string{"of any kind", "numeric", "categorical"}[k]
}

// start checks training data and picks columns: how every Fit begins.
func start(ds *mlcore.Dataset, names []string, kind columnKind) ([]int, error) {
	return startBy((*mlcore.Dataset).Validate, ds, names, kind)
}

func startBy(check func(*mlcore.Dataset) error, ds *mlcore.Dataset, names []string, kind columnKind) ([]int, error) {
	if err := check(ds); err != nil {
		return nil, fmt.Errorf("preprocess: %w", err)
	}
	picked, err := pick(ds, names, kind)
	if err != nil {
		return nil, fmt.Errorf("preprocess: %s%w", given.Prefix(ds.Name), err)
	}
	return picked, nil
}

// dataError says what is wrong with a data set.
func dataError(ds *mlcore.Dataset, sentinel error, format string, args ...any) error {
	return fmt.Errorf("preprocess: %s%w: %s", given.Prefix(ds.Name), sentinel, fmt.Sprintf(format, args...))
}

// columnError says what is wrong with column j.
func columnError(ds *mlcore.Dataset, sentinel error, j int, format string, args ...any) error {
	return dataError(ds, sentinel, "column %d (%s) %s", j, ds.Columns[j].Name, fmt.Sprintf(format, args...))
}

func configError(format string, args ...any) error {
	return fmt.Errorf("preprocess: %w: %s", mlcore.ErrConfig, fmt.Sprintf(format, args...))
}

// present returns the values of column j that are not missing, in row order.
func present(ds *mlcore.Dataset, j int) []float64 { return withoutMissing(column(ds, j)) }

// withoutMissing returns the values that are not missing, in place.
func withoutMissing(v []float64) []float64 {
	at := slices.IndexFunc(v, func(x float64) bool { return x != x })
	if at < 0 {
		return v
	}
	kept := v[:at]
	for _, x := range v[at:] {
		if x == x {
			kept = append(kept, x)
		}
	}
	return kept
}

// column returns the values of column j.
func column(ds *mlcore.Dataset, j int) []float64 {
	raw := ds.X.RawMatrix()
	v := make([]float64, raw.Rows)
	for i, at := 0, j; i < len(v); i++ {
		v[i] = raw.Data[at]
		at += raw.Stride
	}
	return v
}

// columnsAtOnce is how many columns are read at a time: neighbours share the lines of a
// processor's cache.
const columnsAtOnce = 8

// eachColumn calls use with the place of each of the columns and its values, which it may
// change and not keep.
func eachColumn(ds *mlcore.Dataset, columns []int, workers int, use func(p int, values []float64) error) error {
	if ds.Len()*len(columns) < chunkValues {
		workers = 1
	}
	n, raw := ds.Len(), ds.X.RawMatrix()
	room := func() []float64 { return make([]float64, n*min(columnsAtOnce, len(columns))) }
	return par.DoWith((len(columns)+columnsAtOnce-1)/columnsAtOnce, workers, room, func(values []float64, group int) error {
		first := group * columnsAtOnce
		js := columns[first:min(len(columns), first+columnsAtOnce)]
		for i := range n {
			row := raw.Data[i*raw.Stride:][:raw.Cols]
			for at, j := range js {
				values[at*n+i] = row[j]
			}
		}
		for at := range js {
			if err := use(first+at, values[at*n:][:n:n]); err != nil {
				return err
			}
		}
		return nil
	})
}

// fitStep makes a Fit method the FitStep of a pipeline.
func fitStep[T Transformer](fit func(*mlcore.Dataset) (T, error), train *mlcore.Dataset) (FittedStep, error) {
	t, err := fit(train)
	if err != nil {
		return FittedStep{}, err
	}
	return FittedStep{Transformer: t}, nil
}

// copyOthers copies the values of a row but those of the picked columns, which ascend, to
// the front of dst and returns how many there are. A picked one that is missing is an error
// about column j.
func copyOthers(dst, src []float64, picked []int) (n, j int, err error) {
	p := 0
	for j, v := range src {
		if p < len(picked) && picked[p] == j {
			if v != v {
				return 0, j, fmt.Errorf("%w: a missing value; impute it first", mlcore.ErrNonFinite)
			}
			p++
			continue
		}
		dst[n] = v
		n++
	}
	return n, 0, nil
}

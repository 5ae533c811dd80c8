package datasets

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/frame"
)

// Load returns a set as a gota frame with the columns and types of its
// catalogue entry; missing values are NaN. The parts of a set that comes in
// parts are stacked in order. A file that is not at hand is an error that wraps
// [ErrNotFound] and says which command fetches it.
func Load(name string) (dataframe.DataFrame, error) {
	return load(name, func(File) bool { return true })
}

// LoadPart returns the "train" or "test" part of a set, as [Load] returns the
// whole. A set without such parts is an error.
func LoadPart(name, part string) (dataframe.DataFrame, error) {
	return load(name, func(f File) bool { return f.Part == part })
}

func load(name string, want func(File) bool) (dataframe.DataFrame, error) {
	set, err := Lookup(name)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	return read(set, want, frame.CSV.Frame)
}

// read makes something of the rows of the files of a set that are wanted.
func read[T any](set Set, want func(File) bool, of func(frame.CSV, io.Reader, ...frame.Field) (T, error)) (T, error) {
	var none T
	wanted := slices.DeleteFunc(slices.Clone(set.Files), func(f File) bool { return !want(f) })
	if len(wanted) == 0 {
		return none, fmt.Errorf("%s: %w: it has no such part", set.Name, ErrUnknown)
	}
	how, rows := frame.CSV{Separator: wanted[0].layout.separator}, new(bytes.Buffer)
	if !wanted[0].layout.header {
		for _, c := range set.Columns {
			how.Names = append(how.Names, c.Name)
		}
	}
	size := 0
	for _, f := range wanted {
		size += int(f.Size) + 1
	}
	rows.Grow(size)
	for k, f := range wanted {
		data, err := f.read(set.Name)
		if err != nil {
			return none, err
		}
		if f.layout.clean != nil {
			data = f.layout.clean(data)
		}
		if f.layout.header && k > 0 {
			_, data, _ = bytes.Cut(data, []byte("\n"))
		}
		rows.Write(data)
		rows.WriteByte('\n')
	}
	made, err := of(how, rows, fields(set.Columns)...)
	if err != nil {
		return none, inSet(set.Name, err)
	}
	return made, nil
}

func fields(columns []Column) []frame.Field {
	all := make([]frame.Field, len(columns))
	for j, c := range columns {
		all[j] = frame.Field{Name: c.Name, Type: c.Type, Missing: c.Missing}
	}
	return all
}

// Iris returns the 150 flowers of the set "iris".
func Iris() (dataframe.DataFrame, error) { return Load("iris") }

// Car returns the 1,728 cars of the set "car".
func Car() (dataframe.DataFrame, error) { return Load("car") }

// Synthetic returns the 178 points of the set "synthetic".
func Synthetic() (dataframe.DataFrame, error) { return Load("synthetic") }

// IncomeTrain returns the 11,306 training rows of the set "income".
func IncomeTrain() (dataframe.DataFrame, error) { return LoadPart("income", "train") }

// IncomeTest returns the 33,915 test rows of the set "income".
func IncomeTest() (dataframe.DataFrame, error) { return LoadPart("income", "test") }

// AdultTrain returns the 32,561 training rows of the set "adult".
func AdultTrain() (dataframe.DataFrame, error) { return LoadPart("adult", "train") }

// AdultTest returns the 16,281 test rows of the set "adult".
func AdultTest() (dataframe.DataFrame, error) { return LoadPart("adult", "test") }

// LoadDataset returns a set as an [mlcore.Dataset]: the columns that can be
// learnt from, text columns as categories, and class labels or a target. The
// label or target is the set's usual one unless another of its Targets is named:
//
//	multi, err := datasets.LoadDataset("synthetic")
//	binary, err := datasets.LoadDataset("synthetic", "Binary")
//
// Rows without a target are left out; other missing values are NaN. Classes
// bear the names of the catalogue's LevelNames where it has them.
func LoadDataset(name string, target ...string) (*mlcore.Dataset, error) {
	set, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	columns, err := read(set, func(File) bool { return true }, frame.CSV.Columns)
	if err != nil {
		return nil, err
	}
	return toDataset(set, columns, target)
}

// LoadSplit is [LoadDataset] cut into the published training and test rows: the
// parts of "adult" and "income", and the first 16,000 and last 4,000 rows of
// "letter". Codes mean the same in both, also those of categories that occur in
// one only. A set without a published split is an error.
func LoadSplit(name string, target ...string) (train, test *mlcore.Dataset, err error) {
	set, err := Lookup(name)
	if err != nil {
		return nil, nil, err
	}
	n := set.trainRows
	if n == 0 && set.Files[0].Part == "train" {
		n = set.Files[0].Rows
	}
	if n == 0 {
		return nil, nil, fmt.Errorf("%s: %w: it has no published split; split it with package modelsel", name, ErrUnknown)
	}
	all, err := LoadDataset(name, target...)
	if err != nil {
		return nil, nil, err
	}
	rows := make([]int, all.Len())
	for i := range rows {
		rows[i] = i
	}
	return all.Subset(rows[:n]), all.Subset(rows[n:]), nil
}

func toDataset(set Set, columns []frame.Column, target []string) (*mlcore.Dataset, error) {
	wanted := set.Target()
	switch {
	case len(target) > 1:
		return nil, fmt.Errorf("%s: %w: one target at most, not %q", set.Name, mlcore.ErrConfig, target)
	case len(target) == 1:
		if wanted = target[0]; !slices.Contains(set.Targets, wanted) {
			return nil, fmt.Errorf("%s: %w: no target %q; there are %q", set.Name, mlcore.ErrColumn, wanted, set.Targets)
		}
	}
	opts := frame.Options{Name: set.Title, Features: set.Features(), Levels: map[string][]string{}, SkipMissingTarget: true}
	for _, c := range set.Columns {
		if c.Levels != nil && (c.Name == wanted || slices.Contains(opts.Features, c.Name)) {
			opts.Levels[c.Name] = c.Levels
		}
	}
	if set.Task == Regression {
		opts.Target = wanted
	} else {
		opts.Label = wanted
	}
	ds, err := frame.FromColumns(columns, opts)
	if err != nil {
		return nil, inSet(set.Name, err)
	}
	for _, c := range set.Columns {
		if c.Name == wanted && c.LevelNames != nil {
			ds.ClassNames = slices.Clone(c.LevelNames)
		}
	}
	return ds, nil
}

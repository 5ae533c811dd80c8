package frame_test

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/frame"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// weather is a frame with one column of each kind, and a hole in three of them.
func weather() dataframe.DataFrame {
	return dataframe.New(
		series.New([]any{21.5, nil, 9.0, 3.25}, series.Float, "temp"),
		series.New([]any{"sun", "rain", nil, "sun"}, series.String, "sky"),
		series.New([]any{3, 12, 12, nil}, series.Int, "wind"),
		series.New([]bool{true, false, true, true}, series.Bool, "weekend"),
		series.New([]string{"yes", "no", "no", "yes"}, series.String, "play"),
		series.New([]float64{4, 1, 0.5, 2}, series.Float, "hours"),
	)
}

var nan = math.NaN()

// same is equality in which NaN equals NaN.
func same(a, b mat.Matrix) bool {
	n, d := a.Dims()
	if n2, d2 := b.Dims(); n != n2 || d != d2 {
		return false
	}
	for i := range n {
		for j := range d {
			if x, y := a.At(i, j), b.At(i, j); x != y && !(math.IsNaN(x) && math.IsNaN(y)) {
				return false
			}
		}
	}
	return true
}

// columnsOf returns the values of a frame as plain columns.
func columnsOf(df dataframe.DataFrame) []frame.Column {
	columns := make([]frame.Column, df.Ncol())
	for j, name := range df.Names() {
		c, values := &columns[j], df.Col(name)
		c.Name, c.Whole = name, values.Type() == series.Int
		for i := range values.Len() {
			v := values.Elem(i)
			switch text := v.String(); {
			case values.Type() == series.Int || values.Type() == series.Float:
				c.Floats = append(c.Floats, v.Float())
			case v.IsNA():
				c.Texts = append(c.Texts, "")
			default:
				c.Texts = append(c.Texts, text)
			}
		}
	}
	return columns
}

// sources are the ways in which a table comes to an encoder.
var sources = map[string]func(dataframe.DataFrame, frame.Options) (*mlcore.Dataset, error){
	"a frame": frame.ToDataset,
	"plain columns": func(df dataframe.DataFrame, opts frame.Options) (*mlcore.Dataset, error) {
		return frame.FromColumns(columnsOf(df), opts)
	},
}

// The codes are worked by hand: levels in the order of the alphabet, whole
// numbers in that of size (3 before 12).
func TestToDataset(t *testing.T) {
	for _, tc := range []struct {
		name    string
		opts    frame.Options
		x       *mat.Dense
		levels  []int
		y       []int
		classes []string
		target  []float64
	}{
		{"a label", frame.Options{Label: "play", Drop: []string{"hours"}},
			mat.NewDense(4, 4, []float64{21.5, 1, 3, 1, nan, 0, 12, 0, 9, nan, 12, 1, 3.25, 1, nan, 1}),
			[]int{0, 2, 0, 2}, []int{1, 0, 0, 1}, []string{"no", "yes"}, nil},
		{"a target", frame.Options{Target: "hours", Features: []string{"wind", "temp"}},
			mat.NewDense(4, 2, []float64{3, 21.5, 12, nan, 12, 9, nan, 3.25}),
			[]int{0, 0}, nil, nil, []float64{4, 1, 0.5, 2}},
		{"whole numbers as categories", frame.Options{Categorical: []string{"wind"}, Features: []string{"wind"}},
			mat.NewDense(4, 1, []float64{0, 1, 1, nan}), []int{2}, nil, nil, nil},
		{"given levels", frame.Options{Features: []string{"sky"}, Label: "play",
			Levels: map[string][]string{"sky": {"snow", "sun", "rain"}, "play": {"yes", "no", "perhaps"}}},
			mat.NewDense(4, 1, []float64{1, 2, nan, 1}), []int{3}, []int{0, 1, 1, 0}, []string{"yes", "no", "perhaps"}, nil},
		{"rows without a label are left out", frame.Options{Features: []string{"temp"}, Label: "sky", SkipMissingTarget: true},
			mat.NewDense(3, 1, []float64{21.5, nan, 3.25}), []int{0}, []int{1, 0, 1}, []string{"rain", "sun"}, nil},
		{"a whole number as label", frame.Options{Features: []string{"hours"}, Label: "wind", SkipMissingTarget: true},
			mat.NewDense(3, 1, []float64{4, 1, 0.5}), []int{0}, []int{0, 1, 1}, []string{"3", "12"}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for from, toDataset := range sources {
				ds, err := toDataset(weather(), tc.opts)
				if err != nil {
					t.Fatal(from, err)
				}
				if err := ds.Validate(); err != nil {
					t.Error(from, err)
				}
				if !same(ds.X, tc.x) || !slices.Equal(ds.Levels(), tc.levels) {
					t.Errorf("%s: X\n%v\nlevels %v", from, mat.Formatted(ds.X), ds.Levels())
				}
				if !slices.Equal(ds.Y, tc.y) || !slices.Equal(ds.ClassNames, tc.classes) || !slices.Equal(ds.Target, tc.target) {
					t.Errorf("%s: labels %v of %q, targets %v", from, ds.Y, ds.ClassNames, ds.Target)
				}
			}
		})
	}
}

func TestErrors(t *testing.T) {
	infinite := dataframe.New(
		series.New([]float64{1, math.Inf(1)}, series.Float, "a"),
		series.New([]string{"x", "x"}, series.String, "one"),
		series.New([]any{nil, nil}, series.String, "hole"),
	)
	for _, tc := range []struct {
		name string
		df   dataframe.DataFrame
		opts frame.Options
		want error
		says string
	}{
		{"a frame with an error", weather().Select("snow"), frame.Options{}, mlcore.ErrColumn, "carries an error"},
		{"no rows", weather().Subset([]int{}), frame.Options{}, mlcore.ErrEmpty, "the frame has 0 rows"},
		{"no such label", weather(), frame.Options{Label: "class"}, mlcore.ErrColumn, `no column "class"; the frame has ["temp"`},
		{"no such feature", weather(), frame.Options{Features: []string{"rain"}}, mlcore.ErrColumn, `no column "rain"`},
		{"no such column in Drop", weather(), frame.Options{Drop: []string{"rain"}}, mlcore.ErrColumn, `no column "rain"`},
		{"no such column in Levels", weather(), frame.Options{Levels: map[string][]string{"rain": {"a"}}}, mlcore.ErrColumn, `no column "rain"`},
		{"label and target", weather(), frame.Options{Label: "play", Target: "hours"}, mlcore.ErrConfig, "set one of them"},
		{"label as feature", weather(), frame.Options{Label: "play", Features: []string{"play"}}, mlcore.ErrColumn, "both a feature"},
		{"feature twice", weather(), frame.Options{Features: []string{"sky", "sky"}}, mlcore.ErrColumn, "twice"},
		{"feature dropped", weather(), frame.Options{Features: []string{"sky"}, Drop: []string{"sky"}}, mlcore.ErrColumn, "in Drop"},
		{"label dropped", weather(), frame.Options{Label: "play", Drop: []string{"play"}}, mlcore.ErrColumn, `"play" is both what is to be predicted and in Drop; take it out of Drop`},
		{"target dropped", weather(), frame.Options{Target: "hours", Drop: []string{"hours"}}, mlcore.ErrColumn, `"hours" is both`},
		{"nothing left", infinite, frame.Options{Drop: []string{"a", "one", "hole"}}, mlcore.ErrEmpty, "no feature"},
		{"one class", infinite, frame.Options{Label: "one", Features: []string{"a"}}, mlcore.ErrOneClass, `"x"`},
		{"text as target", weather(), frame.Options{Target: "sky"}, mlcore.ErrColumn, "regression needs numbers"},
		{"reals as label", weather(), frame.Options{Label: "temp"}, mlcore.ErrColumn, "real numbers"},
		{"reals as categories", weather(), frame.Options{Categorical: []string{"temp"}}, mlcore.ErrColumn, "cannot be categories"},
		{"infinity", infinite, frame.Options{Features: []string{"a"}}, mlcore.ErrNonFinite, `row 1, column "a"`},
		{"missing label", weather(), frame.Options{Label: "sky"}, mlcore.ErrNonFinite, "row 2 has no sky"},
		{"missing target", weather(), frame.Options{Target: "temp"}, mlcore.ErrNonFinite, "row 1 has no temp"},
		{"all missing", infinite, frame.Options{Features: []string{"hole"}}, mlcore.ErrEmpty, `every value of column "hole" is missing; take it out of Features`},
		{"all missing among others", infinite, frame.Options{Drop: []string{"a"}}, mlcore.ErrEmpty, `every value of column "hole" is missing; list it in Drop`},
		{"all labels missing", infinite, frame.Options{Features: []string{"one"}, Label: "hole"}, mlcore.ErrEmpty, `every value of column "hole", the label, is missing`},
		{"value not in Levels", weather(), frame.Options{Levels: map[string][]string{"sky": {"sun"}}}, mlcore.ErrLevel, `"rain" in row 1, column "sky"`},
		{"class not in Levels", weather(), frame.Options{Label: "play", Levels: map[string][]string{"play": {"yes", "perhaps"}}}, mlcore.ErrLevel, `"no" in row 1`},
		{"decimal commas", texts("a", "red", "1,5", "2,5", ",5"), frame.Options{Drop: []string{"b"}}, mlcore.ErrColumn, `column "a" looks like numbers, as "1,5" in row 1, and would have 4 categories`},
		{"white space", texts("a", "red", "blue", "red "), frame.Options{Drop: []string{"b"}}, mlcore.ErrColumn, `column "a" has "red " in row 2 and "red" elsewhere, which differ in white space alone`},
		{"dates", texts("a", "2021-05-03", "2021-05-04"), frame.Options{}, mlcore.ErrColumn, `column "a" looks like dates, as "2021-05-03" in row 0`},
		{"decimal commas as labels", texts("a", "1,5", "2,5"), frame.Options{Label: "a"}, mlcore.ErrColumn, `column "a" looks like numbers`},
		{"level twice", weather(), frame.Options{Levels: map[string][]string{"sky": {"sun", "sun"}}}, mlcore.ErrConfig, "twice"},
		{"no levels", weather(), frame.Options{Levels: map[string][]string{"sky": {}}}, mlcore.ErrConfig, "lists nothing"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.opts.Name = "weather"
			_, err := frame.ToDataset(tc.df, tc.opts)
			if !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.says) || !strings.HasPrefix(err.Error(), "weather: ") {
				t.Errorf("error %v, want %v that says %q", err, tc.want, tc.says)
			}
			if tc.df.Err != nil {
				return
			}
			want := strings.ReplaceAll(err.Error(), "the frame has", "the table has")
			if _, plain := frame.FromColumns(columnsOf(tc.df), tc.opts); plain == nil || plain.Error() != want {
				t.Errorf("of plain columns the error is %v, of a frame %v", plain, err)
			}
		})
	}
}

// texts is a frame with the texts in column a, and others in b.
func texts(name string, values ...string) dataframe.DataFrame {
	return dataframe.New(series.New(values, series.String, name), series.New(values, series.String, "b").Map(func(e series.Element) series.Element {
		e = e.Copy()
		e.Set("x" + e.String())
		return e
	}))
}

// What looks like numbers or dates is a category where the options say so.
func TestCategoriesThatLookLikeNumbers(t *testing.T) {
	df := texts("a", "1,5", "2,5", "1,5")
	for _, opts := range []frame.Options{
		{Categorical: []string{"a"}}, {Levels: map[string][]string{"a": {"2,5", "1,5"}}}, {Label: "a", Categorical: []string{"a"}}, {Drop: []string{"a"}}, {Features: []string{"b"}},
	} {
		if _, err := frame.ToDataset(df, opts); err != nil {
			t.Errorf("%+v: %v", opts, err)
		}
	}
}

func TestUnknownCategories(t *testing.T) {
	train := weather()
	test := dataframe.New(
		series.New([]string{"rain", "hail"}, series.String, "sky"),
		series.New([]float64{1, 2}, series.Float, "temp"),
	)
	for _, tc := range []struct {
		unknown mlcore.Unknown
		want    []float64
		levels  int
	}{
		{mlcore.UnknownMissing, []float64{0, nan}, 2},
		{mlcore.UnknownLevel, []float64{0, 2}, 3},
	} {
		e, err := frame.Fit(train, frame.Options{Features: []string{"sky", "temp"}, Label: "play", Unknown: tc.unknown})
		if err != nil {
			t.Fatal(err)
		}
		for _, columns := range [][]frame.Column{nil, columnsOf(test)} {
			ds, err := e.Transform(test)
			if columns != nil {
				ds, err = e.TransformColumns(columns)
			}
			if err != nil {
				t.Fatal(err)
			}
			if !same(ds.X.Slice(0, 2, 0, 1), mat.NewDense(2, 1, tc.want)) || ds.Levels()[0] != tc.levels || ds.Y != nil {
				t.Errorf("X\n%v\nlevels %v, labels %v", mat.Formatted(ds.X), ds.Levels(), ds.Y)
			}
			if err := ds.Validate(); err != nil {
				t.Error(err)
			}
		}
	}
	e, err := frame.Fit(train, frame.Options{Features: []string{"sky", "temp"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Transform(test); !errors.Is(err, mlcore.ErrLevel) || !strings.Contains(err.Error(), `"hail" in row 1, column "sky"`) {
		t.Errorf("error %v", err)
	}
	swapped := dataframe.New(
		series.New([]string{"sun"}, series.String, "sky"), series.New([]string{"warm"}, series.String, "temp"))
	if _, err := e.TransformColumns(columnsOf(swapped)); !errors.Is(err, mlcore.ErrColumn) || !strings.Contains(err.Error(), `column "temp" is string here`) {
		t.Errorf("text where a number was, in plain columns: %v", err)
	}
	if _, err := e.Transform(swapped); !errors.Is(err, mlcore.ErrColumn) || !strings.Contains(err.Error(), `"temp"`) {
		t.Errorf("text where a number was: %v", err)
	}
	if _, err := e.Transform(swapped.Drop("sky")); !errors.Is(err, mlcore.ErrColumn) || !strings.Contains(err.Error(), `"sky"`) {
		t.Errorf("a column that is gone: %v", err)
	}
	wide := series.New([]string{"(unknown)"}, series.String, "sky")
	if _, err := frame.Fit(dataframe.New(wide), frame.Options{Unknown: mlcore.UnknownLevel}); !errors.Is(err, mlcore.ErrLevel) {
		t.Errorf("a value that is named as the extra level: %v", err)
	}
}

func TestRoundTrip(t *testing.T) {
	for _, opts := range []frame.Options{
		{Name: "classes", Label: "play"},
		{Name: "reals", Target: "hours", Categorical: []string{"wind"}},
		{Name: "features only"},
	} {
		t.Run(opts.Name, func(t *testing.T) {
			ds, err := frame.ToDataset(weather(), opts)
			if err != nil {
				t.Fatal(err)
			}
			df, err := frame.ToGota(ds)
			if err != nil {
				t.Fatal(err)
			}
			again, err := frame.ToDataset(df, frame.Options{Label: opts.Label, Target: opts.Target, Levels: levelsOf(ds)})
			if err != nil {
				t.Fatal(err)
			}
			if !same(ds.X, again.X) || !slices.Equal(ds.Y, again.Y) || !slices.Equal(ds.Target, again.Target) {
				t.Errorf("X\n%v\nbecame\n%v", mat.Formatted(ds.X), mat.Formatted(again.X))
			}
		})
	}
}

func levelsOf(ds *mlcore.Dataset) map[string][]string {
	levels := make(map[string][]string)
	for _, c := range ds.Columns {
		if c.Categorical() {
			levels[c.Name] = c.Levels
		}
	}
	if ds.ClassNames != nil {
		levels[ds.TargetName] = ds.ClassNames
	}
	return levels
}

// A frame is encoded for a model as it was in training, also by a program that has
// only the model: levels in the model's order, unknown values as its columns say.
func TestForModel(t *testing.T) {
	train := dataframe.New(
		series.New([]string{"red", "", "blue"}, series.String, "colour"),
		series.New([]float64{1, 2, 3}, series.Float, "size"),
		series.New([]string{"no", "yes", "yes"}, series.String, "buy"),
	)
	for _, tc := range []struct {
		unknown mlcore.Unknown
		want    []float64 // codes of green, blue and an empty field
		err     error
	}{
		{mlcore.UnknownError, nil, mlcore.ErrLevel},
		{mlcore.UnknownMissing, []float64{math.NaN(), 0, math.NaN()}, nil},
		{mlcore.UnknownLevel, []float64{2, 0, math.NaN()}, nil},
	} {
		ds, err := frame.ToDataset(train, frame.Options{Label: "buy", Unknown: tc.unknown})
		if err != nil {
			t.Fatal(err)
		}
		if !math.IsNaN(ds.X.At(1, 0)) || len(ds.Columns[0].Levels) != 2+max(0, int(tc.unknown)-1) {
			t.Errorf("an empty field is %v, levels %q", ds.X.At(1, 0), ds.Columns[0].Levels)
		}
		e, err := frame.ForModel(fitted{ds.Schema()})
		if err != nil {
			t.Fatal(err)
		}
		queries := dataframe.New(
			series.New([]float64{7, 8, 9}, series.Float, "size"),
			series.New([]string{"green", "blue", ""}, series.String, "colour"),
		)
		got, err := e.Transform(queries)
		if !errors.Is(err, tc.err) {
			t.Errorf("unknown %d: error %v, want %v", tc.unknown, err, tc.err)
		}
		if err != nil {
			continue
		}
		for i, want := range tc.want {
			if v := got.X.At(i, 0); v != want && !(math.IsNaN(v) && math.IsNaN(want)) {
				t.Errorf("unknown %d: row %d has code %v, want %v", tc.unknown, i, v, want)
			}
		}
		if got.X.At(2, 1) != 9 || got.Y != nil {
			t.Errorf("sizes %v, labels %v", got.X.At(2, 1), got.Y)
		}
	}
	for name, model := range map[string]any{
		"nil": nil, "a Schema": &mlcore.Schema{}, "no Schema": fitted{}, "no columns": fitted{&mlcore.Schema{}}, "a zero value": &tree.Classifier{},
	} {
		if _, err := frame.ForModel(model); !errors.Is(err, mlcore.ErrColumn) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// fitted is a model of which nothing is known but the Schema.
type fitted struct{ schema *mlcore.Schema }

func (f fitted) Schema() *mlcore.Schema { return f.schema }

// A column of which every value is missing is text to gota. In training it cannot be
// told from one; for rows to be predicted the encoder knows that it holds numbers.
func TestTransformAllMissing(t *testing.T) {
	train := dataframe.ReadCSV(strings.NewReader("size,heat,sold\n50,gas,yes\n60,oil,no\n"))
	e, err := frame.Fit(train, frame.Options{Label: "sold"})
	if err != nil {
		t.Fatal(err)
	}
	for _, csv := range []string{"size,heat\n,gas\n", "size,heat\nNA,gas\n", "size,heat\n,gas\nNA,oil\n"} {
		ds, err := e.Transform(dataframe.ReadCSV(strings.NewReader(csv)))
		if err != nil {
			t.Errorf("%q: %v", csv, err)
			continue
		}
		if v := ds.X.At(0, 0); !math.IsNaN(v) {
			t.Errorf("%q: size is %v, want NaN", csv, v)
		}
	}
	rows, err := e.TransformColumns([]frame.Column{{Name: "size", Texts: []string{"", ""}}, {Name: "heat", Codes: []int32{-1, 0}, Dictionary: []string{"oil"}}})
	if err != nil || !same(rows.X, mat.NewDense(2, 2, []float64{nan, nan, nan, 1})) {
		t.Errorf("plain columns: %v, %v", rows, err)
	}
	if _, err := e.Transform(dataframe.ReadCSV(strings.NewReader("size,heat\nbig,gas\n"))); !errors.Is(err, mlcore.ErrColumn) {
		t.Errorf("text where numbers were: %v", err)
	}
}

// To predict, nobody needs labels: a label or target column without values is treated
// as absent. One with gaps is a mistake.
func TestForModelWithoutLabels(t *testing.T) {
	train := dataframe.New(
		series.New([]float64{1, 2, 3}, series.Float, "size"),
		series.New([]string{"no", "yes", "yes"}, series.String, "buy"),
		series.New([]float64{5, 6, 7}, series.Float, "price"),
	)
	for name, tc := range map[string]struct {
		opts   frame.Options
		column series.Series
		err    error
	}{
		"no labels":      {frame.Options{Label: "buy", Drop: []string{"price"}}, series.New([]string{"", ""}, series.String, "buy"), nil},
		"half a label":   {frame.Options{Label: "buy", Drop: []string{"price"}}, series.New([]string{"", "no"}, series.String, "buy"), mlcore.ErrNonFinite},
		"no targets":     {frame.Options{Target: "price", Drop: []string{"buy"}}, series.New([]string{"", ""}, series.String, "price"), nil},
		"half of prices": {frame.Options{Target: "price", Drop: []string{"buy"}}, series.New([]float64{math.NaN(), 1}, series.Float, "price"), mlcore.ErrNonFinite},
	} {
		ds, err := frame.ToDataset(train, tc.opts)
		if err != nil {
			t.Fatal(err)
		}
		e, err := frame.ForModel(fitted{ds.Schema()})
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Transform(dataframe.New(series.New([]float64{8, 9}, series.Float, "size"), tc.column))
		if !errors.Is(err, tc.err) || err != nil && strings.Contains(err.Error(), "SkipMissingTarget") {
			t.Errorf("%s: error %v, want %v and no setting that ForModel lacks", name, err, tc.err)
		}
		if err == nil && (got.Len() != 2 || got.Y != nil || got.Target != nil) {
			t.Errorf("%s: %d rows, labels %v, targets %v", name, got.Len(), got.Y, got.Target)
		}
	}
}

// Whole numbers that are far apart are in the order of size too: 2^63-1 less -2 does not
// fit into an int.
func TestLevelsFarApart(t *testing.T) {
	df := dataframe.New(series.New([]int{0, math.MaxInt, -2, math.MinInt}, series.Int, "code"))
	ds, err := frame.ToDataset(df, frame.Options{Categorical: []string{"code"}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{strconv.Itoa(math.MinInt), "-2", "0", strconv.Itoa(math.MaxInt)}
	if got := ds.Columns[0].Levels; !slices.Equal(got, want) {
		t.Errorf("levels %q, want %q", got, want)
	}
}

// Ten times the columns take ten times the memory, not a hundred times.
func TestManyColumns(t *testing.T) {
	for _, columns := range []int{1000, 10_000} {
		all := make([]series.Series, columns)
		for j := range all {
			all[j] = series.New([]float64{float64(j), 1}, series.Float, "x"+strconv.Itoa(j))
		}
		df := dataframe.New(all...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		ds, err := frame.ToDataset(df, frame.Options{})
		runtime.ReadMemStats(&after)
		if err != nil || ds.NumFeatures() != columns || ds.X.At(0, columns-1) != float64(columns-1) {
			t.Fatalf("%v (%v)", ds, err)
		}
		if used, most := after.TotalAlloc-before.TotalAlloc, uint64(2000*columns); used > most {
			t.Errorf("%d columns take %d bytes, want at most %d", columns, used, most)
		}
	}
}

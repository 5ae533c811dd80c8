package frame_test

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/frame"
	"gonum.org/v1/gonum/mat"
)

// A column means the same in whichever form its values come. Levels and codes are worked by hand.
func TestColumnForms(t *testing.T) {
	// As texts these three are in another order, and float64 does not tell the last two
	// apart, of ints where these have 64 bits.
	wholes := []string{"9", "9223372036854775806", "9223372036854775807"}
	ints := []string{"9", strconv.Itoa(math.MaxInt - 1), strconv.Itoa(math.MaxInt)}
	for _, tc := range []struct {
		name   string
		column frame.Column
		opts   frame.Options
		levels []string
		x      []float64
	}{
		{"texts", frame.Column{Texts: []string{"b", "", "a", "b"}}, frame.Options{}, []string{"a", "b"}, []float64{1, nan, 0, 1}},
		{"codes", frame.Column{Codes: []int32{0, -1, 1, 0}, Dictionary: []string{"b", "a"}}, frame.Options{}, []string{"a", "b"}, []float64{1, nan, 0, 1}},
		{"codes of what is there twice, nowhere and nothing", frame.Column{Codes: []int32{0, 3, 4, 2}, Dictionary: []string{"b", "c", "b", "", "a"}}, frame.Options{},
			[]string{"a", "b"}, []float64{1, nan, 0, 1}},
		{"texts of NaN", frame.Column{Texts: []string{"b", "NaN", "a", ""}}, frame.Options{}, []string{"a", "b"}, []float64{1, nan, 0, nan}},
		{"codes of NaN", frame.Column{Codes: []int32{0, 1, 2}, Dictionary: []string{"NaN", "b", "a"}}, frame.Options{}, []string{"a", "b"}, []float64{nan, 1, 0}},
		{"whole texts of NaN", frame.Column{Whole: true, Texts: []string{"10", "NaN", "9"}}, frame.Options{Categorical: []string{"a"}}, []string{"9", "10"}, []float64{1, nan, 0}},
		{"whole texts of NaN as numbers", frame.Column{Whole: true, Texts: []string{"10", "NaN"}}, frame.Options{}, nil, []float64{10, nan}},
		{"ints", frame.Column{Ints: []int{12, -3, 0}}, frame.Options{}, nil, []float64{12, -3, 0}},
		{"ints as categories", frame.Column{Ints: []int{math.MaxInt, 9, math.MaxInt - 1}}, frame.Options{Categorical: []string{"a"}}, ints, []float64{2, 0, 1}},
		{"whole codes as categories", frame.Column{Whole: true, Codes: []int32{0, 2, 1, -1, 3}, Dictionary: []string{wholes[2], wholes[1], wholes[0], wholes[0]}},
			frame.Options{Categorical: []string{"a"}}, wholes, []float64{2, 0, 1, nan, 0}},
		{"whole codes as numbers", frame.Column{Whole: true, Codes: []int32{0, 1, -1, 2}, Dictionary: []string{"-7", "9", ""}}, frame.Options{}, nil, []float64{-7, 9, nan, nan}},
		{"whole texts as numbers", frame.Column{Whole: true, Texts: []string{"-7", "", "9"}}, frame.Options{}, nil, []float64{-7, nan, 9}},
		{"whole floats as categories", frame.Column{Whole: true, Floats: []float64{12, nan, math.Copysign(0, -1), 3, 0}}, frame.Options{Categorical: []string{"a"}},
			[]string{"0", "3", "12"}, []float64{2, nan, 0, 1, 0}},
		{"whole floats that no int holds", frame.Column{Whole: true, Floats: []float64{0, 1e20, -1e19, 1e19, -1e300, 0x1p60, -1}}, frame.Options{Categorical: []string{"a"}},
			[]string{exactly(-1e300), "-10000000000000000000", "-1", "0", "1152921504606846976", "10000000000000000000", "100000000000000000000"},
			[]float64{3, 6, 1, 5, 0, 4, 2}},
		{"floats", frame.Column{Floats: []float64{0.5, nan, 1e300}}, frame.Options{}, nil, []float64{0.5, nan, 1e300}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.column.Name = "a"
			ds, err := frame.FromColumns([]frame.Column{tc.column}, tc.opts)
			if err != nil {
				t.Fatal(err)
			}
			if !same(ds.X, mat.NewDense(len(tc.x), 1, tc.x)) || !slices.Equal(ds.Columns[0].Levels, tc.levels) {
				t.Errorf("X\n%v\nlevels %q", mat.Formatted(ds.X), ds.Columns[0].Levels)
			}
		})
	}
}

// exactly writes a whole number with all its digits.
func exactly(v float64) string { return new(big.Float).SetFloat64(v).Text('f', 0) }

func TestColumnErrors(t *testing.T) {
	if _, err := frame.FitColumns([]frame.Column{{Name: "a", Ints: []int{1}}}, frame.Options{Label: "y"}); !errors.Is(err, mlcore.ErrColumn) {
		t.Errorf("no label: error %v", err)
	}
	for _, tc := range []struct {
		name    string
		columns []frame.Column
		want    error
		says    string
	}{
		{"no columns", nil, mlcore.ErrEmpty, "0 rows and 0 columns"},
		{"no rows", []frame.Column{{Name: "a"}}, mlcore.ErrEmpty, "0 rows and 1 columns"},
		{"lengths", []frame.Column{{Name: "a", Ints: []int{1, 2}}, {Name: "b", Texts: []string{"x"}}}, mlcore.ErrShape, `"b" has 1 rows, "a" has 2`},
		{"no values", []frame.Column{{Name: "a", Ints: []int{1}}, {Name: "b"}}, mlcore.ErrShape, `"b" has 0 rows, "a" has 1`},
		{"two kinds", []frame.Column{{Name: "a", Ints: []int{1}, Floats: []float64{1}}}, mlcore.ErrConfig, "more than one kind"},
		{"empty slices beside values", []frame.Column{{Name: "a", Floats: []float64{}, Ints: []int{}, Codes: []int32{}, Texts: []string{""}}}, mlcore.ErrEmpty, `every value of column "a" is missing`},
		{"a dictionary for nothing", []frame.Column{{Name: "a", Texts: []string{"x"}, Dictionary: []string{"x"}}}, mlcore.ErrConfig, "Dictionary"},
		{"code", []frame.Column{{Name: "a", Codes: []int32{0, 1}, Dictionary: []string{"x"}}}, mlcore.ErrLevel, "code 1 in row 1"},
		{"fraction", []frame.Column{{Name: "a", Floats: []float64{1, 1.5}, Whole: true}}, mlcore.ErrColumn, "1.5 in row 1"},
		{"an infinite whole number", []frame.Column{{Name: "a", Floats: []float64{0, math.Inf(1), math.Copysign(0, -1)}, Whole: true}}, mlcore.ErrNonFinite, `+Inf in row 1, column "a"`},
		{"whole in another way", []frame.Column{{Name: "a", Codes: []int32{0}, Dictionary: []string{"07"}, Whole: true}}, mlcore.ErrColumn, `"07"`},
		{"name twice", []frame.Column{{Name: "a", Ints: []int{1}}, {Name: "a", Ints: []int{1}}}, mlcore.ErrColumn, `the table has two columns "a"`},
		{"no name", []frame.Column{{Name: "a", Ints: []int{1}}, {Ints: []int{2}}}, mlcore.ErrColumn, "column 1 has no name; set its Name"},
		{"a dictionary for no rows", []frame.Column{{Name: "a", Codes: []int32{}, Dictionary: []string{"x"}}}, mlcore.ErrEmpty, "the table has 0 rows and 1 columns"},
		{"a dictionary for other texts", []frame.Column{{Name: "a", Codes: []int32{}, Texts: []string{"x"}, Dictionary: []string{"x"}}}, mlcore.ErrConfig, "Dictionary"},
	} {
		_, err := frame.FromColumns(tc.columns, frame.Options{Name: "mine"})
		if !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.says) || !strings.HasPrefix(err.Error(), "mine: ") {
			t.Errorf("%s: error %v, want %v that says %q", tc.name, err, tc.want, tc.says)
		}
	}
}

// Columns of one name are refused, and with one error, also where an encoder is applied to
// them: it cannot tell which is meant.
func TestColumnsOfOneName(t *testing.T) {
	e, err := frame.FitColumns([]frame.Column{{Name: "a", Ints: []int{1}}}, frame.Options{Name: "mine"})
	if err != nil {
		t.Fatal(err)
	}
	columns := []frame.Column{{Name: "b", Ints: []int{1}}, {Name: "a", Ints: []int{2}}, {Name: "a", Ints: []int{3}}}
	_, ofFit := frame.FitColumns(columns, frame.Options{Name: "mine"})
	_, ofBoth := frame.FromColumns(columns, frame.Options{Name: "mine"})
	_, ofTransform := e.TransformColumns(columns)
	for name, err := range map[string]error{"FitColumns": ofFit, "FromColumns": ofBoth, "TransformColumns": ofTransform} {
		if want := `mine: bad column: the table has two columns "a"`; !errors.Is(err, mlcore.ErrColumn) || err.Error() != want {
			t.Errorf("%s: error %v, want %s", name, err, want)
		}
	}
}

// Without a name a column can be neither a feature nor left out: options and models find
// columns by name, and no name is what an unset Label has.
func TestColumnsWithoutName(t *testing.T) {
	columns := []frame.Column{{Floats: []float64{1, 2}}, {Name: "b", Floats: []float64{3, 4}}}
	e, err := frame.FitColumns(columns[1:], frame.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, ofFit := frame.FitColumns(columns, frame.Options{})
	_, ofTransform := e.TransformColumns(columns)
	for name, err := range map[string]error{"FitColumns": ofFit, "TransformColumns": ofTransform} {
		if !errors.Is(err, mlcore.ErrColumn) || !strings.Contains(err.Error(), "column 0 has no name") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for _, opts := range []frame.Options{{Features: []string{""}}, {Drop: []string{""}}, {Categorical: []string{""}}} {
		if _, err := frame.FitColumns(columns[1:], opts); !errors.Is(err, mlcore.ErrColumn) || !strings.Contains(err.Error(), `no column ""`) {
			t.Errorf("%+v: error %v", opts, err)
		}
	}
}

// Only whole numbers can be categories or labels. Columns have a way to say that they are;
// a gota frame has not, and there is none for other numbers.
func TestWholeIsTheWayOut(t *testing.T) {
	for _, tc := range []struct {
		opts   frame.Options
		values []float64
		hint   bool
	}{
		{frame.Options{Label: "a"}, []float64{0, 2, 1}, true},
		{frame.Options{Categorical: []string{"a"}}, []float64{0, 2, nan}, true},
		{frame.Options{Label: "a"}, []float64{0, 2.5, 1}, false},
		{frame.Options{Categorical: []string{"a"}}, []float64{0, 2, math.Inf(1)}, false},
	} {
		x := []float64{1, 2, 3}
		_, err := frame.FromColumns([]frame.Column{{Name: "a", Floats: tc.values}, {Name: "x", Floats: x}}, tc.opts)
		_, ofFrame := frame.ToDataset(dataframe.New(series.New(tc.values, series.Float, "a"), series.New(x, series.Float, "x")), tc.opts)
		if err == nil || ofFrame == nil || !strings.HasPrefix(err.Error(), ofFrame.Error()) {
			t.Fatalf("error %v, of a frame %v", err, ofFrame)
		}
		if strings.Contains(err.Error(), "Whole") != tc.hint || strings.Contains(ofFrame.Error(), "Whole") {
			t.Errorf("%v: error %v, of a frame %v; Whole should be there: %v", tc.values, err, ofFrame, tc.hint)
		}
	}
}

// Oracle: gota, to which the text NaN is a missing value. An encoder does the same with a
// frame and with columns of the same values, whichever it was fitted to.
func TestTextNaN(t *testing.T) {
	texts := []string{"red", "NaN", "blue", ""}
	df, columns := dataframe.New(series.New(texts, series.String, "a")), []frame.Column{{Name: "a", Texts: texts}}
	if !df.Elem(1, 0).IsNA() {
		t.Fatal("gota reads NaN as a text")
	}
	for _, opts := range []frame.Options{{}, {Levels: map[string][]string{"a": {"NaN", "red", "blue"}}}} {
		ofFrame, err := frame.Fit(df, opts)
		if err != nil {
			t.Fatal(err)
		}
		ofColumns, err := frame.FitColumns(columns, opts)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []*frame.Encoder{ofFrame, ofColumns} {
			want, err := ofFrame.Transform(df)
			if err != nil {
				t.Fatal(err)
			}
			a, errA := e.Transform(df)
			b, errB := e.TransformColumns(columns)
			if errA != nil || errB != nil || !same(a.X, want.X) || !same(b.X, want.X) || !slices.Equal(e.Columns()[0].Levels, ofFrame.Columns()[0].Levels) {
				t.Errorf("levels %q: %v (%v), %v (%v), want %v", e.Columns()[0].Levels, a, errA, b, errB, want)
			}
		}
	}
}

package frame_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/frame"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// plain reads tables as most are written.
var plain frame.CSV

// describe says what a Dataset holds: columns with their levels, classes, rows.
func describe(ds *mlcore.Dataset) string {
	var b strings.Builder
	for _, c := range ds.Columns {
		fmt.Fprintf(&b, "%s%q ", c.Name, c.Levels)
	}
	fmt.Fprintf(&b, "%v%v%v", ds.ClassNames, ds.Y, ds.Target)
	for i := range ds.Len() {
		fmt.Fprint(&b, " ", ds.X.RawRowView(i))
	}
	return b.String()
}

// What should come out is worked out by hand from the documentation.
func TestReadDataset(t *testing.T) {
	for _, tc := range []struct {
		name, csv string
		opts      frame.Options
		want      string
	}{
		{"numbers, categories, gaps", "a,b,c,y\n1,2.5,red,no\n,?,NA,yes\n3,-1e2,blue,no\n", frame.Options{Label: "y"},
			`a[] b[] c["blue" "red"] [no yes][0 1 0][] [1 2.5 1] [NaN NaN NaN] [3 -100 0]`},
		{"whole labels by size", "a,y\n1,10\n2,9\n", frame.Options{Label: "y"}, `a[] [9 10][1 0][] [1] [2]`},
		{"labels of both kinds", "a,y\n1,10\n2,none\n", frame.Options{Label: "y"}, `a[] [10 none][0 1][] [1] [2]`},
		{"target", "a,y\n1,0.5\n2,3\n", frame.Options{Target: "y"}, `a[] [][][0.5 3] [1] [2]`},
		{"whole numbers as categories", "a\n10\n9\n", frame.Options{Categorical: []string{"a"}}, `a["9" "10"] [][][] [1] [0]`},
		{"numbers and words as categories", "a\n1\n3+\n01\n", frame.Options{Categorical: []string{"a"}}, `a["01" "1" "3+"] [][][] [1] [2] [0]`},
		{"fixed levels that are no numbers", "a\n07\n08\n", frame.Options{Levels: map[string][]string{"a": {"07", "08"}}}, `a["07" "08"] [][][] [0] [1]`},
		{"fixed levels that are numbers", "a\n07\n8\n", frame.Options{Levels: map[string][]string{"a": {"8", "7"}}}, `a["8" "7"] [][][] [1] [0]`},
		{"a column that is left out", "a,b\n1,2\n2,x\n", frame.Options{Drop: []string{"b"}}, `a[] [][][] [1] [2]`},
		{"features in an order of their own", "a,b,c\n1,2,2\n2,4,x\n", frame.Options{Features: []string{"b", "a"}}, `b[] a[] [][][] [2 1] [4 2]`},
		{"signs, exponents, points", "a,b\n+1,1e3\n-0,-0\n0,.5\n", frame.Options{}, `a[] b[] [][][] [1 1000] [0 0] [0 0.5]`},
		{"whole numbers that float64 does not tell apart", "a\n9007199254740993\n9007199254740992\n9\n", frame.Options{Categorical: []string{"a"}},
			`a["9" "9007199254740992" "9007199254740993"] [][][] [2] [1] [0]`},
		{"whole numbers that are written in several ways", "a,y\n07,+1\n7,01\n?,-0\n", frame.Options{Categorical: []string{"a"}, Label: "y"},
			`a["07" "7"] [0 1][1 1 0][] [0] [1] [NaN]`},
		{"more than an int can hold", "a\n9223372036854775808\n1\n", frame.Options{}, `a[] [][][] [9.223372036854776e+18] [1]`},
		// 32 bits hold none of these, and 64 bits not the last two.
		{"whole numbers that are far apart", "a,y\n3000000000,p\n4000000000,q\n5,p\n", frame.Options{Categorical: []string{"a"}, Label: "y"},
			`a["5" "3000000000" "4000000000"] [p q][0 1 0][] [1] [2] [0]`},
		{"labels that are far apart", "a,y\n1,4000000000\n2,-3000000000\n3,+03000000000\n", frame.Options{Label: "y"},
			`a[] [-3000000000 3000000000 4000000000][2 0 1][] [1] [2] [3]`},
		{"whole numbers beyond 64 bits as categories", "a\n99999999999999999999\n9223372036854775808\n5\n", frame.Options{Categorical: []string{"a"}},
			`a["5" "9223372036854775808" "99999999999999999999"] [][][] [2] [1] [0]`},
		{"NaN among names", "a,b\nred,1\nNaN,2\n", frame.Options{Categorical: []string{"a"}}, `a["red"] b[] [][][] [0 1] [NaN 2]`},
		{"blank lines and gaps", "a,b\n\n,\n  \n1,red\r\n\n?, NA\n2,\n\n", frame.Options{}, `a[] b["red"] [][][] [NaN NaN] [1 0] [NaN NaN] [2 NaN]`},
		{"as many rows as bytes allow", "a,b,c\n,,\n,,\n,2,\n1,,3", frame.Options{}, `a[] b[] c[] [][][] [NaN NaN NaN] [NaN NaN NaN] [NaN 2 NaN] [1 NaN 3]`},
		{"as many rows with quotes", "a,b,\"\"\n,,\n,,\n,2,\n1,,3", frame.Options{}, `a[] b[] X0[] [][][] [NaN NaN NaN] [NaN NaN NaN] [NaN 2 NaN] [1 NaN 3]`},
		{"as many rows of one column as bytes allow", "a\n1\n2\n3", frame.Options{}, `a[] [][][] [1] [2] [3]`},
		{"as many of one column with quotes", "\"a\"\n1\n2\n3", frame.Options{}, `a[] [][][] [1] [2] [3]`},
		{"one column with an empty value in quotes", "a\n1\n\"\"\n\n3\n", frame.Options{}, `a[] [][][] [1] [NaN] [3]`}, // as in pandas
		{"quotes over lines", "a,b\n\"1\",\"x, \"\"y\"\"\nz\"\n\n2,w\n", frame.Options{}, `a[] b["w" "x, \"y\"\nz"] [][][] [1 1] [2 0]`},
		{"a column that is not asked for", "a,b\n1,2\n2,x\n", frame.Options{Features: []string{"a"}}, `a[] [][][] [1] [2]`},
		{"a column without a name", "a,\n1,2\n2,3\n", frame.Options{Target: "X0"}, `a[] [][][2 3] [1] [2]`},
		{"a column without a name that has numbers and words", "a,\n1,2\n2,x\n", frame.Options{Categorical: []string{"X0"}}, `a[] X0["2" "x"] [][][] [1 0] [2 1]`},
		{"one that is left out", ",b,y\n1,2,p\nx,3,q\n", frame.Options{Drop: []string{"X0"}, Label: "y"}, `b[] [p q][0 1][] [2] [3]`},
		{"one beside its name", ",X0\n1,2\n3,4\n", frame.Options{Features: []string{"X1"}}, `X1[] [][][] [1] [3]`},
		{"rows without a target", "a,y\nred,1\nblue,?\n,2\n", frame.Options{Target: "y", SkipMissingTarget: true}, `a["blue" "red"] [][][1 2] [1] [NaN]`},
		{"two columns without a name", "a,,\n1,2,3\n", frame.Options{}, `a[] X0[] X1[] [][][] [1 2 3]`},
		{"three beside their names", ",X1,,b,\n1,2,3,4,5\n", frame.Options{}, `X0[] X1[] X2[] b[] X3[] [][][] [1 2 3 4 5]`},
		{"NaN in a column that is dropped", "a,y,d\n1,p,1\n2,q,NaN\n", frame.Options{Label: "y", Drop: []string{"d"}}, `a[] [p q][0 1][] [1] [2]`},
		{"NaN in a column that Features leaves out", "a,y,d\n1,p,1\n2,q,inf\n", frame.Options{Label: "y", Features: []string{"a"}}, `a[] [p q][0 1][] [1] [2]`},
		{"a doubled name that Features leaves out", "d,a,d,y\n1,1,1,3\n2,2,2,4\n", frame.Options{Target: "y", Features: []string{"a"}}, `a[] [][][3 4] [1] [2]`},
		{"a doubled name that is dropped", "d,a,d\n1,1,1\n2,2,2\n", frame.Options{Drop: []string{"d"}}, `a[] [][][] [1] [2]`},
		{"real labels that are names", "a,y\n1,1.0\n2,0.0\n", frame.Options{Label: "y", Categorical: []string{"y"}}, `a[] [0.0 1.0][1 0][] [1] [2]`},
		{"a semicolon in a name that is asked for", "a;b\n1\n2\n", frame.Options{Features: []string{"a;b"}}, `a;b[] [][][] [1] [2]`},
		// For ever, if each of them were looked for in all of the text.
		{"a million of CR", "a\n1" + strings.Repeat("\r", 1<<20) + "\n2\n", frame.Options{}, `a[] [][][] [1] [2]`},
		{"quoted numbers", "\"a\"\n\"1\"\n", frame.Options{}, `a[] [][][] [1]`},
	} {
		ds, err := plain.Dataset(strings.NewReader(tc.csv), tc.opts)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
		} else if got := describe(ds); got != tc.want {
			t.Errorf("%s:\n%s, want\n%s", tc.name, got, tc.want)
		}
	}
}

func TestReadDatasetErrors(t *testing.T) {
	for _, tc := range []struct {
		name, csv string
		opts      frame.Options
		want      error
		says      string
	}{
		{"a misprint", "a,b\n1,1\n2,2\n3,4O\n", frame.Options{}, mlcore.ErrColumn, `column "b" has a number in line 2 and "4O" in line 4`},
		{"a misprint in a column without a name", "a,\n1,2\n2,x\n", frame.Options{Features: []string{"X0"}}, mlcore.ErrColumn, `column "X0" has a number in line 2 and "x" in line 3`},
		{"a misprint in the second column without a name", ",b,\n1,2,3\n4,5,x\n", frame.Options{}, mlcore.ErrColumn, `column "X1" has a number in line 2 and "x" in line 3`},
		{"a misprint in the target", "a,y\n1,1\n2,2-\n", frame.Options{Target: "y"}, mlcore.ErrColumn, `"2-" in line 3`},
		{"a misprint in the first line", "a,b\n1,x\n2,?\n3,4\n", frame.Options{}, mlcore.ErrColumn, `column "b" has a number in line 4 and "x" in line 2`},
		{"a doubled name that is asked for", "a,a,b\n1,2,3\n", frame.Options{Features: []string{"a"}}, mlcore.ErrColumn, "fields 1 and 2"},
		{"a doubled label", "a,y,y\n1,2,3\n", frame.Options{Features: []string{"a"}, Label: "y"}, mlcore.ErrColumn, "fields 2 and 3"},
		{"no such column in Drop", "a,b,c,b\n1,2,3,4\n", frame.Options{Drop: []string{"b", "d"}}, mlcore.ErrColumn, `line 1: bad column: no column "d"; the header has ["a" "b" "c" "b"]`},
		{"ragged behind columns that are left out", "a,b\n1,2\n1,2,3\n", frame.Options{Drop: []string{"b"}}, mlcore.ErrShape, "line 3"},
		{"a missing label behind a blank line", "a,c\n1,yes\n\n2,no\n3,\n", frame.Options{Label: "c", Name: "mine"}, mlcore.ErrNonFinite, "mine: non-finite value: line 5 has no c; set SkipMissingTarget"},
		{"a missing target behind quoted lines", "a,c\n\"x\ny\",1\nz,?\n", frame.Options{Target: "c"}, mlcore.ErrNonFinite, "line 4 has no c"},
		{"an unlisted level", "a,b\n1,lo\n\n\n3,mid\n", frame.Options{Levels: map[string][]string{"b": {"lo", "hi"}}}, mlcore.ErrLevel, `"mid" in line 5, column "b"`},
		{"an unlisted class", "a,b\n1,lo\n3,mid\n", frame.Options{Label: "b", Levels: map[string][]string{"b": {"lo", "hi"}}}, mlcore.ErrLevel, `class "mid" in line 3, column "b"`},
		{"semicolons", "a;c\n1;x\n2;y\n", frame.Options{}, mlcore.ErrColumn, `line 1: bad column: the only column is "a;c"; set CSV.Separator to ';' if it separates the fields, and if not list the column in Features`},
		{"semicolons and decimal commas", "a;c\n1,5;x\n2,5;y\n", frame.Options{Label: "c"}, mlcore.ErrColumn, "CSV.Separator to ';'"},
		{"tabs", "a\tb\n1\t2\n", frame.Options{}, mlcore.ErrColumn, `CSV.Separator to '\t'`},
		{"UTF-16", "\xff\xfea\x00,\x00c\x00\n\x00", frame.Options{Label: "c"}, frame.ErrFormat, "save it as UTF-8"},
		{"a label that is dropped", "a,c\n1,x\n2,y\n", frame.Options{Label: "c", Drop: []string{"c"}}, mlcore.ErrColumn, "in Drop"},
		{"NaN among whole labels", "a,c\n1,1\n2,NaN\n3,0\n", frame.Options{Label: "c"}, mlcore.ErrNonFinite, "line 3"},
		{"not finite before a ragged line", "a,b\n1,1\n2,Inf\n3\n", frame.Options{}, mlcore.ErrNonFinite, "line 3"},
		{"not finite in a ragged line", "a,b\nNaN\n2,Inf\n", frame.Options{}, mlcore.ErrShape, "line 2"},
		{"two that are not finite", "a,b\n1,-Inf\n1e999,2\n", frame.Options{}, mlcore.ErrNonFinite, `line 2, column "b" (field 2): non-finite value: "-Inf"`},
		{"a misprint after a ragged line", "a,b\n1,1\n2\n3,x\n", frame.Options{}, mlcore.ErrShape, "line 3: shape mismatch: 1 fields where there are 2 columns"},
		{"a misprint in a ragged line", "a,b\n1,2\n3,oops,\n4,z\n", frame.Options{}, mlcore.ErrShape, "line 3: shape mismatch: 3 fields where there are 2 columns"},
		{"a number after a ragged line", "a,b\n1,x\n2\n3,4\n", frame.Options{}, mlcore.ErrShape, "line 3"},
		{"a misprint before a ragged line", "a,b\n1,1\n2,x\n3\n", frame.Options{}, mlcore.ErrColumn, `a number in line 2 and "x" in line 3`},
		{"two names with numbers and words before a ragged line", "a,b\n1,1\nx\n2,y\n", frame.Options{}, mlcore.ErrShape, "line 3"},
		{"real labels", "a,y\n1,0.5\n2,1\n", frame.Options{Label: "y"}, mlcore.ErrColumn, `label "y" has real numbers, as "0.5" in line 2; class labels are text or whole numbers, and regression takes Target; list the column in Categorical if its numbers are names`},
		{"an open quote after a misprint", "a\n1\nx\n\"2\n", frame.Options{}, mlcore.ErrColumn, "line 3"},
		{"not finite", "a\n1\n-inf\n", frame.Options{}, mlcore.ErrNonFinite, `line 3, column "a" (field 1): non-finite value: "-inf" is not finite; where a value is missing leave the field empty`},
		{"ragged", "a,b\n1,2\n1,2,3\n", frame.Options{}, mlcore.ErrShape, "line 3"},
		{"ragged, with a word", "a,b\n1,2\n1,2,x\n", frame.Options{}, mlcore.ErrShape, "line 3"},
		{"one name twice", "a,a\n1,2\n", frame.Options{}, mlcore.ErrColumn, "fields 1 and 2"},
		{"no label", "a\n1\n", frame.Options{Label: "y"}, mlcore.ErrColumn, `"y"`},
		{"nothing", "", frame.Options{}, mlcore.ErrEmpty, ""},
		{"no rows", "a,b\n", frame.Options{}, mlcore.ErrEmpty, ""},
		{"a column without a value", "a,b\n1,\n2,\n", frame.Options{}, mlcore.ErrEmpty, `every value of column "b" is missing; list it in Drop`},
	} {
		_, err := plain.Dataset(strings.NewReader(tc.csv), tc.opts)
		if !errors.Is(err, tc.want) || tc.want != nil && !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: error %v, want %v that says %q", tc.name, err, tc.want, tc.says)
		}
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte("a,b\n1,2\n3,x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := plain.DatasetFile(path, frame.Options{}); err == nil || !strings.HasPrefix(err.Error(), path) {
		t.Errorf("error %v does not begin with the path", err)
	}
}

// ofColumns is a model without a target.
func ofColumns(columns ...mlcore.Column) schemaOf {
	return schemaOf{&mlcore.Dataset{X: mat.NewDense(1, len(columns), nil), Columns: columns}}
}

func TestReadRows(t *testing.T) {
	train := "size,colour,grade,y\n1,red,7,no\n2,blue,10,yes\n3,red,7,yes\n4,blue,10,no\n"
	fit := func(opts frame.Options) mlcore.Classifier {
		opts.Label, opts.Categorical = "y", []string{"grade"}
		ds, err := plain.Dataset(strings.NewReader(train), opts)
		if err != nil {
			t.Fatal(err)
		}
		model, err := tree.Config{}.FitClassifier(ds)
		if err != nil {
			t.Fatal(err)
		}
		return model
	}
	strict, ignoring := fit(frame.Options{}), fit(frame.Options{Unknown: mlcore.UnknownMissing})
	unnamed := ofColumns(mlcore.Column{Name: "X0"}, mlcore.Column{Name: "b"})
	large := ofColumns(mlcore.Column{Name: "a", Levels: []string{"3000000000", "4000000000"}, Unknown: mlcore.UnknownMissing})
	for _, tc := range []struct {
		name  string
		model any
		csv   string
		want  string
		err   error
		says  string
	}{
		{"another order, and more", strict, "id,grade,colour,size\nx1,07,blue,2\n", `size[] colour["blue" "red"] grade["7" "10"] [no yes][][] [2 0 0]`, nil, ""},
		{"with labels", strict, "grade,colour,size,y\n10,red,1,yes\n", `size[] colour["blue" "red"] grade["7" "10"] [no yes][1][] [1 1 1]`, nil, ""},
		{"one row of gaps", strict, "grade,colour,size\n,,\n", `size[] colour["blue" "red"] grade["7" "10"] [no yes][][] [NaN NaN NaN]`, nil, ""},
		{"unknown categories that may be", ignoring, "grade,colour,size\nx,green,1\n", `size[] colour["blue" "red"] grade["7" "10"] [no yes][][] [1 NaN NaN]`, nil, ""},
		{"an unknown category", strict, "grade,colour,size\n7,green,1\n", "", mlcore.ErrLevel, "green"},
		{"an unknown category of numbers", strict, "grade,colour,size\n8,red,1\n", "", mlcore.ErrLevel, "8"},
		{"a word among numbers that are categories", strict, "grade,colour,size\nx,red,1\n", "", mlcore.ErrLevel, `"x"`},
		{"a word for a number", strict, "grade,colour,size\n7,red,1\n7,red,big\n", "", mlcore.ErrColumn, "line 3"},
		{"the first of two words", strict, "colour,size,grade\nred,Inf,7\nred,big,7\n", "", mlcore.ErrNonFinite, `line 2, column "size" (field 2)`},
		{"words in a column that is not asked for", strict, "size,x,grade,colour\n1,2,7,red\n2,b,07,blue\n", `size[] colour["blue" "red"] grade["7" "10"] [no yes][][] [1 1 0] [2 0 0]`, nil, ""},
		{"large numbers that are categories", large, "a\n04000000000\n2147483647\n3000000000\n", `a["3000000000" "4000000000"] [][][] [1] [NaN] [0]`, nil, ""},
		{"an index of words before the columns of a model without a target", large, ",a\nid1,3000000000\n", `a["3000000000" "4000000000"] [][][] [0]`, nil, ""},
		{"a column that had no name", unnamed, ",b,y\n7,2,1\n", `X0[] b[] [][][] [7 2]`, nil, ""},
		{"one that had no name and has it now", unnamed, "b,X0\n2,7\n", `X0[] b[] [][][] [7 2]`, nil, ""},
		{"no column without a name", unnamed, "a,b\n1,2\n", "", mlcore.ErrColumn, `no column "X0"; the header has ["a" "b"]`},
		{"a word in a column without a name", unnamed, ",b\nx,1\n", "", mlcore.ErrColumn, `line 2, column "X0" (field 1): bad column: "x" is not a number`},
		{"a name with a CR", ofColumns(mlcore.Column{Name: "a\rb"}), "\"a\rb\",c\n1,2\n", "a\rb[] [][][] [1]", nil, ""},
		{"an unknown category behind a blank line", strict, "grade,colour,size\n7,red,1\n\n7,green,1\n", "", mlcore.ErrLevel, `"green" in line 4, column "colour"`},
		{"a missing label", strict, "grade,colour,size,y\n7,red,1,no\n\n7,red,1,\n", "", mlcore.ErrNonFinite, "line 4 has no y, others have"},
		{"semicolons", strict, "grade;colour;size\n7;red;1\n", "", mlcore.ErrColumn, "set CSV.Separator to ';'"},
		{"a column is missing", strict, "grade,size\n7,1\n", "", mlcore.ErrColumn, `"colour"`},
		{"no model", 7, "a\n1\n", "", mlcore.ErrColumn, "int"},
	} {
		ds, err := plain.Rows(strings.NewReader(tc.csv), tc.model)
		holds(t, tc.name, ds, err, tc.want, tc.err, tc.says)
	}
}

// holds checks a Dataset that was read, or the error where one is wanted.
func holds(t *testing.T, name string, ds *mlcore.Dataset, err error, want string, wrong error, says string) {
	t.Helper()
	switch {
	case wrong != nil:
		if !errors.Is(err, wrong) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want %v that says %q", name, err, wrong, says)
		}
	case err != nil:
		t.Errorf("%s: %v", name, err)
	case describe(ds) != want:
		t.Errorf("%s:\n%s, want\n%s", name, describe(ds), want)
	}
}

// Room is made for no more rows than the bytes can hold: a blank line has no comma.
func TestReadDatasetOfBlankLines(t *testing.T) {
	blank := strings.Repeat("\n", 1<<24)
	for _, tc := range []struct {
		name, csv string
		each      uint64 // bytes for one of the table
	}{
		// What is read, and little more.
		{"plain", "a,b\n1,2\n" + blank + "3,4\n", 1},
		// The space of each line is a field, which is thrown away again.
		{"spaces", "a,b\n1,2\n" + strings.Repeat(" \r\n", 1<<22) + "3,4\n", 4},
		{"quoted", "\"a\",b\n1,2\n" + blank + "3,4\n", 1},
		{"words", "a,b\nx,y\n" + blank + "z,w\n", 1},
		// A row of one field may have two bytes and becomes a float64.
		{"one column", "a\n1\n" + blank + "3\n", 1 + 8/2},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		ds, err := plain.Dataset(strings.NewReader(tc.csv), frame.Options{})
		runtime.ReadMemStats(&after)
		if err != nil || ds.Len() != 2 {
			t.Errorf("%s: %v (%v)", tc.name, ds, err)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > tc.each*uint64(len(tc.csv))+1<<20 {
			t.Errorf("%s: %d bytes take %d", tc.name, len(tc.csv), used)
		}
	}
}

// schemaOf is a model that knows its columns and no more.
type schemaOf struct{ ds *mlcore.Dataset }

func (s schemaOf) Schema() *mlcore.Schema { return s.ds.Schema() }

var userColumns = []frame.Field{
	{Name: "X1", Type: series.Float},
	{Name: "n", Type: series.Int, Missing: true},
	{Name: "label", Type: series.String},
}

func TestReadCSV(t *testing.T) {
	for _, tc := range []struct {
		name, csv string
		want      [][]string
	}{
		{"plain", "X1,n,label\n1.5,2,a\n-3,4,b\n", [][]string{{"1.500000", "2", "a"}, {"-3.000000", "4", "b"}}},
		{"columns in another order, and others", "label,z,n,X1\na,9,2,1.5\n", [][]string{{"1.500000", "2", "a"}}},
		{"CRLF, spaces, blank lines, no last newline", "X1, n ,label\r\n\r\n 1e0 ,\t2,a b \r\n\n3,4,b", [][]string{{"1.000000", "2", "a b"}, {"3.000000", "4", "b"}}},
		{"quotes", "X1,n,\"label\"\n\"1\",2,\"a, \"\"b\"\"\"\n", [][]string{{"1.000000", "2", `a, "b"`}}},
		{"byte order mark", "\xef\xbb\xbfX1,n,label\n1,2,a\n", [][]string{{"1.000000", "2", "a"}}},
		{"missing", "X1,n,label\n1,,a\n1,?,a\n1,NA,a\n1,7,a\n", [][]string{{"1.000000", "NaN", "a"}, {"1.000000", "NaN", "a"}, {"1.000000", "NaN", "a"}, {"1.000000", "7", "a"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			df, err := plain.Frame(strings.NewReader(tc.csv), userColumns...)
			if err != nil {
				t.Fatal(err)
			}
			if got := df.Records()[1:]; !reflect.DeepEqual(got, tc.want) {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}

func TestReadCSVErrors(t *testing.T) {
	for _, tc := range []struct {
		name, csv string
		want      error
		says      string
	}{
		{"empty", "", mlcore.ErrEmpty, "the file is empty"},
		{"header only", "X1,n,label\n", mlcore.ErrEmpty, "no data rows"},
		{"too few fields", "X1,n,label\n1,2,a\n1,2\n", mlcore.ErrShape, "line 3: shape mismatch: 2 fields where there are 3 columns"},
		{"too many fields", "X1,n,label\n1,2,a,b\n", mlcore.ErrShape, "line 2"},
		{"missing column", "X1,label\n1,a\n", mlcore.ErrColumn, `line 1: bad column: no column "n"`},
		{"column twice", "X1,n,label,n\n1,2,a,3\n", mlcore.ErrColumn, `"n" is there twice, in fields 2 and 4`},
		{"text for a number", "X1,n,label\n1,2,a\n\nabc,2,a\n", mlcore.ErrColumn, `line 4, column "X1" (field 1): bad column: "abc" is not a number`},
		{"fraction for a whole number", "X1,n,label\n1,2.5,a\n", mlcore.ErrColumn, `line 2, column "n" (field 2): bad column: "2.5" is not a whole number`},
		{"NaN", "X1,n,label\nNaN,2,a\n", mlcore.ErrColumn, `line 2, column "X1" (field 1): bad column: "NaN" stands for a missing value, which this column must not have; set its Missing`},
		{"Inf", "n,X1,label\n1,-Inf,a\n", mlcore.ErrNonFinite, `line 2, column "X1" (field 2): non-finite value: "-Inf" is not finite`},
		{"an infinite whole number", "X1,n,label\n1,-Inf,a\n", mlcore.ErrColumn, `line 2, column "n" (field 2): bad column: "-Inf" is not a whole number`},
		{"UTF-16, low byte first", "\xff\xfeX\x001\x00,\x00n\x00\n\x00", frame.ErrFormat, "it is in UTF-16; save it as UTF-8"},
		{"UTF-16, high byte first", "\xfe\xff\x00X\x001\x00,\x00n\x00\n", frame.ErrFormat, "save it as UTF-8"},
		{"UTF-16, low byte first, without mark", "X\x001\x00,\x00n\x00\n\x00", frame.ErrFormat, "line 1: not a CSV table: there is a zero byte, as UTF-16 has; save it as UTF-8"},
		{"UTF-16, high byte first, without mark", "\x00X\x001\x00,\x00n\x00\n", frame.ErrFormat, "zero byte"},
		{"UTF-16 without mark, Cyrillic", "\x18\x04,\x00\x12\x04\n\x001\x00,\x002\x00\n\x00", frame.ErrFormat, "zero byte"},
		{"too large", "X1,n,label\n1e999,2,a\n", mlcore.ErrNonFinite, `"1e999"`},
		{"empty field", "X1,n,label\n,2,a\n", mlcore.ErrColumn, `line 2, column "X1" (field 1)`},
		// Go's literals, which no other reader of tables takes for numbers.
		{"underscores", "X1,n,label\n1_000,2,a\n", mlcore.ErrColumn, `"1_000" is not a number`},
		{"hexadecimal", "X1,n,label\n0x1p10,2,a\n", mlcore.ErrColumn, `"0x1p10" is not a number`},
		{"open quote", "X1,n,label\n1,2,\"a\n", mlcore.ErrShape, "line 2"},
		{"a quote that is open to the end", "X1,n,label\n1,2,\"a\n" + strings.Repeat("1,2,b\n", 9), mlcore.ErrShape, "line 2: shape mismatch: a field with a quote begins here and goes on to line 11"},
		{"a quote that is open to the next", "X1,n,label\n1,2,\"a\n1,2,b\n1,2,\"c\"\n", mlcore.ErrShape, "line 2: shape mismatch: a field with a quote begins here and goes on to line 4, character 5"},
		{"quotes around semicolons", "\"X1\";\"n\"\n1;2\n", mlcore.ErrColumn, "set CSV.Separator to ';'"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := plain.Frame(strings.NewReader(tc.csv), userColumns...)
			if !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("error %v, want %v that says %q", err, tc.want, tc.says)
			}
		})
	}
	for _, columns := range [][]frame.Field{nil, {{Name: "X1"}}, {userColumns[0], userColumns[0]}} {
		if _, err := plain.Frame(strings.NewReader("X1\n1\n"), columns...); !errors.Is(err, mlcore.ErrConfig) {
			t.Errorf("columns %v: error %v", columns, err)
		}
	}
}

// An error repeats the beginning of what is wrong, not all of it.
func TestReadCSVErrorsAreShort(t *testing.T) {
	long := strings.Repeat("ä", 1<<20)
	for name, csv := range map[string]string{
		"text for a number":       "X1,n,label\n" + long + ",2,a\n",
		"text for a whole number": "X1,n,label\n1," + long + ",a\n",
		"too large":               "X1,n,label\n1" + strings.Repeat("0", 1<<20) + ",2,a\n",
		"a name":                  "X1," + long + ",label\n1,2,a\n",
		"many names":              "X1,m,label" + strings.Repeat(",another", 1<<17) + "\n",
		"a line without columns":  long + "\n",
	} {
		_, err := plain.Frame(strings.NewReader(csv), userColumns...)
		if err == nil || len(err.Error()) > 1000 || !utf8.ValidString(err.Error()) {
			t.Errorf("%s: an error of %d bytes: %.300v", name, len(fmt.Sprint(err)), err)
		}
	}
}

// Blank lines are no rows, and room is made for no more rows than the bytes can hold.
func TestReadCSVOfBlankLines(t *testing.T) {
	names := make([]string, 1000)
	columns := make([]frame.Field, len(names))
	for j := range names {
		names[j] = "x" + strconv.Itoa(j)
		columns[j] = frame.Field{Name: names[j], Type: series.Float}
	}
	row := strings.Repeat("1,", len(names)-1) + "1\n"
	for name, csv := range map[string]string{
		"plain":  strings.Join(names, ",") + "\n" + row + strings.Repeat("\n", 1<<20) + row,
		"quoted": `"` + strings.Join(names, `","`) + "\"\n" + row + strings.Repeat("\n", 1<<20) + row,
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		df, err := plain.Frame(strings.NewReader(csv), columns...)
		runtime.ReadMemStats(&after)
		if err != nil || df.Nrow() != 2 {
			t.Errorf("%s: %d rows (%v)", name, df.Nrow(), err)
		}
		// The bytes as they are read, with what io.ReadAll leaves behind, and 8 a field.
		if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
			t.Errorf("%s: %d bytes take %d", name, len(csv), used)
		}
	}
}

func TestReadCSVFileNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.csv")
	if _, err := plain.FrameFile(path, userColumns...); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	write(t, path, "X1,n,label\n1,2\n")
	if _, err := plain.FrameFile(path, userColumns...); err == nil || !strings.HasPrefix(err.Error(), path+": line 2") {
		t.Errorf("ragged file: %v", err)
	}
	write(t, path, "X1,n,label\n1,2,a\n")
	if df, err := plain.FrameFile(path, userColumns...); err != nil || df.Nrow() != 1 {
		t.Errorf("%d rows: %v", df.Nrow(), err)
	}
}

// Whatever the bytes, ReadCSV does not panic, and where it reads a table
// without quotes, encoding/csv and strconv read the same.
func FuzzReadCSV(f *testing.F) {
	for _, s := range []string{
		"X1,n,label\n1.5,2,a\n", "X1,n,label\n1,?,\n", "label,X1,n\r\na,1,2\r\n", "X1,n,label\n\"1\",2,\"a\n\"", "", "\n\n", "X1,n,label\n1,2\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		df, err := plain.Frame(strings.NewReader(s), userColumns...)
		if err != nil {
			return
		}
		if strings.ContainsAny(s, "\"\r\ufeff") {
			return
		}
		r := csv.NewReader(strings.NewReader(s))
		r.FieldsPerRecord = -1
		records, err := r.ReadAll()
		if err != nil {
			t.Fatalf("encoding/csv refuses it: %v", err)
		}
		var rows [][]string
		for _, rec := range records {
			if len(rec) > 1 { // a line of spaces is blank here, not there
				rows = append(rows, rec)
			}
		}
		if df.Nrow() != len(rows)-1 {
			t.Fatalf("%d rows, encoding/csv has %d", df.Nrow(), len(rows)-1)
		}
		for j, name := range rows[0] {
			if strings.Trim(name, " \t") != "X1" {
				continue
			}
			for i, rec := range rows[1:] {
				want, err := strconv.ParseFloat(strings.Trim(rec[j], " \t"), 64)
				if got := df.Col("X1").Elem(i).Float(); err != nil || got != want || math.IsNaN(got) {
					t.Errorf("row %d: X1 is %v, want %v (%v)", i, got, want, err)
				}
			}
		}
	})
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Whatever the bytes, reading does not panic, and what was read is the same after it was
// written and read again.
func FuzzCSV(f *testing.F) {
	for _, s := range []string{
		"a,b,y\n1,red,no\n2.5,,yes\n", "a;b\n1,5;x\n", "a\tb\r\n\"1\"\t\"x\ny\"\r\n", "\n\n,a\n0,1\n1,?\n", "a  b\n 1 2 \n", "a,b\r1,NaN\r2,7\r",
		"a,a\n1,2\n", "a\n\"1", "\"a;b\"\n1\n2\n", "a,b\n-0,1e-400\n007,x\n", "\ufeff\"a\",b\n\u00a0x,1\n", "5.1,3\n1,2\n", "\"a\" ,b\r1, \"x\ny\"\t\r\r\n2,\"\"\n",
	} {
		for _, separator := range ",;\t " {
			f.Add(s, byte(separator), byte('.'))
		}
	}
	f.Fuzz(func(t *testing.T, s string, separator, decimal byte) {
		c := frame.CSV{Separator: rune(separator), Decimal: rune(decimal), Warn: func(string) {}}
		ds, err := c.Dataset(strings.NewReader(s), frame.Options{})
		if err != nil || strings.HasPrefix(ds.Columns[0].Name, "\ufeff") { // which would be a byte order mark
			return
		}
		var text strings.Builder
		w, opts := csv.NewWriter(&text), frame.Options{Features: ds.FeatureNames(), Levels: map[string][]string{}}
		rows := [][]string{opts.Features}
		for i := range ds.Len() {
			row := make([]string, len(ds.Columns))
			for j, col := range ds.Columns {
				switch v := ds.X.At(i, j); {
				case math.IsNaN(v):
					row[j] = "NA"
				case col.Categorical():
					row[j], opts.Levels[col.Name] = col.Levels[int(v)], col.Levels
				default:
					row[j] = strconv.FormatFloat(v, 'g', -1, 64)
				}
			}
			rows = append(rows, row)
		}
		if err := w.WriteAll(rows); err != nil {
			t.Fatal(err)
		}
		again, err := frame.CSV{}.Dataset(strings.NewReader(text.String()), opts)
		if err != nil || describe(again) != describe(ds) {
			t.Errorf("%q became\n%s\nand as %q\n%v (%v)", s, describe(ds), text.String(), again, err)
		}
	})
}

// What may be meant is given to Warn, and the Dataset is made.
func TestWarn(t *testing.T) {
	table := ",a,code,name,y\n"
	for i := range 24 {
		table += fmt.Sprintf("%d,%d,%03d,person %d,%d\n", i, i%5, i%7, i, 100+i)
	}
	var said []string
	ds, err := frame.CSV{Warn: func(warning string) { said = append(said, warning) }}.Dataset(strings.NewReader(table), frame.Options{Label: "y"})
	if err != nil {
		t.Fatal(err)
	}
	if got := ds.FeatureNames(); !slices.Equal(got, []string{"X0", "a", "code", "name"}) || ds.NumClasses() != 24 {
		t.Errorf("features %q, %d classes", got, ds.NumClasses())
	}
	want := []string{`column "X0" numbers the rows`, `column "code" has numbers with zeros`, `column "name" has 24`, `label "y" would have 24`}
	if !slices.EqualFunc(said, want, strings.HasPrefix) {
		t.Errorf("warnings %q, want %q", said, want)
	}
	said = nil
	if _, err := (frame.CSV{Warn: func(warning string) { said = append(said, warning) }}).Dataset(strings.NewReader("1,2\n3,4\n5,7\n"), frame.Options{}); err != nil ||
		!slices.EqualFunc(said, []string{`the header ["1" "2"] has numbers for names; set CSV.Names`}, strings.HasPrefix) {
		t.Errorf("a header of numbers: warnings %q (%v)", said, err)
	}
}

// Settings that do not suit the table, or each other.
func TestCSVSettings(t *testing.T) {
	for _, tc := range []struct {
		name, table string
		csv         frame.CSV
		opts        frame.Options
		want        string // as describe says it
		err         error
		says        string
	}{
		{"a quote for a separator", "a\n1\n", frame.CSV{Separator: '"'}, frame.Options{}, "", mlcore.ErrConfig, `Separator is '"'`},
		{"a line end for a separator", "a\n1\n", frame.CSV{Separator: '\n'}, frame.Options{}, "", mlcore.ErrConfig, `Separator is '\n'`},
		{"a semicolon for a decimal sign", "a\n1\n", frame.CSV{Decimal: ';'}, frame.Options{}, "", mlcore.ErrConfig, "Decimal is ';'"},
		{"dates that are not there", "a\n1\n", frame.CSV{Dates: map[string]string{"day": "2006"}}, frame.Options{}, "", mlcore.ErrColumn, `line 1: bad column: no column "day", which is in CSV.Dates; the header has ["a"]`},
		{"dates that are classes", "a,y\n1,2001\n2,2002\n", frame.CSV{Dates: map[string]string{"y": "2006"}}, frame.Options{Label: "y"}, "", mlcore.ErrConfig, `column "y" is in CSV.Dates and wanted as text`},
		{"dates to predict", "a,y\n1,1970\n2,1971\n", frame.CSV{Dates: map[string]string{"y": "2006"}}, frame.Options{Target: "y"}, `a[] [][][0 365] [1] [2]`, nil, ""},
		{"times", "a\n06:00\n18:00\n", frame.CSV{Dates: map[string]string{"a": "15:04"}}, frame.Options{}, `a[] [][][] [0.25] [0.75]`, nil, ""},
		{"times with a fraction", "a\n00:00:21.09375\n06:00:00\n", frame.CSV{Dates: map[string]string{"a": "15:04:05"}}, frame.Options{}, `a[] [][][] [0.000244140625] [0.25]`, nil, ""},
		{"names that are there twice", "1,2\n", frame.CSV{Names: []string{"a", "a"}}, frame.Options{}, "", mlcore.ErrColumn, `CSV.Names: bad column: column "a" is there twice`},
		{"too few names", "1,2,3\n", frame.CSV{Names: []string{"a", "b"}}, frame.Options{}, "", mlcore.ErrShape, "line 1: shape mismatch: 3 fields where there are 2 columns"},
		{"whole labels and decimal commas", "a;y\n1,5;10\n2;20\n", frame.CSV{Separator: ';', Decimal: ','}, frame.Options{Label: "y"}, `a[] [10 20][0 1][] [1.5] [2]`, nil, ""},
		{"points that are no decimal signs", "a;y\n1.5;10\n2.5;20\n", frame.CSV{Separator: ';', Decimal: ','}, frame.Options{Label: "y"}, "", mlcore.ErrColumn, "write the numbers without points, because CSV.Decimal is ','"},
		{"a missing word that is a level", "a\nunknown\nNA\nred\n", frame.CSV{MissingWords: []string{"unknown"}}, frame.Options{Levels: map[string][]string{"a": {"red", "unknown"}}}, `a["red" "unknown"] [][][] [1] [NaN] [0]`, nil, ""},
		{"a column that is called X0", "X0,X1\n5,2\n3,4\n", frame.CSV{}, frame.Options{}, `X0[] X1[] [][][] [5 2] [3 4]`, nil, ""},
	} {
		ds, err := tc.csv.Dataset(strings.NewReader(tc.table), tc.opts)
		holds(t, tc.name, ds, err, tc.want, tc.err, tc.says)
	}
}

// New rows are read with the settings of the training rows.
func TestRowsWithSettings(t *testing.T) {
	how := frame.CSV{Separator: ';', Decimal: ',', Dates: map[string]string{"day": "2.1.2006"}, MissingWords: []string{"-"}}
	ds, err := how.Dataset(strings.NewReader("day;size;y\n2.1.1970;1,5;no\n5.1.1970;-;yes\n"), frame.Options{Label: "y"})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := how.Rows(strings.NewReader("size;day\n-;4.1.1970\n2,25;\n"), schemaOf{ds})
	if want := `day[] size[] [no yes][][] [3 NaN] [NaN 2.25]`; err != nil || describe(rows) != want {
		t.Errorf("%v (%v), want %s", rows, err, want)
	}
	if _, err := how.Rows(strings.NewReader("size;day\n1.5;4.1.1970\n"), schemaOf{ds}); !errors.Is(err, mlcore.ErrColumn) ||
		!strings.Contains(err.Error(), `line 2, column "size" (field 1): bad column: "1.5" is not a number; write the numbers without points`) {
		t.Errorf("a point: %v", err)
	}
}

// What is no regular file, or too large, is refused before it is read.
func TestFilesThatAreNotRead(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large.csv")
	write(t, large, "")
	if err := os.Truncate(large, 1<<40); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{dir: frame.ErrNotRegular, large: frame.ErrTooLarge, filepath.Join(dir, "none.csv"): os.ErrNotExist} {
		if _, err := plain.DatasetFile(path, frame.Options{}); !errors.Is(err, want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v, want %v", path, err, want)
		}
	}
}

package datasets

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/frame"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

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
		{"signs, exponents, points", "a,b\n+1,1e3\n-0,-0\n0,.5\n", frame.Options{}, `a[] b[] [][][] [1 1000] [0 -0] [0 0.5]`},
		{"whole numbers that float64 does not tell apart", "a\n9007199254740993\n9007199254740992\n9\n", frame.Options{Categorical: []string{"a"}},
			`a["9" "9007199254740992" "9007199254740993"] [][][] [2] [1] [0]`},
		{"whole numbers that are written in several ways", "a,y\n07,+1\n7,01\n?,-0\n", frame.Options{Categorical: []string{"a"}, Label: "y"},
			`a["7"] [0 1][1 1 0][] [0] [0] [NaN]`},
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
		{"quotes over lines", "a,b\n\"1\",\"x, \"\"y\"\"\nz\"\n\n2,w\n", frame.Options{}, `a[] b["w" "x, \"y\"\nz"] [][][] [1 1] [2 0]`},
		{"a column that is not asked for", "a,b\n1,2\n2,x\n", frame.Options{Features: []string{"a"}}, `a[] [][][] [1] [2]`},
		{"a column without a name", "a,\n1,2\n2,3\n", frame.Options{Target: "X0"}, `a[] [][][2 3] [1] [2]`},
		{"a column without a name that has numbers and words", "a,\n1,2\n2,x\n", frame.Options{Categorical: []string{"X0"}}, `a[] X0["2" "x"] [][][] [1 0] [2 1]`},
		{"one that is left out", ",b,y\n1,2,p\nx,3,q\n", frame.Options{Drop: []string{"X0"}, Label: "y"}, `b[] [p q][0 1][] [2] [3]`},
		{"one beside its name", ",X0\n1,2\n3,4\n", frame.Options{Drop: []string{"X0"}}, `X1[] [][][] [1] [3]`},
		{"rows without a target", "a,y\nred,1\nblue,?\n,2\n", frame.Options{Target: "y", SkipMissingTarget: true}, `a["blue" "red"] [][][1 2] [1] [NaN]`},
		{"two columns without a name", "a,,\n1,2,3\n", frame.Options{}, `a[] X0[] X1[] [][][] [1 2 3]`},
		{"three beside their names", ",X1,,b,\n1,2,3,4,5\n", frame.Options{}, `X0[] X1[] X2[] b[] X3[] [][][] [1 2 3 4 5]`},
		{"NaN in a column that is dropped", "a,y,d\n1,p,1\n2,q,NaN\n", frame.Options{Label: "y", Drop: []string{"d"}}, `a[] [p q][0 1][] [1] [2]`},
		{"NaN in a column that Features leaves out", "a,y,d\n1,p,1\n2,q,inf\n", frame.Options{Label: "y", Features: []string{"a"}}, `a[] [p q][0 1][] [1] [2]`},
		{"a doubled name that Features leaves out", "d,a,d,y\n1,1,1,3\n2,2,2,4\n", frame.Options{Target: "y", Features: []string{"a"}}, `a[] [][][3 4] [1] [2]`},
		{"a doubled name that is dropped", "d,a,d\n1,1,1\n2,2,2\n", frame.Options{Drop: []string{"d"}}, `a[] [][][] [1] [2]`},
		{"real labels that are names", "a,y\n1,1.0\n2,0.0\n", frame.Options{Label: "y", Categorical: []string{"y"}}, `a[] [0.0 1.0][1 0][] [1] [2]`},
		{"a semicolon in a name that is asked for", "a;b\n1\n2\n", frame.Options{Features: []string{"a;b"}}, `a;b[] [][][] [1] [2]`},
		{"quoted numbers", "\"a\"\n\"1\"\n", frame.Options{}, `a[] [][][] [1]`},
	} {
		ds, err := ReadDataset(strings.NewReader(tc.csv), tc.opts)
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
		{"no such column in Drop", "a,b,c,b\n1,2,3,4\n", frame.Options{Drop: []string{"b", "d"}}, mlcore.ErrColumn, `no column "d"; the table has ["a" "b" "c"]`},
		{"ragged behind columns that are left out", "a,b\n1,2\n1,2,3\n", frame.Options{Drop: []string{"b"}}, mlcore.ErrShape, "line 3"},
		{"NaN", "a\n1\nNaN\n", frame.Options{}, mlcore.ErrNonFinite, `line 3, column "a" (field 1): non-finite value: "NaN"; where a value is missing leave the field empty or write NA or ?`},
		{"a missing label behind a blank line", "a,c\n1,yes\n\n2,no\n3,\n", frame.Options{Label: "c", Name: "mine"}, mlcore.ErrNonFinite, "mine: non-finite value: line 5 has no c; set SkipMissingTarget"},
		{"a missing target behind quoted lines", "a,c\n\"x\ny\",1\nz,?\n", frame.Options{Target: "c"}, mlcore.ErrNonFinite, "line 4 has no c"},
		{"an unlisted level", "a,b\n1,lo\n\n\n3,mid\n", frame.Options{Levels: map[string][]string{"b": {"lo", "hi"}}}, mlcore.ErrLevel, `"mid" in line 5, column "b"`},
		{"an unlisted class", "a,b\n1,lo\n3,mid\n", frame.Options{Label: "b", Levels: map[string][]string{"b": {"lo", "hi"}}}, mlcore.ErrLevel, `class "mid" in line 3, column "b"`},
		{"semicolons", "a;c\n1;x\n2;y\n", frame.Options{}, mlcore.ErrColumn, `line 1: bad column: the only column is "a;c"; if semicolons separate the fields, save the table with commas, and if not list the column in Features`},
		{"semicolons and decimal commas", "a;c\n1,5;x\n2,5;y\n", frame.Options{Label: "c"}, mlcore.ErrColumn, "semicolons"},
		{"tabs", "a\tb\n1\t2\n", frame.Options{}, mlcore.ErrColumn, "if tabs separate the fields"},
		{"UTF-16", "\xff\xfea\x00,\x00c\x00\n\x00", frame.Options{Label: "c"}, mlcore.ErrColumn, "save it as UTF-8"},
		{"a label that is dropped", "a,c\n1,x\n2,y\n", frame.Options{Label: "c", Drop: []string{"c"}}, mlcore.ErrColumn, "in Drop"},
		{"NaN among whole labels", "a,c\n1,1\n2,NaN\n", frame.Options{Label: "c"}, mlcore.ErrNonFinite, "line 3"},
		{"not finite before a ragged line", "a,b\n1,1\n2,Inf\n3\n", frame.Options{}, mlcore.ErrNonFinite, "line 3"},
		{"not finite in a ragged line", "a,b\nNaN\n2,Inf\n", frame.Options{}, mlcore.ErrShape, "line 2"},
		{"two that are not finite", "a,b\n1,-Inf\n1e999,2\n", frame.Options{}, mlcore.ErrNonFinite, `line 2, column "b" (field 2): non-finite value: "-Inf"`},
		{"a misprint after a ragged line", "a,b\n1,1\n2\n3,x\n", frame.Options{}, mlcore.ErrShape, "line 3: shape mismatch: 1 fields where there are 2 columns"},
		{"a misprint in a ragged line", "a,b\n1,2\n3,oops,\n4,z\n", frame.Options{}, mlcore.ErrShape, "line 3: shape mismatch: 3 fields where there are 2 columns"},
		{"a number after a ragged line", "a,b\n1,x\n2\n3,4\n", frame.Options{}, mlcore.ErrShape, "line 3"},
		{"a misprint before a ragged line", "a,b\n1,1\n2,x\n3\n", frame.Options{}, mlcore.ErrColumn, `a number in line 2 and "x" in line 3`},
		{"two names with numbers and words before a ragged line", "a,b\n1,1\nx\n2,y\n", frame.Options{}, mlcore.ErrShape, "line 3"},
		{"labels beyond 64 bits", "a,y\n1,9223372036854775808\n2,9223372036854775809\n", frame.Options{Label: "y"}, mlcore.ErrColumn, "real numbers"},
		{"real labels", "a,y\n1,0.5\n2,1\n", frame.Options{Label: "y"}, mlcore.ErrColumn, "real numbers; class labels are text or whole numbers, and regression takes Target; list the column in Categorical if its numbers are names"},
		{"an open quote after a misprint", "a\n1\nx\n\"2\n", frame.Options{}, mlcore.ErrShape, "line 4"},
		{"not finite", "a\n1\nNaN\n", frame.Options{}, mlcore.ErrNonFinite, "line 3"},
		{"ragged", "a,b\n1,2\n1,2,3\n", frame.Options{}, mlcore.ErrShape, "line 3"},
		{"ragged, with a word", "a,b\n1,2\n1,2,x\n", frame.Options{}, mlcore.ErrShape, "line 3"},
		{"one name twice", "a,a\n1,2\n", frame.Options{}, mlcore.ErrColumn, "fields 1 and 2"},
		{"no label", "a\n1\n", frame.Options{Label: "y"}, mlcore.ErrColumn, `"y"`},
		{"nothing", "", frame.Options{}, mlcore.ErrEmpty, ""},
		{"no rows", "a,b\n", frame.Options{}, mlcore.ErrEmpty, ""},
		{"lines that end in CR", "a,b\r1,2\r3,4\r", frame.Options{Label: "b"}, mlcore.ErrEmpty, "no data rows; the lines end in CR, and have to end in LF or CRLF"},
		{"quoted lines that end in CR", "\"a\",b\r1,2\r3,4\r", frame.Options{}, mlcore.ErrEmpty, "CR"},
		{"a column without a value", "a,b\n1,\n2,\n", frame.Options{}, mlcore.ErrEmpty, `every value of column "b" is missing; list it in Drop`},
	} {
		_, err := ReadDataset(strings.NewReader(tc.csv), tc.opts)
		if !errors.Is(err, tc.want) || tc.want != nil && !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: error %v, want %v that says %q", tc.name, err, tc.want, tc.says)
		}
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte("a,b\n1,2\n3,x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadDatasetFile(path, frame.Options{}); err == nil || !strings.HasPrefix(err.Error(), path) {
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
		ds, err := ReadDataset(strings.NewReader(train), opts)
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
		{"lines that end in CR", strict, "grade,colour,size\r7,red,1", "", mlcore.ErrEmpty, "end in CR"},
		{"a name with a CR", ofColumns(mlcore.Column{Name: "a\rb"}), "a\rb,c\n1,2\n", "a\rb[] [][][] [1]", nil, ""},
		{"an unknown category behind a blank line", strict, "grade,colour,size\n7,red,1\n\n7,green,1\n", "", mlcore.ErrLevel, `"green" in line 4, column "colour"`},
		{"a missing label", strict, "grade,colour,size,y\n7,red,1,no\n\n7,red,1,\n", "", mlcore.ErrNonFinite, "line 4 has no y, others have"},
		{"semicolons", strict, "grade;colour;size\n7;red;1\n", "", mlcore.ErrColumn, "if semicolons separate the fields"},
		{"a column is missing", strict, "grade,size\n7,1\n", "", mlcore.ErrColumn, `"colour"`},
		{"no model", 7, "a\n1\n", "", mlcore.ErrColumn, "int"},
	} {
		ds, err := ReadRows(strings.NewReader(tc.csv), tc.model)
		switch {
		case tc.err != nil:
			if !errors.Is(err, tc.err) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%s: error %v, want %v that says %q", tc.name, err, tc.err, tc.says)
			}
		case err != nil:
			t.Errorf("%s: %v", tc.name, err)
		case describe(ds) != tc.want:
			t.Errorf("%s:\n%s, want\n%s", tc.name, describe(ds), tc.want)
		}
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
		{"spaces", "a,b\n1,2\n" + strings.Repeat(" \r\n", 1<<22) + "3,4\n", 1},
		{"quoted", "\"a\",b\n1,2\n" + blank + "3,4\n", 1},
		{"words", "a,b\nx,y\n" + blank + "z,w\n", 1},
		// A row of one field may have two bytes and becomes a float64.
		{"one column", "a\n1\n" + blank + "3\n", 1 + 8/2},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		ds, err := ReadDataset(strings.NewReader(tc.csv), frame.Options{})
		runtime.ReadMemStats(&after)
		if err != nil || ds.Len() != 2 {
			t.Errorf("%s: %v (%v)", tc.name, ds, err)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > tc.each*uint64(len(tc.csv))+1<<20 {
			t.Errorf("%s: %d bytes take %d", tc.name, len(tc.csv), used)
		}
	}
}

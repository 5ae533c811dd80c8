package frame_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/frame"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
)

// A messyFile is one with what pandas reads of it, by scripts/oracles/frame.py.
type messyFile struct {
	Name    string `json:"name"`
	File    []byte `json:"file"`
	Columns []struct {
		Name    string     `json:"name"`
		Numbers []*float64 `json:"numbers"`
		Texts   []*string  `json:"texts"`
	} `json:"columns"`
}

// What a file has to give. The oracle is pandas where neither want nor says is set: the
// same numbers, texts and gaps. Elsewhere it is the rule that why names.
var messy = []struct {
	file string
	csv  frame.CSV
	opts frame.Options // with the label y unless a label or target is set
	want string        // as describe says it
	err  error
	says string
	why  string
}{
	{file: "plain"},
	{file: "numbers in all ways"},
	{file: "CRLF and spaces"},
	{file: "spaces at the end", want: `a[] b["blue" "red"] [no yes][0 1][] [1 1] [2 0]`, why: "white space around a field does not count; pandas keeps it there"},
	{file: "quotes"},
	{file: "a byte order mark"},
	{file: "a no-break space", want: `a[] b["red"] [no yes][0 1][] [1 0] [2 0]`, why: "U+00A0 is white space; pandas keeps it"},
	{file: "a no-break space and a quote", want: `a[] b["red"] [no yes][0 1][] [1 0] [2 0]`, why: "no rule depends on a quote"},
	{file: "CR CR LF"},
	{file: "CR CR LF and a quote"},
	{file: "CR"},
	{file: "CR and an LF at the end"},
	{file: "CR and an LF in quotes"},
	{file: "CR and CRLF"},
	{file: "spaces around quotes", want: `a[] b["a \"b\" , c" "red, dark"] [no yes][0 1][] [1 1] [2 0]`, why: "white space around a field does not count; pandas keeps that behind a quote"},
	{file: "spaces around quotes between tabs", csv: frame.CSV{Separator: '\t'}, want: `a[] b["blue" "red\tdark"] [no yes][0 1][] [1 1] [NaN 0]`, why: "the same"},
	{file: "a column PAR1"},
	{file: "a column BZh"},
	{file: "blank lines"},
	{file: "a last line without an end"},
	{file: "words for missing values"},
	{file: "missing labels", opts: frame.Options{SkipMissingTarget: true}},
	{file: "missing labels", err: mlcore.ErrNonFinite, says: "line 3 has no y; set SkipMissingTarget", why: "a label is needed for learning"},
	{file: "a country NA", opts: frame.Options{Levels: map[string][]string{"country": {"DE", "NA", "None"}}}},
	{file: "more words for missing values", csv: frame.CSV{MissingWords: []string{"-999", "unknown"}}},
	{file: "a missing number that is written in two ways", csv: frame.CSV{MissingWords: []string{"-999"}}},
	{file: "ends of lines of three kinds"},
	{file: "semicolons", csv: frame.CSV{Separator: ';'}},
	{file: "semicolons and decimal commas", csv: frame.CSV{Separator: ';', Decimal: ','}},
	{file: "quoted decimal commas", csv: frame.CSV{Decimal: ','}},
	{file: "semicolons unsaid", err: mlcore.ErrColumn, says: `line 1: bad column: the only column is "a;b;y"; set CSV.Separator to ';'`, why: "pandas reads one column"},
	{file: "quoted semicolons unsaid", err: mlcore.ErrColumn, says: `set CSV.Separator to ';' if it separates the fields`, why: "pandas reads one column"},
	{file: "tabs", csv: frame.CSV{Separator: '\t'}},
	{file: "tabs unsaid", err: mlcore.ErrColumn, says: `set CSV.Separator to '\t'`, why: "pandas reads one column"},
	{file: "bars", csv: frame.CSV{Separator: '|'}},
	{file: "an empty text at the end of spaces", csv: frame.CSV{Separator: ' '}, opts: frame.Options{SkipMissingTarget: true}},
	{file: "runs of spaces", csv: frame.CSV{Separator: ' '}},
	{file: "gzip"},
	{file: "cut gzip", err: frame.ErrFormat, says: "compressed by gzip and cannot be unpacked", why: "as pandas"},
	{file: "a zip archive", err: frame.ErrFormat, says: "it is a zip archive or an Excel workbook (.xlsx); unpack the archive", why: "pandas tells by the file's name"},
	{file: "a workbook", err: frame.ErrFormat, says: "save the sheet as CSV UTF-8", why: "pandas says that it is not UTF-8"},
	{file: "JSON", err: frame.ErrFormat, says: "it is JSON; save it as CSV", why: "pandas makes columns of it"},
	{file: "a pointer of Git LFS", err: frame.ErrFormat, says: "it is a pointer of Git LFS; fetch the file itself with git lfs pull", why: "pandas reads a table of two rows"},
	{file: "a data base", err: frame.ErrFormat, says: "it is an SQLite database; save its table as CSV", why: "pandas reads a header"},
	{file: "an HTML page in small letters", err: frame.ErrFormat, says: "it is an HTML page; download the file itself", why: "pandas reads a table of it"},
	{file: "UTF-16", err: frame.ErrFormat, says: "it is in UTF-16; save it as UTF-8", why: "as pandas"},
	{file: "Latin-1", err: frame.ErrFormat, says: "line 3: not a CSV table: the byte 0xf6 is not UTF-8; save it as UTF-8", why: "as pandas"},
	{file: "an HTML page", err: frame.ErrFormat, says: "it is an HTML page; download the file itself", why: "pandas reads a table of it"},
	{file: "nothing", err: mlcore.ErrEmpty, says: "the file is empty", why: "as pandas"},
	{file: "a header alone", err: mlcore.ErrEmpty, says: "no data rows", why: "there is nothing to learn from"},
	{file: "decimal commas unsaid", err: mlcore.ErrColumn, says: `column "a" looks like numbers, as "1,5" in line 2, and would have 3 categories; set CSV.Decimal to ','`, why: "pandas reads texts"},
	{file: "thousands", err: mlcore.ErrColumn, says: "or write the numbers without commas if it separates thousands", why: "pandas reads texts"},
	{file: "thousands unsaid after a number", err: mlcore.ErrColumn, says: `column "a" has a number in line 2 and "1,234" in line 3`, why: "pandas reads texts"},
	{file: "percent signs", err: mlcore.ErrColumn, says: "write the numbers without currency or percent signs", why: "pandas reads texts"},
	{file: "minus signs of typesetters", err: mlcore.ErrColumn, says: `"−1" in line 2; correct the line, list the column in Categorical if its numbers are names, or "−1" in CSV.MissingWords if it stands for a missing value; write the numbers with the digits 0 to 9 and a hyphen for minus`, why: "pandas reads texts"},
	{file: "minus signs of typesetters alone", err: mlcore.ErrColumn, says: `column "a" looks like numbers, as "−1" in line 2`, why: "pandas reads texts"},
	{file: "digits of another script", err: mlcore.ErrColumn, says: "write the numbers with the digits 0 to 9", why: "pandas reads texts"},
	{file: "losses in parentheses", err: mlcore.ErrColumn, says: `column "a" looks like numbers, as "(12.50)" in line 2, and would have 2 categories; write the numbers with a hyphen for minus in place of parentheses`, why: "pandas reads texts"},
	{file: "exponents of Fortran", err: mlcore.ErrColumn, says: "write the numbers with E before the exponent", why: "pandas reads texts"},
	{file: "years in parentheses are words"},
	{file: "months unsaid", err: mlcore.ErrColumn, says: `the layout "Jan 2006"`, why: "pandas reads texts"},
	{file: "dates without separators", err: mlcore.ErrColumn, says: `column "day" looks like dates, as 20240101 in line 3; set CSV.Dates["day"] to the layout "20060102"`, why: "pandas reads numbers, in which a new month is 70 days away"},
	{file: "dates without separators", opts: frame.Options{Features: []string{"day"}}},
	{file: "eight digits"},
	{file: "dates unsaid", err: mlcore.ErrColumn, says: `column "day" looks like dates, as "2021-05-03" in line 2, and would have 3 categories; set CSV.Dates["day"] to the layout "2006-1-2"`, why: "pandas reads texts"},
	{file: "German dates unsaid", err: mlcore.ErrColumn, says: `the layout "2.1.2006"`, why: "pandas reads texts"},
	{file: "dates", csv: frame.CSV{Dates: map[string]string{"day": "2006-01-02"}}},
	{file: "German dates", csv: frame.CSV{Separator: ';', Dates: map[string]string{"day": "2.1.2006"}}},
	{file: "dates and times", csv: frame.CSV{Dates: map[string]string{"day": "2006-01-02 15:04"}}},
	{file: "fractions of seconds", csv: frame.CSV{Dates: map[string]string{"t": "2006-01-02 15:04:05"}}},
	{file: "a bad date", csv: frame.CSV{Dates: map[string]string{"day": "2006-01-02"}}, err: mlcore.ErrColumn, says: `line 3, column "day" (field 1): bad column: "2021-02-30" is no date of the layout "2006-01-02"`, why: "pandas.to_datetime refuses it"},
	{file: "names of people", err: mlcore.ErrColumn, says: `column "name" has 24 different texts in 24 rows, as an identifier or free text has; list it in Drop`, why: "pandas does not learn"},
	{file: "names of people", opts: frame.Options{Categorical: []string{"name"}}},
	{file: "a row number of pandas", err: mlcore.ErrColumn, says: `column "X0" numbers the rows from 0 on; list it in Drop`, why: "B7: it must not become a feature unseen"},
	{file: "a row number of pandas", opts: frame.Options{Drop: []string{"X0"}}},
	{file: "a row number of a part", err: mlcore.ErrColumn, says: `column "X0" has 24 different whole numbers in 24 rows, as an identifier has`, why: "the same, of rows that were shuffled"},
	{file: "a row number of a part", opts: frame.Options{Drop: []string{"X0"}}},
	{file: "a row number with a name", err: mlcore.ErrColumn, says: `column "case" numbers the rows from 1 on`, why: "the same"},
	{file: "a row number with a name", opts: frame.Options{Features: []string{"case", "a"}}},
	{file: "numbers that identify", err: mlcore.ErrColumn, says: `column "patient_id" has 24 different whole numbers in 24 rows`, why: "the same"},
	{file: "postal codes", err: mlcore.ErrColumn, says: `column "code" has numbers with zeros in front, as "01234" in line 2, as codes have`, why: "pandas drops the zeros"},
	{file: "postal codes", opts: frame.Options{Categorical: []string{"code"}}},
	{file: "amounts for classes", err: mlcore.ErrColumn, says: `label "y" would have 24 classes in 24 rows; regression takes Target`, why: "pandas does not learn"},
	{file: "amounts for classes", opts: frame.Options{Target: "y"}},
	{file: "long numbers for classes"},
	{file: "numbers and words", err: mlcore.ErrColumn, says: `column "a" has a number in line 2 and "many" in line 3; correct the line`, why: "pandas reads texts"},
	{file: "booleans"},
	{file: "an infinity", err: mlcore.ErrNonFinite, says: `line 3, column "a" (field 1): non-finite value: "inf" is not finite`, why: "no model takes one"},
	{file: "too many fields", err: mlcore.ErrShape, says: "line 3: shape mismatch: 3 fields where there are 2 columns; a field that holds ',' has to be in quotes", why: "as pandas"},
	{file: "too few fields", err: mlcore.ErrShape, says: "line 3: shape mismatch: 2 fields where there are 3 columns", why: "RFC 4180; pandas takes values that are not there for missing"},
	{file: "a separator at the end of lines", err: mlcore.ErrShape, says: "line 2: shape mismatch: 4 fields where there are 3 columns", why: "RFC 4180; pandas moves all values one column to the left"},
	{file: "two columns of one name", err: mlcore.ErrColumn, says: `line 1: bad column: column "a" is there twice, in fields 1 and 2`, why: "models find columns by name; pandas renames one"},
	{file: "a column without a name"},
	{file: "an open quote", err: mlcore.ErrShape, says: "line 3: shape mismatch: a field with a quote begins here and goes on to line 5", why: "as pandas"},
	{file: "a quote amid a field", err: mlcore.ErrShape, says: "line 2, character 2: shape mismatch", why: "RFC 4180; pandas takes it as it is"},
	{file: "a bad line behind quoted line breaks", err: mlcore.ErrColumn, says: `column "a" has a number in line 2 and "x" in line 5`, why: "a line is one of the file"},
	{file: "no header", csv: frame.CSV{Names: []string{"length", "width", "class"}}, opts: frame.Options{Label: "class"}},
	{file: "no header unsaid", opts: frame.Options{Label: "class"}, err: mlcore.ErrColumn, says: `no column "class"; the header has ["5.1" "3.5" "setosa"]; set CSV.Names if the table has no header line`, why: "pandas takes the first row for names"},
}

func TestMessyFiles(t *testing.T) {
	answers := oracle.Load[struct {
		Files []messyFile `json:"files"`
	}](t, "testdata/peers.json")
	files := make(map[string]messyFile)
	for _, f := range answers.Files {
		files[f.Name] = f
	}
	tested := make(map[string]bool)
	for _, tc := range messy {
		f, found := files[tc.file]
		if !found {
			t.Fatalf("no file %q in peers.json", tc.file)
		}
		tested[tc.file] = true
		if tc.opts.Label == "" && tc.opts.Target == "" && !strings.HasPrefix(tc.file, "too many") {
			tc.opts.Label = "y"
		}
		ds, err := tc.csv.Dataset(bytes.NewReader(f.File), tc.opts)
		switch {
		case tc.err != nil:
			if !errors.Is(err, tc.err) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%s: error %v, want %v that says %q", tc.file, err, tc.err, tc.says)
			}
		case err != nil:
			t.Errorf("%s: %v", tc.file, err)
		case tc.want != "":
			if got := describe(ds); got != tc.want {
				t.Errorf("%s:\n%s, want\n%s", tc.file, got, tc.want)
			}
		default:
			compareWithPandas(t, f, ds)
		}
		if (tc.err == nil && tc.want == "") != (tc.why == "") {
			t.Errorf("%s: where pandas is not the oracle, why says what is", tc.file)
		}
	}
	for name := range files {
		if !tested[name] {
			t.Errorf("file %q is in no row of this test", name)
		}
	}
}

// compareWithPandas compares all columns that pandas has, in rows that have a target.
func compareWithPandas(t *testing.T, f messyFile, ds *mlcore.Dataset) {
	t.Helper()
	if len(f.Columns) != ds.NumFeatures()+1 {
		t.Errorf("%s: %d columns, pandas has %d", f.Name, ds.NumFeatures()+1, len(f.Columns))
	}
	kept := make([]int, 0, ds.Len())
	for _, c := range f.Columns {
		if c.Name == ds.TargetName {
			for i := range max(len(c.Numbers), len(c.Texts)) {
				if c.Numbers != nil && c.Numbers[i] != nil || c.Texts != nil && c.Texts[i] != nil {
					kept = append(kept, i)
				}
			}
		}
	}
	if len(kept) != ds.Len() {
		t.Fatalf("%s: %d rows, pandas has %d", f.Name, ds.Len(), len(kept))
	}
	for _, c := range f.Columns {
		name := c.Name
		if strings.HasPrefix(name, "Unnamed: ") {
			name = "X0"
		}
		j := slices.IndexFunc(ds.Columns, func(d mlcore.Column) bool { return d.Name == name })
		if j < 0 && name != ds.TargetName {
			t.Errorf("%s: no column %q", f.Name, name)
			continue
		}
		for k, i := range kept {
			number, text := math.NaN(), ""
			switch {
			case j < 0 && ds.Y != nil:
				text = ds.ClassNames[ds.Y[k]]
			case j < 0:
				number = ds.Target[k]
			case ds.Columns[j].Categorical():
				if code := ds.X.At(k, j); code == code {
					text = ds.Columns[j].Levels[int(code)]
				}
			default:
				number = ds.X.At(k, j)
			}
			if c.Texts != nil {
				if want := c.Texts[i]; want == nil && text != "" || want != nil && text != *want {
					t.Errorf("%s: row %d, column %q: %q, pandas has %v", f.Name, i, name, text, want)
				}
			} else if want := c.Numbers[i]; want == nil && number == number || want != nil && number != *want {
				t.Errorf("%s: row %d, column %q: %v, pandas has %v", f.Name, i, name, number, want)
			}
		}
	}
}

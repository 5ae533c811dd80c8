package datasets

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
)

var userColumns = []Column{
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
			df, err := ReadCSV(strings.NewReader(tc.csv), userColumns...)
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
		{"lines that end in CR", "X1,n,label\r1,2,a\r", mlcore.ErrEmpty, "no data rows; the lines end in CR"},
		{"too few fields", "X1,n,label\n1,2,a\n1,2\n", mlcore.ErrShape, "line 3: shape mismatch: 2 fields where there are 3 columns"},
		{"too many fields", "X1,n,label\n1,2,a,b\n", mlcore.ErrShape, "line 2"},
		{"missing column", "X1,label\n1,a\n", mlcore.ErrColumn, `line 1: bad column: no column "n"`},
		{"column twice", "X1,n,label,n\n1,2,a,3\n", mlcore.ErrColumn, `"n" is there twice, in fields 2 and 4`},
		{"text for a number", "X1,n,label\n1,2,a\n\nabc,2,a\n", mlcore.ErrColumn, `line 4, column "X1" (field 1): bad column: "abc" is not a number`},
		{"fraction for a whole number", "X1,n,label\n1,2.5,a\n", mlcore.ErrColumn, `line 2, column "n" (field 2): bad column: "2.5" is not a whole number`},
		{"NaN", "X1,n,label\nNaN,2,a\n", mlcore.ErrNonFinite, `line 2, column "X1" (field 1): non-finite value: "NaN"; where a value is missing leave the field empty or write NA or ?, and set Column.Missing`},
		{"Inf", "X1,n,label\n1,-Inf,a\n", mlcore.ErrNonFinite, `line 2, column "n" (field 2): non-finite value: "-Inf"; where a value is missing leave the field empty or write NA or ?`},
		{"UTF-16, low byte first", "\xff\xfeX\x001\x00,\x00n\x00\n\x00", mlcore.ErrColumn, "line 1: bad column: the table is in UTF-16; save it as UTF-8"},
		{"UTF-16, high byte first", "\xfe\xff\x00X\x001\x00,\x00n\x00\n", mlcore.ErrColumn, "save it as UTF-8"},
		{"UTF-16, low byte first, without mark", "X\x001\x00,\x00n\x00\n\x00", mlcore.ErrColumn, "line 1: bad column: the table has zero bytes, as UTF-16 without a byte order mark has; save it as UTF-8"},
		{"UTF-16, high byte first, without mark", "\x00X\x001\x00,\x00n\x00\n", mlcore.ErrColumn, "zero bytes"},
		{"UTF-16 without mark, Cyrillic", "\x18\x04,\x00\x12\x04\n\x001\x00,\x002\x00\n\x00", mlcore.ErrColumn, "zero bytes"},
		{"too large", "X1,n,label\n1e999,2,a\n", mlcore.ErrNonFinite, `"1e999"`},
		{"empty field", "X1,n,label\n,2,a\n", mlcore.ErrColumn, `line 2, column "X1" (field 1)`},
		// Go's literals, which no other reader of tables takes for numbers.
		{"underscores", "X1,n,label\n1_000,2,a\n", mlcore.ErrColumn, `"1_000" is not a number`},
		{"hexadecimal", "X1,n,label\n0x1p10,2,a\n", mlcore.ErrColumn, `"0x1p10" is not a number`},
		{"open quote", "X1,n,label\n1,2,\"a\n", mlcore.ErrShape, "line 2"},
		{"a quote that is open to the end", "X1,n,label\n1,2,\"a\n" + strings.Repeat("1,2,b\n", 9), mlcore.ErrShape, "line 2: shape mismatch: a field with a quote begins here and goes on to line 11"},
		{"a quote that is open to the next", "X1,n,label\n1,2,\"a\n1,2,b\n1,2,\"c\"\n", mlcore.ErrShape, "line 2: shape mismatch: a field with a quote begins here and goes on to line 4, character 5"},
		{"quotes around semicolons", "\"X1\";\"n\"\n1;2\n", mlcore.ErrShape, "commas separate the fields"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := ReadCSV(strings.NewReader(tc.csv), userColumns...)
			if !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("error %v, want %v that says %q", err, tc.want, tc.says)
			}
		})
	}
	for _, columns := range [][]Column{nil, {{Name: "X1"}}, {userColumns[0], userColumns[0]}} {
		if _, err := ReadCSV(strings.NewReader("X1\n1\n"), columns...); !errors.Is(err, mlcore.ErrConfig) {
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
		_, err := ReadCSV(strings.NewReader(csv), userColumns...)
		if err == nil || len(err.Error()) > 1000 || !utf8.ValidString(err.Error()) {
			t.Errorf("%s: an error of %d bytes: %.300v", name, len(fmt.Sprint(err)), err)
		}
	}
}

// Blank lines are no rows, and room is made for no more rows than the bytes can hold.
func TestReadCSVOfBlankLines(t *testing.T) {
	names := make([]string, 1000)
	columns := make([]Column, len(names))
	for j := range names {
		names[j] = "x" + strconv.Itoa(j)
		columns[j] = Column{Name: names[j], Type: series.Float}
	}
	row := strings.Repeat("1,", len(names)-1) + "1\n"
	for name, csv := range map[string]string{
		"plain":  strings.Join(names, ",") + "\n" + row + strings.Repeat("\n", 1<<20) + row,
		"quoted": `"` + strings.Join(names, `","`) + "\"\n" + row + strings.Repeat("\n", 1<<20) + row,
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		df, err := ReadCSV(strings.NewReader(csv), columns...)
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
	if _, err := ReadCSVFile(path, userColumns...); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	write(t, path, "X1,n,label\n1,2\n")
	if _, err := ReadCSVFile(path, userColumns...); err == nil || !strings.HasPrefix(err.Error(), path+": line 2") {
		t.Errorf("ragged file: %v", err)
	}
	write(t, path, "X1,n,label\n1,2,a\n")
	if df, err := ReadCSVFile(path, userColumns...); err != nil || df.Nrow() != 1 {
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
		df, err := ReadCSV(strings.NewReader(s), userColumns...)
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

package owndata

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/frame"
)

// The oracle is each file itself, written by hand.
func TestTexts(t *testing.T) {
	tests := []struct {
		name, file string
		format     frame.CSV
		want       string // the records, or what the error says
	}{
		{"byte order mark", "\uFEFFa;b\n1,5; x \n", frame.CSV{Separator: ';'}, "a b|1,5 x"},
		{"missing", "a,b\nn/a,\n1.50,NaN\n", frame.CSV{}, "a b|NaN NaN|1.50 NaN"},
		{"no names", "a,\"\",X0,\n1,2,3,4\n", frame.CSV{}, "a X1 X0 X2|1 2 3 4"},
		{"no header", "1,2\n", frame.CSV{Names: []string{"a", "b"}}, "a b|1 2"},
		{"spaces", "1   2\n", frame.CSV{Separator: ' ', Names: []string{"a", "b"}}, "a b|1 2"},
		{"spaces without names", "a b\n1 2\n", frame.CSV{Separator: ' '}, "needs frame.CSV{Names"},
		{"other separator", "a,b\n1,2\n", frame.CSV{Separator: ';'}, `there is no column "a", only ["a,b"]`},
		{"quotes, other separator", "\"a\",\"b\"\n1,2\n", frame.CSV{Separator: ';'}, "change the settings or the separator"},
		{"empty", "", frame.CSV{}, "no header line"},
	}
	for _, tt := range tests {
		path := filepath.Join(t.TempDir(), "file.csv")
		if err := os.WriteFile(path, []byte(tt.file), 0o644); err != nil {
			t.Fatal(err)
		}
		df, err := Texts(path, tt.format, "a")
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			var lines []string
			for _, record := range df.Records() {
				lines = append(lines, strings.Join(record, " "))
			}
			got = strings.Join(lines, "|")
		}
		if err == nil && got != tt.want || err != nil && !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
	if _, err := Texts(filepath.Join(t.TempDir(), "none.csv"), frame.CSV{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: got %v", err)
	}
	if _, err := Texts(Soil(), frame.CSV{Separator: ';'}, "Wet"); !errors.Is(err, mlcore.ErrColumn) {
		t.Errorf("a setting names a column that is not there: got %v", err)
	}
}

func TestColumns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file.csv")
	if err := os.WriteFile(path, []byte("a,b\nx,1\ny,\nx,2\n,3\ny,4\nx,5\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	df, err := Texts(path, frame.CSV{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Column{
		{"a", 1, 2, `"x" (3), "y" (2)`},
		{"b", 1, 5, `"1" (1), "2" (1), "3" (1), "4" (1)`},
	}
	if got := Columns(df); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The oracle is the table, worked by hand.
func TestTidy(t *testing.T) {
	c := Cleaning{
		Target: "y", Identifiers: []string{"id"}, Numbers: []string{"x"}, Decimal: ",",
		Units:  map[string]float64{"cm": 1, "m": 100},
		Same:   map[string]string{"n": "no"},
		Limits: map[string][2]float64{"x": {0, 300}},
	}
	file := `id;x;word;y
A1;1,5;Red  wine;yes
A2;2 m;red wine; N
A2;2 m;RED WINE;no
A3;1.250;;no
A4;3 ft;blue;no
A5;trace;blue;yes
A6;400;blue;yes
A7;7 cm;n/a;
`
	path := filepath.Join(t.TempDir(), "file.csv")
	if err := os.WriteFile(path, []byte(file), 0o644); err != nil {
		t.Fatal(err)
	}
	df, err := Texts(path, frame.CSV{Separator: ';'})
	if err != nil {
		t.Fatal(err)
	}
	tidy, changes := c.Tidy(df)
	wantChanges := []Change{
		{"x", "converted to the unit that is kept", 2},
		{"x", "unreadable, now missing", 3},
		{"x", "outside its limits, now missing", 1},
		{"word", "another spelling of a word", 2},
		{"y", "another spelling of a word", 1},
		{"all", "copies of rows, left out", 1},
		{"y", "rows without a target, left out", 1},
	}
	if !slices.Equal(changes, wantChanges) {
		t.Errorf("changes: got %v, want %v", changes, wantChanges)
	}
	var lines []string
	for _, record := range tidy.Records() {
		lines = append(lines, strings.Join(record, " "))
	}
	want := "id x word y|A1 1.500000 red wine yes|A2 200.000000 red wine no|A3 NaN NaN no|" +
		"A4 NaN blue no|A5 NaN blue yes|A6 NaN blue yes"
	if got := strings.Join(lines, "|"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Every file has what its comment says, and is the same each time.
func TestFiles(t *testing.T) {
	tests := []struct {
		name string
		text func() string
		has  []string
	}{
		{"soil", soil, []string{"\uFEFFsample;", " cm;", " m;", "Wheat", "WHEAT", ";n/a;", ";trace;", ";;"}},
		{"appointments", appointments, []string{" km,", " m,", ",999,", ",Y\n", ",n/a,", ",,no"}},
		{"bikes", bikes, []string{" bar;", " psi;", ";n/a;", "NORTH", "YES "}},
	}
	for _, tt := range tests {
		text := tt.text()
		if text != tt.text() {
			t.Errorf("%s: differs from call to call", tt.name)
		}
		for _, part := range tt.has {
			if !strings.Contains(text, part) {
				t.Errorf("%s: no %q", tt.name, part)
			}
		}
		seen, copies := map[string]bool{}, 0
		for line := range strings.Lines(text) {
			if seen[line] {
				copies++
			}
			seen[line] = true
		}
		if copies == 0 {
			t.Errorf("%s: no line is there twice", tt.name)
		}
	}
}

func TestTrios(t *testing.T) {
	ds, groups := Trios()
	for i, y := range ds.Y {
		if want := []int{1, 0, 0}[groups[i]%3]; groups[i] != i/3 || y != want {
			t.Errorf("row %d: group %d, label %d, want %d, %d", i, groups[i], y, i/3, want)
		}
	}
}

// A file is written whole, the second time with the same bytes and in the same place, and
// nothing else is left.
func TestFilesAreReplaced(t *testing.T) {
	for name, write := range map[string]func() string{"soil": Soil, "appointments": Appointments, "bikes": Bikes} {
		dir := t.TempDir()
		t.Setenv("TMPDIR", dir)
		t.Setenv("TMP", dir)
		path := write()
		first, err := os.ReadFile(path)
		if err != nil || len(first) == 0 {
			t.Fatalf("%s: %d bytes, %v", name, len(first), err)
		}
		if again := write(); again != path {
			t.Errorf("%s: %s, then %s", name, path, again)
		}
		if second, err := os.ReadFile(path); err != nil || string(second) != string(first) {
			t.Errorf("%s: other bytes the second time (%v)", name, err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
			t.Errorf("%s: %d files are left, want 1 (%v)", name, len(left), err)
		}
	}
}

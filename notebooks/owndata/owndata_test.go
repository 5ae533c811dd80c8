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

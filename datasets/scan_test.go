package datasets

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/frame"
)

// A table of many parts, of which each column has something of its own in the last lines,
// in the first or in all.
func manyParts(rows int) [][]string {
	rng := mlcore.NewRand(3)
	table := [][]string{{"real", "late", "early", "word", "whole", "grade", "gone", "y"}}
	for i := range rows {
		row := []string{fmt.Sprintf("%.4f", rng.NormFloat64()), "", "", fmt.Sprint("w", rng.IntN(i/50+2)), fmt.Sprint(rng.IntN(100)), fmt.Sprint("0", rng.IntN(i/100+2)), "?", fmt.Sprint(i % 3)}
		if i > rows-9 {
			row[1], row[6] = fmt.Sprint(i), "late"
		}
		if i < 9 {
			row[2] = fmt.Sprint("early", i)
		}
		if rng.IntN(10) == 0 {
			row[rng.IntN(7)] = "NA"
		}
		table = append(table, row)
	}
	return table
}

// textOf writes a table with blank lines here and there.
func textOf(table [][]string) string {
	var b strings.Builder
	for i, row := range table {
		b.WriteString(strings.Join(row, ",") + "\n")
		if i%700 == 3 {
			b.WriteString(" \n\n")
		}
	}
	return b.String()
}

// sameDataset compares numbers by their bits.
func sameDataset(a, b *mlcore.Dataset) bool {
	bits := func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }
	return describe(a) == describe(b) && a.Name == b.Name && a.TargetName == b.TargetName &&
		slices.EqualFunc(a.X.RawMatrix().Data, b.X.RawMatrix().Data, bits) && slices.EqualFunc(a.Target, b.Target, bits)
}

// Oracle: ReadCSV, which is told the types, and the frame that it makes. So much of a
// table is in one part, and so much in many.
func TestScanOfManyParts(t *testing.T) {
	table := manyParts(4 * partBytes / 25)
	types := []series.Type{series.Float, series.Int, series.String, series.String, series.Int, series.Int, series.String, series.Int}
	var columns []Column
	for j, name := range table[0] {
		columns = append(columns, Column{Name: name, Type: types[j], Missing: true})
	}
	text := textOf(table)
	df, err := ReadCSV(strings.NewReader(text), columns...)
	if err != nil {
		t.Fatal(err)
	}
	for _, opts := range []frame.Options{
		{Name: "classes", Label: "y", Categorical: []string{"grade"}},
		{Name: "targets", Target: "whole", SkipMissingTarget: true, Drop: []string{"gone"}, Levels: map[string][]string{"grade": {"0", "1", "2"}}, Unknown: mlcore.UnknownMissing},
	} {
		want, err := frame.ToDataset(df, opts)
		if err != nil {
			t.Fatal(err)
		}
		for _, procs := range []int{1, 2, 5} {
			withProcs(procs, func() {
				got, err := ReadDataset(strings.NewReader(text), opts)
				if err != nil || !sameDataset(got, want) {
					t.Errorf("%s: with %d processors the Dataset is another (%v)", opts.Name, procs, err)
				}
				encoder, err := frame.ForModel(schemaOf{want})
				if err != nil {
					t.Fatal(err)
				}
				rows, err := ReadRows(strings.NewReader(text), schemaOf{want})
				wantRows, wantErr := encoder.Transform(df)
				if fmt.Sprint(err) != lineForRow(wantErr) || err == nil && !sameDataset(rows, wantRows) {
					t.Errorf("%s: with %d processors the rows for a model are others (%v, want %v)", opts.Name, procs, err, wantErr)
				}
			})
		}
	}
}

// line is where a row is in the text that textOf makes of a table with a header.
func line(row int) int { return row + 1 + 2*((row+696)/700) }

// lineForRow is the error about a row of the data, counted from 0, as one about its line.
func lineForRow(err error) string {
	return regexp.MustCompile(`row (\d+)`).ReplaceAllStringFunc(fmt.Sprint(err), func(text string) string {
		row, _ := strconv.Atoi(text[len("row "):])
		return fmt.Sprint("line ", line(row+1))
	})
}

// schemaOf is a model that knows its columns and no more.
type schemaOf struct{ ds *mlcore.Dataset }

func (s schemaOf) Schema() *mlcore.Schema { return s.ds.Schema() }

// What is wrong in any part of a table is found, and the line is named.
func TestScanErrorsInParts(t *testing.T) {
	table := manyParts(4 * partBytes / 25)
	last := len(table) - 1
	for _, tc := range []struct {
		name string
		// row and what is put in its column, for each spoiled row
		rows    []int
		columns []int
		fields  []string
		want    string
	}{
		{"a word at the end", []int{1, last}, []int{0, 0}, []string{"1", "o"}, fmt.Sprintf(`column "real" has a number in line 2 and "o" in line %d`, line(last))},
		{"a word at the start", []int{1}, []int{4}, []string{"o"}, `and "o" in line 2`},
		{"a number at the end", []int{last}, []int{3}, []string{"7"}, fmt.Sprintf(`column "word" has a number in line %d and `, line(last))},
		{"NaN at the end", []int{last}, []int{0}, []string{"NaN"}, fmt.Sprintf(`line %d, column "real" (field 1): non-finite value: "NaN"`, line(last))},
		{"the first of two", []int{last, last / 2}, []int{0, 4}, []string{"Inf", "-inf"}, fmt.Sprintf(`line %d, column "whole" (field 5): non-finite value: "-inf"`, line(last/2))},
		{"a ragged line in the middle", []int{last, last / 2}, []int{0, 7}, []string{"Inf", "1,2"}, fmt.Sprintf(`line %d: shape mismatch: 9 fields where there are 8`, line(last/2))},
		{"two ragged lines", []int{last, last - 9}, []int{7, 7}, []string{"1,2", "1,2,3"}, fmt.Sprintf(`line %d: shape mismatch: 10 fields`, line(last-9))},
		{"a word after a ragged line", []int{1, last, 4}, []int{0, 0, 7}, []string{"1", "o", "1,2"}, fmt.Sprintf(`line %d: shape mismatch: 9 fields`, line(4))},
		{"a word before a ragged line", []int{1, last - 9, last}, []int{0, 0, 7}, []string{"1", "o", "1,2"}, fmt.Sprintf(`column "real" has a number in line 2 and "o" in line %d`, line(last-9))},
	} {
		spoiled := slices.Clone(table)
		for k, i := range tc.rows {
			spoiled[i] = slices.Clone(spoiled[i])
			spoiled[i][tc.columns[k]] = tc.fields[k]
		}
		for _, procs := range []int{1, 2, 5} {
			withProcs(procs, func() {
				_, err := ReadDataset(strings.NewReader(textOf(spoiled)), frame.Options{Label: "y", Categorical: []string{"grade"}})
				if err == nil || !strings.Contains(err.Error(), tc.want) {
					t.Errorf("%s, %d processors: error %v, want %s", tc.name, procs, err, tc.want)
				}
			})
		}
	}
}

package uci

import (
	"strings"
	"testing"
)

func TestTables(t *testing.T) {
	r := &Result{Folds: 5, Repeats: 10, Cells: []Cell{
		{Set: Car, Algorithm: NaiveBayes, Mean: 84.066, SD: 1.954},
		{Set: Breast, Algorithm: KNNSquared, Mean: 96.9, SD: 1.5},
		{Set: Breast, Algorithm: KNNCityBlock, Mean: 97.1, SD: 1.25},
		{Set: Breast, Algorithm: KNNHamming, Mean: 95, SD: 1},
	}}
	even := &Result{Cells: []Cell{{Set: Breast, Algorithm: KNNSquared, Mean: 97}, {Set: Breast, Algorithm: KNNCityBlock, Mean: 97}}}
	if c, ok := even.Cell(Breast, KNN); !ok || c.Algorithm != KNNSquared {
		t.Errorf("the best of two equal distances is %+v", c)
	}
	tables := r.Tables()
	if len(tables) != 3 {
		t.Fatalf("%d tables", len(tables))
	}
	for _, tc := range []struct {
		table, row, column int
		want               string
	}{
		{0, 3, 1, "84.07 (61.68)"},
		{0, 0, 1, "- (90.26)"},
		{0, 5, 2, "97.10 (97.12)"}, // the best distance
		{1, 5, 2, "1.25 (0.92)"},
		{2, 1, 1, "96.90 (97.12)"},
		{2, 1, 2, "97.10 (94.68)"},
		{2, 0, 1, "-"},
	} {
		if got := tables[tc.table].Rows[tc.row][tc.column]; got != tc.want {
			t.Errorf("table %d, row %d, column %d: %q, want %q", tc.table, tc.row, tc.column, got, tc.want)
		}
	}
	if got, want := (Table{"T", []string{"", "a"}, [][]string{{"x", "1±"}, {"yy", "22"}}}), "T\n     a\nx   1±\nyy  22\n"; got.String() != want {
		t.Errorf("got %q, want %q", got.String(), want)
	}
	if got, want := (Table{"T", []string{"", "a"}, [][]string{{"x", "1"}}}).Markdown(), "**T**\n\n|  | a |\n| --- | ---: |\n| x | 1 |\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if text := Sizes().String(); !strings.Contains(text, "699 (report: 569)") {
		t.Errorf("Table 1:\n%s", text)
	}
}

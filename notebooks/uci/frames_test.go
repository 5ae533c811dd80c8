package uci

import (
	"reflect"
	"slices"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// Rows and types by hand.
func TestSmallFrames(t *testing.T) {
	for _, tc := range []struct {
		df      dataframe.DataFrame
		records [][]string
		types   []series.Type
	}{
		{GradeFrame("b", "a"), [][]string{{"other", "grade"}, {"x", "b"}, {"x", "a"}}, []series.Type{series.String, series.String}},
		{GradeFrame("NaN", "4"), [][]string{{"other", "grade"}, {"x", "NaN"}, {"x", "4"}}, []series.Type{series.String, series.Int}},
		{PairFrame("1", "u", "NaN", "v"), [][]string{{"a", "b"}, {"1", "u"}, {"NaN", "v"}}, []series.Type{series.Int, series.String}},
	} {
		if got := tc.df.Records(); !reflect.DeepEqual(got, tc.records) || !slices.Equal(tc.df.Types(), tc.types) {
			t.Errorf("%v of %v, want %v of %v", got, tc.df.Types(), tc.records, tc.types)
		}
	}
	if missing := GradeFrame("NaN", "4").Col("grade").IsNaN(); !slices.Equal(missing, []bool{true, false}) {
		t.Errorf("missing grades: %v", missing)
	}
}

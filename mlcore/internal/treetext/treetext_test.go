package treetext

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
)

// By hand, from the documentation.
func TestWords(t *testing.T) {
	names := Of(&mlcore.Schema{Columns: []mlcore.Column{{Name: "wind", Levels: []string{"weak"}}}, ClassNames: []string{"no"}})
	if none := Of(nil); none.Feature(0) != "x0" || none.Class(1) != "1" {
		t.Error("a model without names has some")
	}
	for _, tc := range []struct{ got, want string }{
		{names.Feature(0), "wind"}, {names.Feature(1), "x1"},
		{names.Class(0), "no"}, {names.Class(2), "2"},
		{names.Level(0, 0), "weak"}, {names.Level(0, 1), "1"}, {names.Level(3, 0), "0"},
		{Number(1. / 3), "0.333333"}, {Number(2e9), "2e+09"},
		{Rule(nil, "class no", 1), "Always class no (1 row)."},
		{Rule([]string{"a <= 1", "b is x"}, "value 3", 12), "If a <= 1 and b is x, then value 3 (12 rows)."},
		{DOT("a \"b\"", `c\d`, "e\nf"), `"a \"b\"\nc\\d\ne f"`},
		{DOT(), `""`},
	} {
		if tc.got != tc.want {
			t.Errorf("%s, want %s", tc.got, tc.want)
		}
	}
}

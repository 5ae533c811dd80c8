package uci

import "testing"

// Oracle: the files' documentation: stalk-root is missing in 2480 rows of Mushroom, and 458 of
// Breast's 699 rows are benign (class 2).
func TestDescribe(t *testing.T) {
	for _, tc := range []struct {
		set  Set
		want Description
	}{
		{Car, Description{"safety", "string", 3, 0, "high", 1. / 3}},
		{Breast, Description{"class", "string", 2, 0, "2", 458. / 699}},
		{Breast, Description{"bare_nuclei", "int", 10, 16, "1", 402. / 683}},
		{Mushroom, Description{"stalk-root", "string", 4, 2480, "b", 3776. / 5644}},
	} {
		load(t, tc.set)
		list, err := Describe(tc.set)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, d := range list {
			if d.Column == tc.want.Column {
				found = true
				if d != tc.want {
					t.Errorf("%s: %+v, want %+v", tc.set, d, tc.want)
				}
			}
		}
		if !found {
			t.Errorf("%s has no column %s", tc.set, tc.want.Column)
		}
	}
	if _, err := Describe("X"); err == nil {
		t.Error("a set that there is not was described")
	}
}

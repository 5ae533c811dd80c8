package ada511

import (
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// The contestants' errors are given, so that the choice and the data can be told from
// what is asked for.
func TestRace(t *testing.T) {
	contestant := func(name string, error float64) Contestant {
		return Contestant{name, func(seed, part uint64) float64 {
			if chosen := part == 500 && seed < 20; !chosen && (part != 1000 || seed < 2000) {
				t.Errorf("%s: seed %d, part %d", name, seed, part)
			}
			return error
		}}
	}
	got := Race("made up", contestant("worse", 3), contestant("best", 2), contestant("as good", 2))
	if !slices.Equal(got, slices.Repeat([]float64{2}, 20)) {
		t.Errorf("errors %v", got)
	}
}

// A function that knows the answers of the data it should be judged on has no error.
func TestErrorsOnNewData(t *testing.T) {
	values := func(train *mlcore.Dataset, X *mat.Dense) []float64 {
		want := datasets.MakeSine(2000, 503)
		if train.Len() != 80 || !mat.Equal(X, want.X) || !mat.Equal(train.X, datasets.MakeSine(80, 3).X) {
			t.Error("the sine's data are not those of the seeds")
		}
		return want.Target
	}
	classes := func(train *mlcore.Dataset, X *mat.Dense) []int {
		want := datasets.MakeClouds(2000, 0.5, 503)
		if train.Len() != 200 || !mat.Equal(X, want.X) || !mat.Equal(train.X, datasets.MakeClouds(200, 0.5, 3).X) {
			t.Error("the clouds' data are not those of the seeds")
		}
		return want.Y
	}
	if a, b := sineError(values, 3, 500), cloudError(classes, 3, 500); a != 0 || b != 0 {
		t.Errorf("errors %v and %v, want 0", a, b)
	}
}

func TestFamilies(t *testing.T) {
	for _, tc := range []struct {
		families func() (trees, forests, boosts []Contestant)
		n        int
	}{{SineFamilies, 10}, {CloudFamilies, 6}} {
		trees, forests, boosts := tc.families()
		for _, family := range [][]Contestant{trees, forests, boosts} {
			seen := map[string]bool{}
			for _, c := range family {
				seen[c.Name] = true
			}
			if len(family) != tc.n || len(seen) != tc.n {
				t.Errorf("%d settings with %d names, want %d", len(family), len(seen), tc.n)
			}
		}
	}
}

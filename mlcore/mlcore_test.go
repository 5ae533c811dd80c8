package mlcore_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

func small() *mlcore.Dataset {
	return &mlcore.Dataset{
		Name: "small",
		X:    mat.NewDense(3, 2, []float64{1, 0, 2, 1, 3, 2}),
		Columns: []mlcore.Column{
			{Name: "size"},
			{Name: "colour", Levels: []string{"red", "green", "blue"}},
		},
		Y:          []int{0, 1, 1},
		ClassNames: []string{"no", "yes"},
	}
}

func TestDatasetValidate(t *testing.T) {
	for _, tc := range []struct {
		name   string
		break_ func(d *mlcore.Dataset)
		want   error
		says   string
	}{
		{"good", func(d *mlcore.Dataset) {}, nil, ""},
		{"missing value", func(d *mlcore.Dataset) { d.X.Set(1, 1, math.NaN()) }, nil, ""},
		{"no rows", func(d *mlcore.Dataset) { d.X = nil }, mlcore.ErrEmpty, "0 rows"},
		{"columns", func(d *mlcore.Dataset) { d.Columns = d.Columns[:1] }, mlcore.ErrShape, "2 columns, 1"},
		{"labels short", func(d *mlcore.Dataset) { d.Y = d.Y[:2] }, mlcore.ErrShape, "2 labels"},
		{"label high", func(d *mlcore.Dataset) { d.Y[2] = 2 }, mlcore.ErrLabel, "row 2"},
		{"infinity", func(d *mlcore.Dataset) { d.X.Set(1, 0, math.Inf(-1)) }, mlcore.ErrNonFinite, "row 1, column 0 (size)"},
		{"fraction of a level", func(d *mlcore.Dataset) { d.X.Set(0, 1, 0.5) }, mlcore.ErrLevel, "row 0, column 1 (colour)"},
		{"target NaN", func(d *mlcore.Dataset) { d.Target = []float64{1, math.NaN(), 2} }, mlcore.ErrNonFinite, "row 1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := small()
			tc.break_(d)
			err := d.Validate()
			if !errors.Is(err, tc.want) {
				t.Fatalf("error %v, want %v", err, tc.want)
			}
			if err != nil && !strings.Contains(err.Error(), tc.says) {
				t.Errorf("error %q does not say %q", err, tc.says)
			}
		})
	}
}

func TestDatasetSubsetAndSelect(t *testing.T) {
	d := small()
	s := d.Subset([]int{2, 0, 2})
	if want := mat.NewDense(3, 2, []float64{3, 2, 1, 0, 3, 2}); !mat.Equal(s.X, want) {
		t.Errorf("X of rows 2, 0, 2:\n%v", mat.Formatted(s.X))
	}
	if got := s.ClassCounts(); got[0] != 1 || got[1] != 2 {
		t.Errorf("class counts %v, want [1 2]", got)
	}
	if got := d.Subset(nil).Len(); got != 0 {
		t.Errorf("empty subset has %d rows", got)
	}
	c, err := d.Select("colour")
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Levels(); len(got) != 1 || got[0] != 3 || c.X.At(2, 0) != 2 {
		t.Errorf("selected levels %v, X\n%v", got, mat.Formatted(c.X))
	}
	if _, err := d.Select("shape"); !errors.Is(err, mlcore.ErrColumn) || !strings.Contains(err.Error(), "shape") {
		t.Errorf("unknown column: %v", err)
	}
}

func TestChecks(t *testing.T) {
	X := mat.NewDense(2, 2, []float64{0, 1, 2, math.NaN()})
	for _, tc := range []struct {
		name string
		err  error
		want error
		says string
	}{
		{"nil X", mlcore.CheckMatrix(nil, false), mlcore.ErrEmpty, "nil"},
		{"no rows", mlcore.CheckMatrix(&mat.Dense{}, false), mlcore.ErrEmpty, "0×0"},
		{"nil X, its size alone", mlcore.CheckSize(nil), mlcore.ErrEmpty, "nil"},
		{"no rows, its size alone", mlcore.CheckSize(&mat.Dense{}), mlcore.ErrEmpty, "0×0"},
		{"NaN, its size alone", mlcore.CheckSize(X), nil, ""},
		{"target count", mlcore.CheckTargets([]float64{1}, 2), mlcore.ErrShape, "1 targets"},
		{"missing target", mlcore.CheckTargets([]float64{1, math.NaN()}, 2), mlcore.ErrNonFinite, "row 1"},
		{"infinite target", mlcore.CheckTargets([]float64{math.Inf(-1), 1}, 2), mlcore.ErrNonFinite, "row 0"},
		{"targets good", mlcore.CheckTargets([]float64{1, -1}, 2), nil, ""},
		{"NaN", mlcore.CheckMatrix(X, false), mlcore.ErrNonFinite, "row 1, column 1"},
		{"NaN through the interface", mlcore.CheckMatrix(X.T(), false), mlcore.ErrNonFinite, "row 1, column 1"},
		{"NaN allowed", mlcore.CheckMatrix(X, true), nil, ""},
		{"Inf never", mlcore.CheckMatrix(mat.NewDense(1, 1, []float64{math.Inf(1)}), true), mlcore.ErrNonFinite, "row 0, column 0"},
		{"width", mlcore.CheckFeatures(X, 3), mlcore.ErrShape, "fitted with 3"},
		{"negative label", mlcore.CheckLabels([]int{0, -1}, 2, 0), mlcore.ErrLabel, "row 1"},
		{"any label", mlcore.CheckLabels([]int{0, 99}, 2, 0), nil, ""},
		{"absurd label", mlcore.CheckLabels([]int{0, 1 << 30}, 2, 0), mlcore.ErrLabel, "row 1"},
		{"absurd number of classes", mlcore.CheckLabels([]int{0, 1}, 2, 1<<30), mlcore.ErrConfig, "1073741824"},
		{"weight count", mlcore.CheckWeights([]float64{1}, 2), mlcore.ErrShape, "1 weights"},
		{"negative weight", mlcore.CheckWeights([]float64{1, -1}, 2), mlcore.ErrWeight, "row 1"},
		{"zero weights", mlcore.CheckWeights([]float64{0, 0}, 2), mlcore.ErrWeight, "sum to 0"},
		{"no weights", mlcore.CheckWeights(nil, 2), nil, ""},
		{"level", mlcore.CheckLevels(X, []int{2, 0}), mlcore.ErrLevel, "row 1, column 0"},
		{"levels width", mlcore.CheckLevels(X, []int{2}), mlcore.ErrShape, "describes 1"},
		{"levels good", mlcore.CheckLevels(X, []int{3, 2}), nil, ""},
	} {
		if !errors.Is(tc.err, tc.want) {
			t.Errorf("%s: error %v, want %v", tc.name, tc.err, tc.want)
		} else if tc.err != nil && !strings.Contains(tc.err.Error(), tc.says) {
			t.Errorf("%s: error %q does not say %q", tc.name, tc.err, tc.says)
		}
	}
}

func TestStreamsDifferAndRepeat(t *testing.T) {
	seen := map[uint64][]uint64{}
	for seed := range uint64(4) {
		for path := range uint64(64) {
			got := mlcore.NewRand(seed, path).Uint64()
			if again := mlcore.NewRand(seed, path).Uint64(); again != got {
				t.Fatalf("stream (%d, %d) gave %d, then %d", seed, path, got, again)
			}
			if other, dup := seen[got]; dup {
				t.Fatalf("streams (%d, %d) and %v start alike", seed, path, other)
			}
			seen[got] = []uint64{seed, path}
		}
	}
	if mlcore.DeriveSeed(1, 2, 3) == mlcore.DeriveSeed(1, 3, 2) {
		t.Error("the order of a path does not matter")
	}
}

package id3_test

import (
	"errors"
	"fmt"
	"log"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/id3"
	"github.com/mllabs-go/mllabs/mlcore/internal/fixture"
	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
)

// tennis is Quinlan's Saturday mornings (1986; Mitchell, 1997, table 3.2).
func tennis() *mlcore.Dataset {
	return &mlcore.Dataset{
		Name: "tennis",
		Columns: []mlcore.Column{
			{Name: "outlook", Levels: []string{"sunny", "overcast", "rain"}},
			{Name: "temperature", Levels: []string{"hot", "mild", "cool"}},
			{Name: "humidity", Levels: []string{"high", "normal"}},
			{Name: "wind", Levels: []string{"weak", "strong"}},
		},
		ClassNames: []string{"no", "yes"},
		X: mat.NewDense(14, 4, []float64{
			0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 2, 1, 0, 0, 2, 2, 1, 0, 2, 2, 1, 1, 1, 2, 1, 1,
			0, 1, 0, 0, 0, 2, 1, 0, 2, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 1, 1, 0, 1, 0, 2, 1, 0, 1,
		}),
		Y: []int{0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0},
	}
}

func near(a, b, tol float64) bool { return math.Abs(a-b) <= tol }

func column(v ...float64) *mat.Dense { return mat.NewDense(len(v), 1, v) }

func TestOnSaturdayMornings(t *testing.T) {
	for _, measure := range []id3.Criterion{id3.InformationGain, id3.GainRatio} {
		m, err := id3.Config{Criterion: measure}.FitClassifier(tennis())
		if err != nil {
			t.Fatal(err)
		}
		// The tree that Quinlan and Mitchell draw.
		const want = `|-- outlook is sunny
|   |-- humidity is high
|   |   |-- class no
|   |-- humidity is normal
|   |   |-- class yes
|-- outlook is overcast
|   |-- class yes
|-- outlook is rain
|   |-- wind is weak
|   |   |-- class yes
|   |-- wind is strong
|   |   |-- class no
`
		if got := m.Text(); got != want {
			t.Errorf("measure %d:\n%s", measure, got)
		}
		// Mitchell, section 3.4.2: entropy 0.940, gain of outlook 0.246 (.2467).
		root, left := m.Node(0), 0.0
		for _, c := range root.Children {
			n := m.Node(c)
			left += n.Weight * n.Impurity / root.Weight
		}
		if !near(root.Impurity, 0.940, 5e-4) || !near(root.Impurity-left, 0.2467, 5e-5) {
			t.Errorf("entropy %.4f, gain %.4f; want 0.940, 0.2467", root.Impurity, root.Impurity-left)
		}
		if m.Depth() != 2 || m.NumLeaves() != 5 || m.NumNodes() != 8 {
			t.Errorf("depth %d, %d leaves, %d nodes; want 2, 5, 8", m.Depth(), m.NumLeaves(), m.NumNodes())
		}
	}
	// A stump has a branch for each value.
	m, err := id3.Config{MaxDepth: 1}.FitClassifier(tennis())
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Rules(); !slices.Equal(got, []string{
		"If outlook is sunny, then class no (5 rows).",
		"If outlook is overcast, then class yes (4 rows).",
		"If outlook is rain, then class yes (5 rows).",
	}) {
		t.Errorf("rules %q", got)
	}
}

func TestGainRatio(t *testing.T) {
	// By hand: x0 has 4 values, one a row; gain 1, information 2, ratio 1/2.
	// x1 parts 3 rows from 1: gain 1 - 3/4·H(1/3) = 0.311, information 0.811,
	// ratio 0.384. x2 parts the classes: gain 1, information 1, ratio 1.
	X := mat.NewDense(4, 3, []float64{0, 0, 0, 1, 0, 0, 2, 0, 1, 3, 1, 1})
	y := []int{0, 0, 1, 1}
	for _, tc := range []struct {
		measure  id3.Criterion
		features []int
		want     int
	}{
		{id3.InformationGain, nil, 0}, // a tie with x2
		{id3.GainRatio, nil, 2},
		{id3.GainRatio, []int{0, 1}, 0},
		{id3.InformationGain, []int{1, 2}, 2},
	} {
		m, err := id3.Config{Criterion: tc.measure, Features: tc.features}.FitClassifier(fixture.Codes(mlcore.FromMatrix(X, y, nil)))
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Node(0).Feature; got != tc.want {
			t.Errorf("measure %d of %v: asks for x%d, want x%d", tc.measure, tc.features, got, tc.want)
		}
	}
}

func TestFallsBackToTheMajority(t *testing.T) {
	// x0 = 2 is a level that training lacks; below x0 = 1, x1 = 0 is.
	X := mat.NewDense(6, 2, []float64{0, 0, 0, 1, 0, 2, 1, 1, 1, 2, 1, 1})
	y := []int{0, 0, 0, 1, 2, 1}
	m, err := id3.Config{}.FitClassifier(fixture.Levels(mlcore.FromMatrix(X, y, nil), []int{3, 3}))
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Predict(mat.NewDense(4, 2, []float64{2, 0, 1, 0, 1, 2, 0, 0}))
	if err != nil || !slices.Equal(got, []int{0, 1, 2, 0}) {
		t.Errorf("%v (%v), want 0 (most of all), 1 (most where x0 = 1), 2, 0", got, err)
	}
	p, err := m.PredictProba(mat.NewDense(1, 2, []float64{1, 0}))
	if err != nil || !near(p.At(0, 1), 2./3, 1e-15) || !near(p.At(0, 2), 1./3, 1e-15) {
		t.Errorf("probabilities %v (%v), want 0, 2/3, 1/3", p, err)
	}
	if _, err := m.Predict(mat.NewDense(1, 2, []float64{3, 0})); !errors.Is(err, mlcore.ErrLevel) {
		t.Errorf("a code outside the levels: error %v, want ErrLevel", err)
	}
}

func TestLearnsExclusiveOr(t *testing.T) {
	X, y := mat.NewDense(4, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1}), []int{0, 1, 1, 0}
	m, err := id3.Config{}.FitClassifier(fixture.Codes(mlcore.FromMatrix(X, y, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := m.Predict(X); err != nil || !slices.Equal(got, y) || m.NumLeaves() != 4 {
		t.Errorf("%v (%v), %d leaves; want %v, 4", got, err, m.NumLeaves(), y)
	}
	if m, err = (id3.Config{MinGain: 1e-6}).FitClassifier(fixture.Codes(mlcore.FromMatrix(X, y, nil))); err != nil || m.NumNodes() != 1 {
		t.Errorf("MinGain: %d nodes (%v), want 1", m.NumNodes(), err)
	}
}

func TestRefusesNumbers(t *testing.T) {
	y := []int{0, 1}
	for _, tc := range []struct {
		cfg    id3.Config
		levels int
		X      *mat.Dense
		want   error
		says   string
	}{
		{id3.Config{}, 2, column(0.5, 1), mlcore.ErrLevel, "row 0, column 0"},
		{id3.Config{}, 2, column(1, -1), mlcore.ErrLevel, "row 1"},
		{id3.Config{}, 0, column(0, 1), mlcore.ErrColumn, "Discretizer"},
		{id3.Config{}, 1, column(0, 1), mlcore.ErrLevel, "row 1"},
		{id3.Config{Criterion: 4}, 2, column(0, 1), mlcore.ErrConfig, "4"},
		{id3.Config{MaxDepth: -1}, 2, column(0, 1), mlcore.ErrConfig, "MaxDepth"},
	} {
		if _, err := tc.cfg.FitClassifier(fixture.Levels(mlcore.FromMatrix(tc.X, y, nil), []int{tc.levels})); !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("error %v, want %v that says %q", err, tc.want, tc.says)
		}
	}
}

// By hand: humidity under a sunny outlook, and all else, is contradicted.
func TestReducedErrorPruning(t *testing.T) {
	m, err := id3.Config{}.FitClassifier(tennis())
	if err != nil {
		t.Fatal(err)
	}
	q, err := m.PruneReducedError(mat.NewDense(4, 4, []float64{0, 0, 1, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 1}), []int{0, 1, 1, 0}, nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = `|-- outlook is sunny
|   |-- class no
|-- outlook is overcast
|   |-- class yes
|-- outlook is rain
|   |-- wind is weak
|   |   |-- class yes
|   |-- wind is strong
|   |   |-- class no
`
	if got := q.Text(); got != want {
		t.Errorf("pruned to\n%s", got)
	}
}

func TestConformance(t *testing.T) {
	all := []int{3, 4, 2}
	mlcoretest.Classifier(t, mlcoretest.Traits{Levels: all}, func(int) id3.Config { return id3.Config{} })
}

func ExampleConfig_FitClassifier() {
	m, err := id3.Config{}.FitClassifier(tennis())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Rules()[1])
	// Output: If outlook is sunny and humidity is normal, then class yes (2 rows).
}

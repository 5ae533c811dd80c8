package uci

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/id3"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"gonum.org/v1/gonum/mat"
)

// columnOf makes a set of one column.
func columnOf(levels []string, values ...float64) *mlcore.Dataset {
	return &mlcore.Dataset{
		Name: "made up", X: mat.NewDense(len(values), 1, values), Columns: []mlcore.Column{{Name: "x", Levels: levels}},
		Y: make([]int, len(values)), ClassNames: []string{"a", "b"},
	}
}

// By hand: 0 to 8 in four intervals is cut at 2, 4 and 6; the test rows' 100 and -3
// move nothing.
func TestEcoliIsCutByItsTrainingRows(t *testing.T) {
	ds := columnOf(nil, 0, 1.9, 2, 5, 8, 100, -3, 4)
	p, err := Ecoli.Prepare(ds, modelsel.Fold{Train: []int{0, 1, 2, 3, 4}, Test: []int{5, 6, 7}})
	if err != nil {
		t.Fatal(err)
	}
	train, test := mat.Col(nil, 0, p.Categories.Train.X), mat.Col(nil, 0, p.Categories.Test.X)
	if !slices.Equal(train, []float64{0, 0, 1, 2, 3}) || !slices.Equal(test, []float64{3, 0, 2}) {
		t.Errorf("training %v, test %v", train, test)
	}
	if names := p.Categories.Train.Columns[0].Levels; !slices.Equal(names, []string{"A", "B", "C", "D"}) {
		t.Errorf("levels %q", names)
	}
	if got := mat.Col(nil, 0, p.Numbers.Test.X); !slices.Equal(got, []float64{100, -3, 4}) {
		t.Errorf("numbers %v", got)
	}
}

// By hand: of the training rows 2 is the commonest, of all rows 0.
func TestBreastIsImputedByItsTrainingRows(t *testing.T) {
	nan := math.NaN()
	ds := columnOf([]string{"1", "2", "3"}, 2, 2, 0, nan, 0, 0, 0, nan)
	p, err := Breast.Prepare(ds, modelsel.Fold{Train: []int{0, 1, 2, 3}, Test: []int{4, 5, 6, 7}})
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]View{"categories": p.Categories, "numbers": *p.Numbers} {
		train, test := mat.Col(nil, 0, v.Train.X), mat.Col(nil, 0, v.Test.X)
		if !slices.Equal(train, []float64{2, 2, 0, 2}) || !slices.Equal(test, []float64{0, 0, 0, 2}) {
			t.Errorf("%s: training %v, test %v", name, train, test)
		}
	}
	if !math.IsNaN(ds.X.At(3, 0)) {
		t.Error("Prepare has changed its input")
	}
}

func TestOnlySetsWithNumbersHaveThem(t *testing.T) {
	fold := modelsel.Fold{Train: []int{0, 1}, Test: []int{2}}
	p, err := Letter.Prepare(columnOf([]string{"0", "1"}, 0, 1, 1), fold)
	if err != nil || p.Numbers != nil {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestMushroomLacksStalkRoot(t *testing.T) {
	load(t, Mushroom)
	ds, err := Mushroom.Load()
	if err != nil {
		t.Fatal(err)
	}
	if names := ds.FeatureNames(); slices.Contains(names, "stalk-root") || len(names) != 21 {
		t.Errorf("columns %q", names)
	}
}

func TestCodesOfWholeNumbers(t *testing.T) {
	for s, want := range map[Set]struct {
		levels      int
		first, last string
	}{Breast: {10, "1", "10"}, Letter: {16, "0", "15"}} {
		load(t, s)
		ds, err := s.Load()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range ds.Columns {
			if len(c.Levels) != want.levels || c.Levels[0] != want.first || c.Levels[want.levels-1] != want.last {
				t.Errorf("%s, %s: levels %q", s, c.Name, c.Levels)
			}
		}
		// The first rows of the files: 5,1,1,1,2,1,3,1,1 and 2,8,3,5,…
		if row := ds.X.RawRowView(0)[:2]; !slices.Equal(row, map[Set][]float64{Breast: {4, 0}, Letter: {2, 8}}[s]) {
			t.Errorf("%s: first codes %v", s, row)
		}
	}
}

// The settings that the report does give.
func TestAlgorithmsAreTheReports(t *testing.T) {
	ds, err := Car.Load()
	if err != nil {
		t.Fatal(err)
	}
	fit := func(a Algorithm) mlcore.Classifier {
		learn, err := DefaultSettings(Car).Learner(a, 1)
		if err != nil {
			t.Fatal(err)
		}
		m, err := learn(ds)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	// ID3 has a branch for each value, four of the first attributes, and grows
	// until leaves are pure: Car has no two rows alike.
	whole := fit(ID3).(*id3.Model)
	right, err := whole.Predict(ds.X)
	if err != nil || !slices.Equal(right, ds.Y) {
		t.Errorf("ID3 does not repeat its training rows (%v)", err)
	}
	// A forest's trees see a third of the rows, 576 of 1728, and five of six
	// attributes.
	for _, member := range fit(RandomForest).(*ensemble.Bagging).Members() {
		if m := member.(*id3.Model); m.Node(0).Samples != 576 || m.NumFeatures() != 5 {
			t.Fatalf("a tree of %d rows and %d attributes", m.Node(0).Samples, m.NumFeatures())
		}
	}
	// SAMME of trees of depth 1: alpha = log((1-err)/err) + log(K-1).
	boosted := fit(AdaBoost).(*ensemble.AdaBoost)
	for i, e := range boosted.Errors() {
		if want := math.Log((1-e)/e) + math.Log(3); math.Abs(boosted.Alphas()[i]-want) > 1e-12 {
			t.Errorf("round %d: alpha %v, want %v", i, boosted.Alphas()[i], want)
		}
	}
	// Equation 6: (n+1)/(n_v+k), k the 6 attributes. No car with safety low, which
	// is level 0 of column 5, is acc, of which there are 384; 576 of the 1210 unacc
	// have it.
	shares := fit(NaiveBayes).(*bayes.Categorical).FeatureLogProb(5)
	if got, want := shares.At(0, 0), math.Log(577./1216); math.Abs(got-want) > 1e-12 {
		t.Errorf("log P(low | unacc) is %v, want %v", got, want)
	}
	if got, want := shares.At(1, 0), math.Log(1./390); math.Abs(got-want) > 1e-12 {
		t.Errorf("log P(low | acc) is %v, want %v", got, want)
	}
	if bag := fit(BaggedNaiveBayes).(*ensemble.Bagging); len(bag.Members()) != Bags {
		t.Errorf("%d bags, want %d", len(bag.Members()), Bags)
	}
}

package ada511

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/neural"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/floats"
)

// The facts that the course states of the data.
func TestAdultIncome(t *testing.T) {
	train, test := datasetstest.LoadSplit(t, "income")
	if train.Len() != 11306 || test.Len() != 33915 || train.NumFeatures() != 8 {
		t.Errorf("%d training rows, %d test rows, %d attributes", train.Len(), test.Len(), train.NumFeatures())
	}
	for j, c := range train.Columns {
		if len(c.Levels) == 0 {
			t.Errorf("column %q is not nominal", c.Name)
		}
		seen := func(ds *mlcore.Dataset) (levels []string) {
			for i := range ds.Len() {
				if v := ds.X.At(i, j); !math.IsNaN(v) {
					levels = append(levels, ds.Columns[j].Levels[int(v)])
				}
			}
			slices.Sort(levels)
			return slices.Compact(levels)
		}
		known := seen(train)
		var unseen []string
		for _, level := range seen(test) {
			if !slices.Contains(known, level) {
				unseen = append(unseen, level)
			}
		}
		want := []string(nil)
		if c.Name == "native_country" {
			want = []string{"Holland-Netherlands"}
		}
		if !slices.Equal(unseen, want) {
			t.Errorf("%s: only the test file has %q, want %q", c.Name, unseen, want)
		}
	}
	if majority := float64(test.ClassCounts()[0]) / float64(test.Len()); math.Abs(majority-0.7519) > 0.00005 {
		t.Errorf("the majority class scores %.5f, want .7519", majority)
	}
}

// What the notebooks choose by cross-validation of the training file stays within
// 0.2 points of the best of scikit-learn, LightGBM and XGBoost, chosen under the same
// protocol and scored on the very same folds. No test file takes part.
func TestChosenBesideThePeers(t *testing.T) {
	if testing.Short() {
		t.Skip("half a minute of cross-validation")
	}
	train, _ := datasetstest.LoadSplit(t, "income")
	wide := oneHot(t, train)
	best := slices.MinFunc(Peers(), func(a, b Peer) int { return cmp.Compare(a.Scores.Mean(), b.Scores.Mean()) })
	for _, tc := range []struct {
		name   string
		scores assess.Scores
	}{
		{"histogram boosting", TenFolds(Trees().FitClassifier, wide)},
		{"network", assess.MeanScores(5, func(seed uint64) assess.Scores {
			c := Network()
			c.Seed = seed
			return TenFolds(c.FitClassifier, wide)
		})},
	} {
		got, want := 1-tc.scores.Mean(), 1-best.Scores.Mean()
		if got < want-0.002 {
			t.Errorf("%s: accuracy %.4f in cross-validation, more than 0.2 points below the %.4f of %s", tc.name, got, want, best.Name)
		}
		t.Logf("%s %.4f, %s %.4f", tc.name, got, best.Name, want)
	}
}

func oneHot(t *testing.T, ds *mlcore.Dataset) *mlcore.Dataset {
	t.Helper()
	encoder, err := preprocess.OneHotConfig{}.Fit(ds)
	if err != nil {
		t.Fatal(err)
	}
	wide, err := encoder.Transform(ds)
	if err != nil {
		t.Fatal(err)
	}
	return wide
}

var update = flag.Bool("update", false, "write networks.json and forests.json anew")

// The grids that are kept are those that Search finds: one cell of each seed is
// computed again. Together they choose the settings of Network and of Forest, inside the
// grid.
func TestKeptGrids(t *testing.T) {
	train, _ := datasetstest.LoadSplit(t, "income")
	wide := oneHot(t, train)
	for _, tc := range []struct {
		file          string
		text          *[]byte
		rows, columns Axis
		kept          func() []Grid
		search        func(seed uint64, rows, columns Axis) Grid
		chosen        any
		config        func(row, column float64) any
	}{
		{"networks.json", &networksJSON, hiddenNodes, penalties, NetworkGrids, func(seed uint64, rows, columns Axis) Grid {
			of := func(hidden, l2 float64) neural.Config { return networkOf(hidden, l2, seed) }
			return Search(neural.Config.FitClassifier, of, rows, columns, wide)
		}, Network(), func(row, column float64) any { return networkOf(row, column, 0) }},
		{"forests.json", &forestsJSON, features, leastLeaf, ForestGrids, func(seed uint64, rows, columns Axis) Grid {
			of := func(features, leaf float64) ensemble.ForestConfig { return forestOf(features, leaf, seed) }
			return Search(ensemble.ForestConfig.FitClassifier, of, rows, columns, train)
		}, Forest(0), func(row, column float64) any { return forestOf(row, column, 0) }},
	} {
		if *update {
			var accuracies [][][]float64
			for seed := range uint64(5) {
				accuracies = append(accuracies, tc.search(seed, tc.rows, tc.columns).Accuracy)
			}
			b, err := json.MarshalIndent(accuracies, "", " ")
			if err != nil {
				t.Fatal(err)
			}
			*tc.text = append(b, '\n')
			if err := os.WriteFile(tc.file, *tc.text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		grids := tc.kept()
		if len(grids) != 5 {
			t.Fatalf("%s: %d grids", tc.file, len(grids))
		}
		for seed, g := range grids {
			row, column := seed%len(tc.rows.Values), seed%len(tc.columns.Values)
			again := tc.search(uint64(seed), Over(tc.rows.Name, tc.rows.Values[row]), Over(tc.columns.Name, tc.columns.Values[column]))
			if got, want := again.Accuracy[0][0], g.Accuracy[row][column]; math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: seed %d, %s: accuracy %v, kept is %v", tc.file, seed, g.Settings(row, column), got, want)
			}
		}
		mean := MeanGrid(grids...)
		row, column := mean.best()
		if got := tc.config(tc.rows.Values[row], tc.columns.Values[column]); !reflect.DeepEqual(got, tc.chosen) {
			t.Errorf("%s: the grids choose %s, the package says %+v", tc.file, mean.BestSettings(), tc.chosen)
		}
		if row == 0 || row == len(tc.rows.Values)-1 || column == 0 || column == len(tc.columns.Values)-1 {
			t.Errorf("%s: %s is at the edge of the grid", tc.file, mean.BestSettings())
		}
	}
}

// The table is of made-up answers of 60 people. In the first pair the first model alone is
// right about 10 of them and the second alone about 24: the exact p is 0.0243 (scipy's
// binomtest), the normal approximation 0.0164. In the second pair it is 0 and 6, and p
// 2/64. Holm doubles the smaller p, and the larger is at least as large. The differences
// are 14/60 and 6/60.
func TestOnTest(t *testing.T) {
	y, ten, many, six := make([]int, 60), make([]int, 60), make([]int, 60), make([]int, 60)
	for i := range 24 {
		many[i] = 1
	}
	for i := range 10 {
		ten[59-i] = 1
	}
	for i := range 6 {
		six[i] = 1
	}
	rows := OnTest(y, [2]Answers{{Name: "many", Predicted: many}, {Name: "ten", Predicted: ten}}, [2]Answers{{Name: "six", Predicted: six}, {Name: "all", Predicted: y}})
	for i, want := range []struct {
		first, second int
		points        float64
		p             string
	}{{10, 24, 1400.0 / 60, "0.049"}, {0, 6, 10, "0.049"}} {
		r := rows[i]
		if r.OnlyFirst != want.first || r.OnlySecond != want.second || math.Abs(r.Points-want.points) > 1e-9 || r.Holm != want.p || !(r.Low < r.Points && r.Points < r.High) {
			t.Errorf("%+v, want %+v", r, want)
		}
	}
	if s := ScoreOf("six", 1, 0.9, 60); s.Accuracy != 0.9 || !(s.Low < 0.9 && 0.9 < s.High) {
		t.Errorf("%+v", s)
	}
	tens := Scored{"a", assess.Scores{Errors: []float64{0.1, 0.2, 0.3}, Folds: 3, Repeats: 1}}
	ones := Scored{"b", assess.Scores{Errors: []float64{0.1, 0.19, 0.28}, Folds: 3, Repeats: 1}}
	folds := OnFolds([2]Scored{tens, ones})
	if f := folds[0]; math.Abs(f.Points-1) > 1e-9 || math.Abs(f.High-f.Points-4.302653*math.Sqrt(5.0/6)) > 1e-5 || f.Holm != "0.388" {
		t.Errorf("%+v", f) // t = 1/sqrt(5/6), whose p with 2 degrees of freedom is 0.3879 (scipy)
	}
}

func TestMeanGrid(t *testing.T) {
	rows, columns := Over("depth", 1, 2), Over("leaf", 5)
	a := Grid{rows, columns, [][]float64{{0.5}, {0.75}}}
	b := Grid{rows, columns, [][]float64{{1}, {0.25}}}
	mean := MeanGrid(a, b)
	if want := [][]float64{{0.75}, {0.5}}; !reflect.DeepEqual(mean.Accuracy, want) {
		t.Errorf("%v, want %v", mean.Accuracy, want)
	}
	if got := []string{a.BestSettings(), mean.BestSettings()}; !slices.Equal(got, []string{"depth 2, leaf 5", "depth 1, leaf 5"}) {
		t.Errorf("best settings %q", got)
	}
	if a.Accuracy[0][0] != 0.5 {
		t.Error("MeanGrid changed a grid")
	}
}

func TestPeersAreWhole(t *testing.T) {
	peers, versions := Peers(), readPeers().Versions
	if len(peers) != 10 || versions["sklearn"] == "" || versions["lightgbm"] == "" || versions["xgboost"] == "" || versions["ydf"] == "" {
		t.Errorf("%d peers, versions %v", len(peers), versions)
	}
	for _, p := range peers {
		if tried := map[bool]int{true: 1, false: 12}[p.Name == "default tree"]; p.Tried != tried || len(p.Scores.Errors) != 10 {
			t.Errorf("%s: %d settings tried, %d folds; budgets are equal, and folds are ten", p.Name, p.Tried, len(p.Scores.Errors))
		}
		// Not p.Test: no test of ours judges by the test file.
		for _, share := range []float64{p.Choice, p.Train, 1 - p.Scores.Mean()} {
			if share <= 0.7531 || share >= 1 {
				t.Errorf("%s: accuracy %v", p.Name, share)
			}
		}
	}
}

var foldsFile = flag.String("folds", "", "write the folds to this file, for scripts/oracles/ada511.py")

// The peers' folds are ours: the script wrote down the sum of the row numbers of each
// fold that it was given.
func TestPeersHaveOurFolds(t *testing.T) {
	train, _ := datasetstest.LoadSplit(t, "income")
	written := map[string][]int{}
	for _, splitter := range []modelsel.StratifiedKFold{toChoose, toCompare} {
		folds, err := splitter.Split(modelsel.Rows{N: train.Len(), Labels: train.Y})
		if err != nil {
			t.Fatal(err)
		}
		var sums []int
		foldOf := make([]int, train.Len())
		for k := range folds.Len() {
			sum := 0
			for _, row := range folds.At(k).Test {
				sum += row
				foldOf[row] = k
			}
			sums = append(sums, sum)
		}
		written[fmt.Sprint(splitter.Folds)] = foldOf
		if want := readPeers().Folds[fmt.Sprint(splitter.Folds)]; !slices.Equal(sums, want) {
			t.Errorf("%d folds: sums of rows %v, want %v", splitter.Folds, sums, want)
		}
	}
	if *foldsFile == "" {
		return
	}
	b, err := json.Marshal(written)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(*foldsFile, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

// The folds that choose and the folds that compare are independent: no fold of the ten
// has more of its people in one of the five than chance would put there (20 %, and 6
// standard errors of a share of 1,130 people above it).
func TestFoldsAreIndependent(t *testing.T) {
	train, _ := datasetstest.LoadSplit(t, "income")
	rows := modelsel.Rows{N: train.Len(), Labels: train.Y}
	choose, err := toChoose.Split(rows)
	if err != nil {
		t.Fatal(err)
	}
	compare, err := toCompare.Split(rows)
	if err != nil {
		t.Fatal(err)
	}
	foldOf := make([]int, train.Len())
	for k := range choose.Len() {
		for _, row := range choose.At(k).Test {
			foldOf[row] = k
		}
	}
	for k := range compare.Len() {
		held, counts := compare.At(k).Test, make([]int, choose.Len())
		for _, row := range held {
			counts[foldOf[row]]++
		}
		n := float64(len(held))
		for i, c := range counts {
			if share := float64(c) / n; share > 0.2+6*math.Sqrt(0.2*0.8/n) {
				t.Errorf("fold %d of ten has %.2f of its people in fold %d of five", k, share, i)
			}
		}
	}
}

// One fit with many rounds has to answer as several with fewer.
func TestSearchRoundsIsSearch(t *testing.T) {
	ds := datasets.MakeMoons(200, 0.3, 1)
	config := func(leaves, rounds float64) ensemble.HistBoostingConfig {
		return ensemble.HistBoostingConfig{MaxLeafNodes: int(leaves), Estimators: int(rounds), MinSamplesLeaf: 5}
	}
	learn := ensemble.HistBoostingConfig.FitClassifier
	rows, columns := Over("leaves", 2, 4), Over("rounds", 1, 3, 10)
	got, want := SearchRounds(learn, config, rows, columns, ds), Search(learn, config, rows, columns, ds)
	for i := range want.Accuracy {
		if !floats.EqualApprox(got.Accuracy[i], want.Accuracy[i], 1e-12) {
			t.Errorf("%v leaves: %v, want %v", rows.Values[i], got.Accuracy[i], want.Accuracy[i])
		}
	}
	if s := want.Settings(1, 2); s != "leaves 4, rounds 10" || want.Size() != 6 {
		t.Errorf("settings %q of %d", s, want.Size())
	}
	if _, err := plotx.PNG(want.Panel("moons")); err != nil {
		t.Error(err)
	}
}

// Worked by hand: the differences 0, 1 and 2 points have mean 1 and standard
// deviation 1; with three folds the corrected standard error is sqrt(1/3 + 1/2), and
// Student's t with 2 degrees of freedom has the quantile 4.3027 (scipy).
func TestAhead(t *testing.T) {
	a := assess.Scores{Errors: []float64{0.10, 0.20, 0.30}, Folds: 3, Repeats: 1}
	b := assess.Scores{Errors: []float64{0.10, 0.21, 0.32}, Folds: 3, Repeats: 1}
	points, half := ahead(a, b)
	if math.Abs(points-1) > 1e-9 || math.Abs(half-4.302653*math.Sqrt(5.0/6)) > 1e-5 {
		t.Errorf("%v ± %v", points, half)
	}
	if points, half = ahead(a, a); points != 0 || half != 0 {
		t.Errorf("the same scores: %v ± %v", points, half)
	}
}

// The errors of the probabilities of the rows left out are those that
// modelsel.CrossValidate finds on the same folds.
func TestHeldOut(t *testing.T) {
	ds := datasets.MakeMoons(120, 0.3, 1)
	c := tree.Config{MaxDepth: 3}
	predicted := make([]int, ds.Len())
	for i, p := range HeldOut(c.FitClassifier, ds) {
		if p > 0.5 {
			predicted[i] = 1
		}
	}
	got, want := FoldErrors(predicted, ds), TenFolds(c.FitClassifier, ds)
	if !floats.EqualApprox(got.Errors, want.Errors, 1e-12) {
		t.Errorf("%v, want %v", got.Errors, want.Errors)
	}
}

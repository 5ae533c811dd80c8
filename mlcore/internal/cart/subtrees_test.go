package cart

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
)

// watched is a splitter that sees to it that every member of the team grows a subtree at
// least, whatever the scheduler does: each waits for the others when it asks for its own
// splitter.
type watched struct {
	splitter
	b        *builder
	subtrees int // how many are grown
	mu       sync.Mutex
	members  int           // how many have asked
	all      chan struct{} // closed when all have
}

func (s *watched) apart(ws *workspace, rows int, out *flattree.Growth) splitter {
	s.mu.Lock()
	own := s.splitter.apart(ws, rows, out)
	s.subtrees = len(s.b.subtrees)
	if s.members++; s.members == min(s.subtrees, s.b.team.Size()) {
		close(s.all)
	}
	s.mu.Unlock()
	<-s.all
	return own
}

// teamwork is what trees are grown from.
type teamwork struct {
	b       *ranks.Table
	classes int
	y       []int
	targets []float64
	w       []float64
	copies  []int32
}

// grow grows a tree, of a regression where targets are given, and returns how many members
// of a team took part in growing how many subtrees.
func (d *teamwork) grow(t *testing.T, cfg Config) (whole flattree.Growth, members, subtrees int) {
	t.Helper()
	w, err := withCopies(d.b.N, d.w, d.copies)
	if err != nil {
		t.Fatal(err)
	}
	if cfg, err = cfg.ready(d.b.N, d.b.D, d.targets != nil); err != nil {
		t.Fatal(err)
	}
	ws := new(workspace)
	s, err := ws.sample(d.b.N, w, d.copies, cfg)
	if err != nil {
		t.Fatal(err)
	}
	out := flattree.Growth{Tree: emptyTree(d.b, cfg), Distributions: flattree.Distributions{Classes: d.classes}}
	b, root := newBuilder(ws, cfg, s, &out, nil), rootOf(len(s.Rows))
	for _, k := range d.y {
		ws.y = append(ws.y, int32(k))
	}
	switch {
	case d.targets != nil:
		b.splitter = newRowSplitter(ws, cfg, d.b, s.Rows, b.team, newRegressionCriterion(ws, cfg, d.b, s, d.targets, &out.Values))
	case canCount(cfg, d.b, s, d.classes):
		b.splitter, root = newCountSplitter(ws, cfg, d.b, s, b.team, &out.Distributions)
	default:
		b.splitter = newRowSplitter(ws, cfg, d.b, s.Rows, b.team, newClassificationCriterion(ws, cfg, d.b, s, &out.Distributions))
	}
	seen := &watched{splitter: b.splitter, b: b, all: make(chan struct{})}
	b.splitter = seen
	whole = b.build(root)
	return whole, seen.members, seen.subtrees
}

// fit grows it as the package does.
func (d *teamwork) fit(t *testing.T, cfg Config, trees *Series) any {
	t.Helper()
	var m any
	var err error
	if d.targets != nil {
		m, err = cfg.FitRegressor(d.b, d.targets, d.w, d.copies, trees)
	} else {
		m, err = cfg.FitClassifier(d.b, d.classes, d.y, d.w, d.copies, trees)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// mixed returns n rows of 24 columns: continuous ones, some of them with ties or missing
// values, categories, constants, columns of few values, and noise. Some rows are there
// twice. Without mixing all columns are of few values and none is missing.
func mixed(t *testing.T, n int, mixing bool) (b *ranks.Table, y []int, targets []float64) {
	t.Helper()
	const d = 24
	rng := mlcore.NewRand(11)
	X, levels := mat.NewDense(n, d, nil), make([]int, d)
	y, targets = make([]int, n), make([]float64, n)
	if mixing {
		levels[8], levels[9], levels[10] = 6, 70, 3
	}
	for i := range n {
		for j := range d {
			v := rng.NormFloat64()
			switch {
			case !mixing:
				v = math.Round(3*v) / 4
			case levels[j] > 0:
				v = float64(rng.IntN(levels[j]))
				if j == 9 && rng.IntN(9) == 0 {
					v = math.NaN()
				}
			case j == 3:
				v = math.Round(200 * v)
			case j == 4, j == 5:
				if rng.IntN(8) == 0 {
					v = math.NaN()
				}
			case j == 11:
				v = 2
			case j > 11 && j < 18:
				v = float64(rng.IntN(3 * (j - 10)))
			}
			X.Set(i, j, v)
		}
		if i > n-n/8 {
			X.SetRow(i, X.RawRowView(rng.IntN(n/2)))
		}
		signal := X.At(i, 0) + X.At(i, 1)*X.At(i, 2) + X.At(i, 12)/3
		for _, j := range []int{4, 8, 9} {
			if v := X.At(i, j); v == v {
				signal += math.Mod(7*v, 5) / 3
			}
		}
		targets[i] = signal + rng.NormFloat64()
		y[i] = min(max(int(targets[i]), 0), 4)
	}
	b, err := ranks.Of(X, levels, true, 1)
	if err != nil {
		t.Fatal(err)
	}
	return b, y, targets
}

// wide returns n rows of d continuous columns, a few of which tell something.
func wide(t *testing.T, n, d int) teamwork {
	t.Helper()
	rng := mlcore.NewRand(12)
	X, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		for j := range d {
			X.Set(i, j, rng.NormFloat64())
		}
		if X.At(i, 3)+X.At(i, d-1)*X.At(i, d/2)+rng.NormFloat64()/2 > 0 {
			y[i] = 1
		}
	}
	return teamwork{b: table(t, X), classes: 2, y: y}
}

// The oracle is one goroutine, whose trees other tests hold to scikit-learn and to trying
// every split.
func TestTeamsGrowTheTreeOfOneGoroutine(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	// Nodes of a quarter of the values go to the team as large ones, so that a quarter of the rows
	// makes trees of the same shape: the race detector makes all of them slow.
	defer func(all int) { parallelWork = all }(parallelWork)
	parallelWork /= 4
	const n = 2250
	b, y, targets := mixed(t, n, true)
	few, fewY, _ := mixed(t, n, false)
	many, _, manyTargets := mixed(t, 10_000, true)
	rng := mlcore.NewRand(3)
	whole, parts, copies := make([]float64, n), make([]float64, n), make([]int32, n)
	for i := range n {
		whole[i], parts[i], copies[i] = float64(rng.IntN(3)), float64(rng.IntN(4))*0.3, int32(rng.IntN(3))
	}
	classification := func(w []float64, copies []int32) teamwork {
		return teamwork{b: b, classes: 5, y: y, w: w, copies: copies}
	}
	twoClasses := classification(nil, nil)
	twoClasses.classes, twoClasses.y = 2, slices.Clone(y)
	for i, k := range y {
		twoClasses.y[i] = k / 3
	}
	regression := func(w []float64, copies []int32) teamwork {
		return teamwork{b: b, targets: targets, w: w, copies: copies}
	}
	tiny := regression(parts, nil)
	tiny.targets = slices.Clone(targets)
	for i := range tiny.targets {
		tiny.targets[i] *= 1e-200
	}
	for _, tc := range []struct {
		name string
		data teamwork
		cfg  Config
	}{
		{"Gini", classification(nil, nil), Config{}},
		{"Gini, two classes", twoClasses, Config{MinSamplesLeaf: 3}},
		{"Gini, weights", classification(parts, nil), Config{Rule: flattree.AtLeast}},
		{"Gini, weights and leaves of many rows", classification(parts, nil), Config{MinSamplesLeaf: 7}},
		{"Gini, whole weights", classification(whole, nil), Config{MaxDepth: 9}},
		{"Gini, copies", classification(nil, copies), Config{MinSamplesLeaf: 2}},
		{"Gini, copies and weights", classification(parts, copies), Config{MinSamplesLeaf: 4}},
		{"Gini, least decrease", classification(nil, nil), Config{MinImpurityDecrease: 1e-4}},
		{"Gini, some features", classification(nil, nil), Config{Features: []int{0, 1, 2, 4, 5, 6, 7, 8, 9, 11, 12, 17, 19, 20}}},
		{"entropy", classification(nil, nil), Config{Criterion: Entropy}},
		{"entropy, weights", classification(parts, nil), Config{Criterion: Entropy, MinWeightFractionLeaf: 0.001, MaxDepth: 7}},
		{"misclassification", classification(nil, nil), Config{Criterion: Misclassification}},
		{"squared error", regression(nil, nil), Config{}},
		{"squared error, weights", regression(parts, nil), Config{Rule: flattree.AtLeast, MinSamplesLeaf: 5}},
		{"squared error, copies", regression(nil, copies), Config{MinImpurityDecrease: 1e-3}},
		{"squared error, tiny targets", tiny, Config{MaxDepth: 8}},
		{"Friedman", regression(whole, nil), Config{Criterion: FriedmanMSE, MaxDepth: 7}},
		{"absolute error", regression(nil, nil), Config{Criterion: AbsoluteError, MaxDepth: 4, MinSamplesLeaf: 20}},
		{"absolute error, weights", regression(parts, nil), Config{Criterion: AbsoluteError, MaxDepth: 4}},
		{"few values", teamwork{b: few, classes: 5, y: fewY}, Config{}},
		{"many nodes", teamwork{b: many, targets: manyTargets}, Config{}}, // more than a helper keeps room for
		{"many features", wide(t, 300, 500), Config{}},
		{"few values, copies", teamwork{b: few, classes: 5, y: fewY, copies: copies}, Config{MaxDepth: 8, MinSamplesLeaf: 3}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.cfg.Workers = 1
			want, members, subtrees := tc.data.grow(t, tc.cfg)
			if members != 0 || subtrees != 0 {
				t.Fatalf("one goroutine made %d of %d subtrees", members, subtrees)
			}
			if len(want.Tree.Nodes) < 15 {
				t.Fatalf("%d nodes say little", len(want.Tree.Nodes))
			}
			fitted := tc.data.fit(t, tc.cfg, nil)
			for _, workers := range []int{2, 3, 7} {
				tc.cfg.Workers = workers
				got, members, subtrees := tc.data.grow(t, tc.cfg)
				if subtrees < 2 || members != min(workers, subtrees) {
					t.Errorf("%d workers: %d members of the team grew %d subtrees", workers, members, subtrees)
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%d workers: the trees differ: %s", workers, difference(&got, &want))
				}
				if !reflect.DeepEqual(tc.data.fit(t, tc.cfg, nil), fitted) {
					t.Errorf("%d workers: the models differ", workers)
				}
			}
		})
	}
}

// Many trees of a team that is lent, of several sizes in turn, so that they meet in each
// other's memory, are those of one goroutine, and the team is good for more afterwards.
func TestLentTeams(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	b, y, targets := mixed(t, 6_000, true)
	small, smallY, _ := mixed(t, 300, false)
	works := []teamwork{
		{b: b, classes: 5, y: y}, {b: b, targets: targets},
		{b: small, classes: 5, y: smallY}, wide(t, 4_000, 20),
	}
	if NewTeam(300, 24, 4) != nil {
		t.Error("a team for 300 rows of 24 columns")
	}
	var teams []*par.Team
	for _, size := range []int{5, 2, 8} {
		team := NewTeam(6_000, 24, size)
		defer team.Close()
		if team.Size() != size {
			t.Fatalf("a team of %d has %d members", size, team.Size())
		}
		teams = append(teams, team)
	}
	for _, depth := range []int{1, 3, 0} {
		for k, work := range works {
			cfg := Config{MaxDepth: depth, Workers: 1}
			want := work.fit(t, cfg, nil)
			for _, team := range teams {
				cfg.Workers = team.Size()
				trees := NewSeries(team)
				defer trees.Close()
				for range 2 {
					if got := work.fit(t, cfg, trees); !reflect.DeepEqual(got, want) {
						t.Errorf("work %d, depth %d, %d members: another tree", k, depth, team.Size())
					}
				}
			}
		}
	}
	// Each piece waits for all members, who would never come if a tree had closed their team.
	for _, team := range teams {
		var here atomic.Int32
		team.Do(team.Size(), func(_, _ int) {
			for here.Add(1); int(here.Load()) < team.Size(); {
				time.Sleep(time.Millisecond)
			}
		})
	}
}

// Trees of which no subtree can be left to the team are those of one goroutine too.
func TestNothingLeftToTheTeam(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	b, y, targets := mixed(t, 4000, true)
	classification, regression := teamwork{b: b, classes: 5, y: y}, teamwork{b: b, targets: targets}
	for _, tc := range []struct {
		name string
		data teamwork
		cfg  Config
	}{
		{"stumps", classification, Config{MaxDepth: 1}},
		{"stumps of a regression", regression, Config{MaxDepth: 1}},
		{"a root that stays a leaf", regression, Config{MinSamplesLeaf: 2001}},
		{"best first", classification, Config{MaxLeafNodes: 40}},
		{"best first, regression", regression, Config{MaxLeafNodes: 40}},
		{"drawn features", classification, Config{MaxFeatures: 20, MaxDepth: 5}},
		{"drawn thresholds", regression, Config{Splitter: Random, MaxDepth: 5}},
	} {
		tc.cfg.Workers = 1
		want, _, _ := tc.data.grow(t, tc.cfg)
		for _, workers := range []int{2, 7} {
			tc.cfg.Workers = workers
			got, members, _ := tc.data.grow(t, tc.cfg)
			if members > 0 {
				t.Errorf("%s: %d members grew subtrees", tc.name, members)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: the trees differ: %s", tc.name, difference(&got, &want))
			}
		}
	}
}

// By the definition of spread: every feature is in one run.
func TestSpreadVisitsEachOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	for _, members := range []int{2, 3, 7} {
		s := &rowSplitter{team: par.NewTeam(members), scratch: make([]scratch, members)}
		for _, n := range []int{1, 2, 5, 16, 17, 60, 500} {
			visits := make([]int, n)
			s.spread(n, func(_ *scratch, lo, hi int) {
				for k := lo; k < hi; k++ {
					visits[k]++
				}
			})
			for k, v := range visits {
				if v != 1 {
					t.Errorf("%d members: feature %d of %d visited %d times", members, k, n, v)
				}
			}
		}
		s.team.Close()
	}
}

// difference names the first node that differs.
func difference(a, b *flattree.Growth) string {
	if len(a.Tree.Nodes) != len(b.Tree.Nodes) {
		return fmt.Sprintf("%d nodes, %d nodes", len(a.Tree.Nodes), len(b.Tree.Nodes))
	}
	for i, n := range a.Tree.Nodes {
		if n != b.Tree.Nodes[i] {
			return fmt.Sprintf("node %d is %v, %v", i, n, b.Tree.Nodes[i])
		}
	}
	return "what is known of the nodes"
}

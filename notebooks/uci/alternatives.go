package uci

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/id3"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"golang.org/x/sync/errgroup"
)

// An Alternative is one of the ways to make a cell that a free setting allows, and what it
// gives.
type Alternative struct {
	// Reading names the free settings: "k = 3".
	Reading string `json:"reading"`
	// Cuts are the mean accuracies of the cuts into folds, in percent, to six digits: ten, or
	// one where the rows are in the order of the file.
	Cuts []float64 `json:"cuts"`
	// SD is the standard deviation of the first cut, written down ten times.
	SD float64 `json:"sd"`
}

// Alternatives are ways to make a cell: every combination of its free settings from short
// lists. The share of them that comes near the report's mean is the base rate of "near": what a
// look at the cell finds without any insight.
type Alternatives struct {
	Set       Set       `json:"set"`
	Algorithm Algorithm `json:"algorithm"`
	// Varied says in words what is varied.
	Varied string        `json:"varied"`
	List   []Alternative `json:"list"`
}

// A Base counts the alternatives of a cell: how many there are, how many of them are near the
// report's mean, and how many hit it exactly, with the standard deviation where the table has
// one.
type Base struct{ Near, Exact, Of int }

// base counts those of a cell of Table 2, or of Table 4 if distance is true.
func (a Alternatives) base(said Outcome, distance bool) Base {
	b := Base{Of: len(a.List)}
	for _, x := range a.List {
		if x.exact(said, distance) {
			b.Exact++
		}
		if x.Near(said.Mean) {
			b.Near++
		}
	}
	return b
}

func (x Alternative) exact(said Outcome, distance bool) bool {
	sd := said.SD
	if distance {
		sd = x.SD
	}
	return slices.Min(x.Cuts) == slices.Max(x.Cuts) && Outcome{x.Cuts[0], x.SD}.Is(Outcome{said.Mean, sd})
}

// Near is [Cell.Near].
func (x Alternative) Near(mean float64) bool { return nearCuts(x.Cuts, mean) }

// alternatives is what "go test ./notebooks/uci -run TestCommittedAlternatives -update -timeout 1h" writes.
//
//go:embed alternatives.json
var alternatives []byte

// committedAlternatives returns this folder's alternatives.json, with the seed 1. A test
// computes the first cut of the small sets again.
var committedAlternatives = sync.OnceValues(func() ([]Alternatives, error) {
	var list []Alternatives
	return list, json.Unmarshal(alternatives, &list)
})

// AlternativesOf returns those of a cell; [KNN] stands for the best distance of the set.
func AlternativesOf(s Set, row Algorithm) (Alternatives, error) {
	list, err := committedAlternatives()
	if err != nil {
		return Alternatives{}, err
	}
	if row == KNN {
		row = bestDistance(s)
	}
	for _, a := range list {
		if a.Set == s && a.Algorithm == row {
			return a, nil
		}
	}
	return Alternatives{}, fmt.Errorf("uci: %w: the report has no cell %s/%s", mlcore.ErrConfig, s, row)
}

// A plan is a run that gives one or several alternatives of a cell.
type plan struct {
	name                   string // of what all its alternatives have in common
	inFileOrder, wholeFile bool
	numbers                bool // the trees see numbers
	seesTest               bool
	steps                  []string
	// right counts the right answers of each step.
	right func(v View, seed uint64) ([]int, error)
}

const (
	mostNeighbours  = 15
	mostRoundsTried = 100
)

var (
	treesTried = []int{10, 20, 50}
	bagsTried  = []int{5, 15, 25}
	shareTried = []float64{0.9, 2. / 3, 0.5, 1. / 3, 1. / 5, 1. / 8, 1. / 10, 1. / 20, 1. / 30}
)

// plans lists the runs of a cell and says what they vary.
func plans(s Set, a Algorithm, attributes []string) (list []plan, varied string) {
	switch a {
	case ID3:
		return id3Plans(s), "the class of a value that a node has not seen: the node's commonest, the first or the last in the alphabet, or the commonest of the training rows" + ofIntervals(s)
	case RandomForest:
		return forestPlans(s, len(attributes))
	case AdaBoost:
		return boostPlans(s)
	case NaiveBayes:
		return bayesPlans(s, attributes), "all attributes, or all but one of them, and the order of the rows" + ofIntervals(s)
	case BaggedNaiveBayes:
		return bagPlans(s), "the share of the rows in a bag (0.9 to 1/30) and the number of bags (5, 15 or 25), without the last attribute" + ofIntervals(s)
	}
	return neighbourPlans(s, a)
}

func ofIntervals(s Set) string {
	if s == Ecoli {
		return ", and intervals of the training rows or of the whole file"
	}
	return ""
}

// overIntervals repeats the plans of Ecoli with intervals of the whole file.
func overIntervals(s Set, list []plan) []plan {
	if s != Ecoli {
		return list
	}
	for _, p := range slices.Clone(list) {
		if p.numbers {
			continue
		}
		p.name, p.wholeFile = p.name+", intervals of the whole file", true
		list = append(list, p)
	}
	return list
}

// alone is a plan of a single step.
func alone(name string, change func(c *Settings), s Set, a Algorithm) plan {
	c := DefaultSettings(s)
	change(&c)
	return plan{name: name, steps: []string{""}, right: func(v View, seed uint64) ([]int, error) {
		learn, err := c.Learner(a, seed)
		if err != nil {
			return nil, err
		}
		return rightOf(learn, v)
	}}
}

func rightOf(learn mlcore.ClassifierLearner, v View) ([]int, error) {
	m, err := learn(v.Train)
	if err != nil {
		return nil, err
	}
	y, err := m.Predict(v.Test.X)
	if err != nil {
		return nil, err
	}
	return []int{agreeing(y, v.Test.Y)}, nil
}

func agreeing(a, b []int) (n int) {
	for i, k := range a {
		if k == b[i] {
			n++
		}
	}
	return n
}

func id3Plans(s Set) []plan {
	list := []plan{
		alone("the node's commonest", func(*Settings) {}, s, ID3),
		alone("the last in the alphabet", func(c *Settings) { c.UnseenIsLast = true }, s, ID3),
	}
	for _, rule := range []struct {
		name  string
		class func(ds *mlcore.Dataset) int
	}{
		{"the first in the alphabet", func(ds *mlcore.Dataset) int { return slices.Index(ds.ClassNames, slices.Min(ds.ClassNames)) }},
		{"the commonest of the training rows", func(ds *mlcore.Dataset) int {
			counts := ds.ClassCounts()
			return slices.Index(counts, slices.Max(counts))
		}},
	} {
		list = append(list, plan{name: rule.name, steps: []string{""}, right: func(v View, _ uint64) ([]int, error) {
			return rightOf(func(ds *mlcore.Dataset) (mlcore.Classifier, error) {
				m, err := id3.Config{}.FitClassifier(ds)
				if err != nil {
					return nil, err
				}
				return unseenLast{m, rule.class(ds)}, nil
			}, v)
		}})
	}
	return overIntervals(s, list)
}

// forestPlans vary the attributes of a tree and the number of trees; on sets with numbers
// whether the trees see them, and on Ecoli whether they see test rows.
func forestPlans(s Set, d int) (list []plan, varied string) {
	tried := "1"
	if d > 10 {
		tried = "1 to 8 and the even numbers from 10"
	}
	varied = fmt.Sprintf("the attributes of a tree (%s to %d) and the number of trees (10, 20 or 50)", tried, d)
	for m := 1; m <= d; m++ {
		if m > 8 && d > 10 && m%2 == 1 {
			continue
		}
		list = append(list, plan{name: fmt.Sprintf("%d attributes", m), steps: stepNames("%d trees", treesTried), right: func(v View, seed uint64) ([]int, error) {
			return forestRight(v, m, seed)
		}})
	}
	list = overIntervals(s, list)
	if s != Ecoli {
		return list, varied
	}
	for m := 1; m <= d; m++ {
		list = append(list, plan{name: fmt.Sprintf("numbers, %d attributes", m), numbers: true, steps: stepNames("%d trees", treesTried), right: func(v View, seed uint64) ([]int, error) {
			var counts []int
			for _, n := range treesTried {
				c := forestConfig(n, m, seed)
				c.Workers = 1
				right, err := rightOf(mlcore.LearnClassifier(c.FitClassifier), v)
				if err != nil {
					return nil, err
				}
				counts = append(counts, right...)
			}
			return counts, nil
		}})
	}
	for _, p := range slices.Clone(list) {
		p.name, p.seesTest = p.name+", with test rows", true
		list = append(list, p)
	}
	return list, varied + ", numbers, intervals of the training rows or of the whole file, and whether trees see test rows"
}

func stepNames(format string, steps []int) (names []string) {
	for _, n := range steps {
		names = append(names, fmt.Sprintf(format, n))
	}
	return names
}

// forestRight grows the largest forest; smaller ones are its first trees.
func forestRight(v View, attributes int, seed uint64) ([]int, error) {
	var members []mlcore.Classifier
	_, err := ensemble.BaggingConfig{
		Estimators: slices.Max(treesTried), FeaturesPerEstimator: attributes, Subsample: treeShare, Sampling: ensemble.WithoutReplacement,
		Voting: ensemble.HardVoting, Seed: seed, Workers: 1,
		Learner: func(sample *mlcore.Dataset) (mlcore.Classifier, error) {
			m, err := id3.Config{}.FitClassifier(sample)
			if err == nil {
				members = append(members, onColumns{m, sample.FeatureNames()})
			}
			return m, err
		},
	}.FitClassifier(v.Train)
	if err != nil {
		return nil, err
	}
	return prefixVotes(members, v.Test, treesTried)
}

// onColumns is a model of the columns of these names.
type onColumns struct {
	mlcore.Classifier
	names []string
}

// prefixVotes counts the right answers of the first n members' vote, for each n.
func prefixVotes(members []mlcore.Classifier, test *mlcore.Dataset, sizes []int) ([]int, error) {
	votes := make([]int, test.Len()*test.NumClasses())
	counts := make([]int, len(sizes))
	for t, m := range members {
		X := test.X
		if c, ok := m.(onColumns); ok {
			part, err := test.Select(c.names...)
			if err != nil {
				return nil, err
			}
			m, X = c.Classifier, part.X
		}
		y, err := m.Predict(X)
		if err != nil {
			return nil, err
		}
		for i, k := range y {
			votes[i*test.NumClasses()+k]++
		}
		for at, n := range sizes {
			if n == t+1 {
				counts[at] = votedRight(votes, test)
			}
		}
	}
	return counts, nil
}

// votedRight counts the rows whose class has the most votes, the lowest class on a tie.
func votedRight(votes []int, test *mlcore.Dataset) (n int) {
	k := test.NumClasses()
	for i, y := range test.Y {
		own := votes[i*k : i*k+k]
		if slices.Index(own, slices.Max(own)) == y {
			n++
		}
	}
	return n
}

// boostPlans vary the rounds; on Ecoli the numbers, on Mushroom the order of the rows.
func boostPlans(s Set) (list []plan, varied string) {
	var steps []int
	for r := range mostRoundsTried {
		steps = append(steps, r+1)
	}
	base := plan{name: "AdaBoost", steps: stepNames("%d rounds", steps), right: func(v View, _ uint64) ([]int, error) {
		m, err := boost(v.Train, mostRoundsTried)
		if err != nil {
			return nil, err
		}
		stages, err := m.StagedPredict(v.Test.X)
		if err != nil {
			return nil, err
		}
		counts := make([]int, len(steps))
		for r := range counts {
			counts[r] = agreeing(stages[min(r, len(stages)-1)], v.Test.Y)
		}
		return counts, nil
	}}
	list, varied = overIntervals(s, []plan{base}), "the rounds (1 to 100)"
	switch s {
	case Ecoli:
		base.name, base.numbers = "numbers", true
		return append(list, base), varied + ", and numbers, intervals of the training rows or of the whole file"
	case Mushroom:
		base.name, base.inFileOrder = "file order", true
		return append(list, base), varied + " and the order of the rows"
	}
	return list, varied
}

// bayesPlans leave out no attribute, or any one.
func bayesPlans(s Set, attributes []string) []plan {
	var list []plan
	for j := -1; j < len(attributes); j++ {
		name, seen := allAttributes, attributes
		if j >= 0 {
			name, seen = "without "+attributes[j], slices.Delete(slices.Clone(attributes), j, j+1)
		}
		p := plan{name: name, steps: []string{""}, right: func(v View, seed uint64) ([]int, error) {
			train, err := v.Train.Select(seen...)
			if err != nil {
				return nil, err
			}
			test, err := v.Test.Select(seen...)
			if err != nil {
				return nil, err
			}
			learn, err := DefaultSettings(s).Learner(NaiveBayes, seed)
			if err != nil {
				return nil, err
			}
			return rightOf(learn, View{train, test})
		}}
		list = append(list, p)
		p.name, p.inFileOrder = name+", file order", true
		list = append(list, p)
	}
	return overIntervals(s, list)
}

const allAttributes = "all attributes"

// bagPlans vary the share of the rows and the number of bags.
func bagPlans(s Set) []plan {
	var list []plan
	for _, share := range shareTried {
		list = append(list, plan{name: fmt.Sprintf("bags of %.3g", share), steps: stepNames("%d bags", bagsTried), right: func(v View, seed uint64) ([]int, error) {
			c := DefaultSettings(s)
			c.SkipLast = true
			learn, err := c.Learner(NaiveBayes, seed)
			if err != nil {
				return nil, err
			}
			m, err := ensemble.BaggingConfig{
				Estimators: slices.Max(bagsTried), Subsample: share, Sampling: ensemble.WithoutReplacement,
				Voting: ensemble.HardVoting, Seed: seed, Workers: 1, Learner: learn,
			}.FitClassifier(v.Train)
			if err != nil {
				return nil, err
			}
			return prefixVotes(m.Members(), v.Test, bagsTried)
		}})
	}
	return overIntervals(s, list)
}

// neighbourPlans vary k; on Car the order of the rows and who gets a tied vote, too.
func neighbourPlans(s Set, a Algorithm) (list []plan, varied string) {
	var steps []int
	for k := range mostNeighbours {
		steps = append(steps, k+1)
	}
	for _, last := range []bool{false, true} {
		p := plan{name: "k-NN", steps: stepNames("k = %d", steps), right: func(v View, _ uint64) ([]int, error) {
			return neighboursRight(v, a, last)
		}}
		list = append(list, p)
		if s != Car {
			return overIntervals(s, withNumbers(list, a)), "k (1 to 15)" + ofCategories(s, a)
		}
		if last {
			list[len(list)-1].name = "ties to the last class"
		}
		p.name, p.inFileOrder = list[len(list)-1].name+", file order", true
		list = append(list, p)
	}
	return list, "k (1 to 15), the order of the rows and the class of a tied vote"
}

func withNumbers(list []plan, a Algorithm) []plan {
	for i := range list {
		list[i].numbers = a.numeric()
	}
	return list
}

func ofCategories(s Set, a Algorithm) string {
	if a.numeric() {
		return ""
	}
	return ofIntervals(s)
}

// neighboursRight counts the right answers for every k.
func neighboursRight(v View, a Algorithm, lastOnTies bool) ([]int, error) {
	metric := map[Algorithm]neighbors.Metric{KNNSquared: neighbors.SquaredEuclidean, KNNCityBlock: neighbors.Manhattan, KNNHamming: neighbors.Hamming}[a]
	m, err := neighbors.Config{Neighbors: mostNeighbours, Metric: metric, Workers: 1}.FitClassifier(v.Train)
	if err != nil {
		return nil, err
	}
	near, _, err := m.Neighbors(v.Test.X, mostNeighbours)
	if err != nil {
		return nil, err
	}
	counts := make([]int, mostNeighbours)
	for i, rows := range near {
		votes := make([]int, v.Test.NumClasses())
		for k, row := range rows {
			votes[v.Train.Y[row]]++
			best := 0
			for class, n := range votes {
				first := votes[best]
				if n > first || lastOnTies && n == first && v.Train.ClassNames[class] > v.Train.ClassNames[best] {
					best = class
				}
			}
			if best == v.Test.Y[i] {
				counts[k]++
			}
		}
	}
	return counts, nil
}

// computeAlternatives computes those of a cell with as many cuts as repeats.
func computeAlternatives(ctx context.Context, s Set, a Algorithm, seed uint64, repeats int) (Alternatives, error) {
	ds, err := s.Load()
	if err != nil {
		return Alternatives{}, err
	}
	list, varied := plans(s, a, ds.FeatureNames())
	out := Alternatives{Set: s, Algorithm: a, Varied: varied}
	for _, p := range list {
		found, err := p.run(ctx, s, a, ds, seed, repeats)
		if err != nil {
			return out, fmt.Errorf("uci: %s/%s, %s: %w", s, a, p.name, err)
		}
		out.List = append(out.List, found...)
	}
	return out, nil
}

// run computes the alternatives of a plan.
func (p plan) run(ctx context.Context, s Set, a Algorithm, ds *mlcore.Dataset, seed uint64, repeats int) ([]Alternative, error) {
	e := Experiment{Seed: seed, WholeFile: p.wholeFile}
	if p.inFileOrder {
		e.Splitter, repeats = inFileOrder, 1
	}
	accuracies := make([][]float64, len(p.steps))
	for i := range accuracies {
		accuracies[i] = make([]float64, repeats*modelsel.DefaultFolds)
	}
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for r := range repeats {
		folds, err := e.Split(s, ds, r)
		if err != nil {
			return nil, err
		}
		for f, rows := range folds.All() {
			workers.Go(func() error {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				prepared, err := e.prepare(job{place{s, r, f}, ds, rows})
				if err != nil {
					return err
				}
				v := prepared.Categories
				if p.numbers && prepared.Numbers != nil {
					v = *prepared.Numbers
				}
				if p.seesTest {
					v.Train = together(v)
				}
				counts, err := p.right(v, mlcore.DeriveSeed(seed, s.number(), uint64(r), uint64(f), a.number()))
				for i, n := range counts {
					accuracies[i][r*modelsel.DefaultFolds+f] = 100 * float64(n) / float64(len(rows.Test))
				}
				return err
			})
		}
	}
	if err := workers.Wait(); err != nil {
		return nil, err
	}
	var list []Alternative
	for i, step := range p.steps {
		c := Cell{Set: s, Algorithm: a, Accuracies: accuracies[i]}
		x := Alternative{Reading: p.name, SD: sixDigits(c.TenTimes().SD)}
		if step != "" {
			x.Reading += ", " + step
		}
		for _, mean := range c.Cuts() {
			x.Cuts = append(x.Cuts, sixDigits(mean))
		}
		list = append(list, x)
	}
	return list, nil
}

func sixDigits(v float64) float64 { return math.Round(v*1e6) / 1e6 }

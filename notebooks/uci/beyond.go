package uci

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"runtime"
	"sync"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/mat"
)

// mostRows is the number of rows of a set on which [familiesOf] are compared. Larger sets are
// a random sample of as many.
const mostRows = 2000

// A familyScore is what a family reached on one set by nested cross-validation: five folds, twice
// over, the setting chosen by three folds within the training rows.
type familyScore struct {
	Set    Set    `json:"set"`
	Family string `json:"family"`
	// Accuracies are those of the ten folds, in percent; Chosen names the choice in each.
	Accuracies []float64 `json:"accuracies"`
	Chosen     []string  `json:"chosen"`
}

// Mean is that of the accuracies.
func (s familyScore) Mean() float64 { mean, _ := meanSD(s.Accuracies); return mean }

const compareRepeats = 2

// compareFamilies computes the scores of all families on a set.
func compareFamilies(ctx context.Context, s Set, seed uint64) ([]familyScore, error) {
	ds, err := s.Load()
	if err != nil {
		return nil, err
	}
	if ds.Len() > mostRows {
		ds = ds.Subset(mlcore.NewRand(seed, s.number()).Perm(ds.Len())[:mostRows])
	}
	families, err := familiesOf(s, seed)
	if err != nil {
		return nil, err
	}
	scores := make([]familyScore, len(families))
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range families {
		n := compareRepeats * modelsel.DefaultFolds
		scores[i] = familyScore{s, f.Name, make([]float64, n), make([]string, n)}
	}
	for r := range compareRepeats {
		folds, err := Experiment{Seed: seed}.Split(s, ds, r)
		if err != nil {
			return nil, err
		}
		for j, rows := range folds.All() {
			p, err := s.Prepare(ds, rows)
			if err != nil {
				return nil, err
			}
			for i, f := range families {
				workers.Go(func() error {
					if ctx.Err() != nil {
						return ctx.Err()
					}
					v := p.Categories
					if f.numbers && p.Numbers != nil {
						v = *p.Numbers
					}
					at := r*modelsel.DefaultFolds + j
					var err error
					scores[i].Accuracies[at], scores[i].Chosen[at], err = f.score(v)
					if err != nil {
						return fmt.Errorf("uci: %s on %s: %w", f.Name, s.Name(), err)
					}
					return nil
				})
			}
		}
	}
	return scores, workers.Wait()
}

// score chooses within the training rows, fits to all of them and returns the accuracy on
// the test rows and what was chosen.
func (f family) score(v View) (accuracy float64, chosen string, err error) {
	best := f.Choices[0]
	if len(f.Choices) > 1 {
		fit := func(c candidate, ds *mlcore.Dataset) (mlcore.Classifier, error) { return c.Learn(ds) }
		inner := modelsel.StratifiedKFold{Folds: 3, Shuffle: true, Seed: 1, AllowRare: true}
		r, err := modelsel.Search(fit, modelsel.List(f.Choices...), v.Train, modelsel.SearchOptions{NoRefit: true, Options: modelsel.Options{Splitter: inner}})
		if err != nil {
			return 0, "", err
		}
		best = r.Chosen().Config
	}
	m, err := best.Learn(v.Train)
	if err != nil {
		return 0, "", err
	}
	predicted, err := m.Predict(v.Test.X)
	if err != nil {
		return 0, "", err
	}
	right := 0
	for i, k := range predicted {
		if k == v.Test.Y[i] {
			right++
		}
	}
	return 100 * float64(right) / float64(len(predicted)), best.Name, nil
}

// comparisons is what "go test ./notebooks/uci -run TestCommittedComparisons -update" writes.
//
//go:embed comparisons.json
var comparisons []byte

// familyScores returns the scores of this folder's comparisons.json: [compareFamilies] of each
// set, with the seed 1. A test computes Breast's and Ecoli's again.
var familyScores = sync.OnceValues(func() ([]familyScore, error) {
	var list []familyScore
	return list, json.Unmarshal(comparisons, &list)
})

// scoreOf returns the score of a family on a set, from [familyScores].
func scoreOf(s Set, family string) (familyScore, error) {
	list, err := familyScores()
	if err != nil {
		return familyScore{}, err
	}
	for _, score := range list {
		if score.Set == s && score.Family == family {
			return score, nil
		}
	}
	return familyScore{}, fmt.Errorf("uci: %w: there is no family %q on the set %q", mlcore.ErrConfig, family, string(s))
}

// Means are the mean accuracies of families, a row for each, on the five sets.
func Means(families []string) (*mat.Dense, error) {
	m := mat.NewDense(len(families), len(Sets()), nil)
	for i, name := range families {
		for j, s := range Sets() {
			score, err := scoreOf(s, name)
			if err != nil {
				return nil, err
			}
			m.Set(i, j, score.Mean())
		}
	}
	return m, nil
}

// ChosenTable says which choice of a family was made most often on a set, the first such on a
// tie, and in how many of the folds.
func ChosenTable(families []string) ([][]string, error) {
	table := [][]string{append([]string{""}, setNames()...)}
	for _, name := range families {
		line := []string{name}
		for _, s := range Sets() {
			score, err := scoreOf(s, name)
			if err != nil {
				return nil, err
			}
			choice, times := commonest(score.Chosen)
			line = append(line, fmt.Sprintf("%s (%d)", choice, times))
		}
		table = append(table, line)
	}
	return table, nil
}

func commonest(names []string) (best string, times int) {
	counts := map[string]int{}
	for _, name := range names {
		counts[name]++
	}
	for _, name := range names {
		if counts[name] > times {
			best, times = name, counts[name]
		}
	}
	return best, times
}

package uci

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
)

func mustRun(t testing.TB, e Experiment) *Result {
	t.Helper()
	r, err := e.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// small is an experiment on the set that is always at hand.
func small() Experiment {
	return Experiment{Folds: 3, Repeats: 2, Seed: 7, Only: func(s Set, _ Algorithm) bool { return s == Car }}
}

func encode(t testing.TB, r *Result) string {
	t.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestSameBytesWhateverTheWorkers(t *testing.T) {
	one, many := small(), small()
	one.Workers, many.Workers = 1, 4
	if a, b := encode(t, mustRun(t, one)), encode(t, mustRun(t, many)); a != b {
		t.Errorf("one worker: %s\nfour: %s", a, b)
	}
}

// A learner's draws and folds do not depend on what else takes part.
func TestCellsDoNotDependOnEachOther(t *testing.T) {
	all := mustRun(t, small())
	alone := small()
	alone.Only = func(s Set, a Algorithm) bool { return s == Car && a == BaggedNaiveBayes }
	got := mustRun(t, alone).Cells
	want, _ := all.Cell(Car, BaggedNaiveBayes)
	if len(got) != 1 || !slices.Equal(got[0].Accuracies, want.Accuracies) {
		t.Errorf("alone %v, among others %v", got, want)
	}
}

func TestSeedsDiffer(t *testing.T) {
	other := small()
	other.Seed = 8
	a, b := mustRun(t, small()), mustRun(t, other)
	for i, c := range a.Cells {
		if slices.Equal(c.Accuracies, b.Cells[i].Accuracies) {
			t.Errorf("%s: seeds 7 and 8 give the same %v", c.Algorithm, c.Accuracies)
		}
		if slices.Equal(c.Accuracies[:3], c.Accuracies[3:]) {
			t.Errorf("%s: both repeats give %v", c.Algorithm, c.Accuracies[:3])
		}
	}
}

// What a learner draws differs from fold to fold and from repeat to repeat, even of
// the same rows.
func TestDrawsDifferByFold(t *testing.T) {
	test := make([]int, 400)
	for i := range test {
		test[i] = 4 * i
	}
	e := Experiment{
		Folds: 2, Repeats: 2,
		Only:     func(s Set, a Algorithm) bool { return s == Car && (a == RandomForest || a == NaiveBayes) },
		Splitter: func(Set, int) modelsel.Splitter { return modelsel.Predefined{{Test: test}, {Test: test}} },
	}
	for _, c := range mustRun(t, e).Cells {
		same := c.Accuracies[0] == c.Accuracies[1] || c.Accuracies[0] == c.Accuracies[2]
		if want := c.Algorithm == NaiveBayes; same != want {
			t.Errorf("%s: %v on the same rows", c.Algorithm, c.Accuracies)
		}
	}
}

func TestResumeFromKnownFolds(t *testing.T) {
	var folds []Fold
	first := small()
	first.Workers = 1
	stop := errors.New("enough")
	first.Done = func(f Fold) error {
		folds = append(folds, f)
		if len(folds) == 4 {
			return stop
		}
		return nil
	}
	if _, err := first.Run(context.Background()); !errors.Is(err, stop) {
		t.Fatalf("got %v, want the error of Done", err)
	}
	again, computed, counts := small(), 0, []int(nil)
	again.Known = folds
	again.Done = func(Fold) error { computed++; return nil }
	again.Progress = func(done, total int) { counts = append(counts, done, total) }
	r := mustRun(t, again)
	if computed != 2 || !slices.Equal(counts, []int{4, 6, 5, 6, 6, 6}) {
		t.Errorf("computed %d folds, progress %v", computed, counts)
	}
	if got, want := encode(t, r), encode(t, mustRun(t, small())); got != want {
		t.Errorf("resumed: %s\nin one go: %s", got, want)
	}
}

func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	e, done := small(), 0
	e.Workers = 1
	e.Done = func(Fold) error { done++; cancel(); return nil }
	if _, err := e.Run(ctx); !errors.Is(err, context.Canceled) || done != 1 {
		t.Errorf("got %v after %d folds", err, done)
	}
}

// fixed is a splitter that does not look at the rows.
type fixed struct{ folds *modelsel.Folds }

func (f fixed) Split(modelsel.Rows) (*modelsel.Folds, error) { return f.folds, nil }

func TestExperimentErrors(t *testing.T) {
	other, err := modelsel.KFold{}.Split(modelsel.Rows{N: 2000})
	if err != nil {
		t.Fatal(err)
	}
	fold := Fold{Set: Car, Repeat: 0, Fold: 0, Rows: 10, Right: map[Algorithm]int{ID3: 5}}
	id3 := func(s Set, a Algorithm) bool { return s == Car && a == ID3 }
	altered := func(change func(*Fold)) []Fold {
		f := fold
		change(&f)
		return []Fold{f}
	}
	for _, tc := range []struct {
		name string
		e    Experiment
		says string
	}{
		{"folds", Experiment{Folds: 1}, "Folds is 1"},
		{"repeats", Experiment{Repeats: -1}, "Repeats is -1"},
		{"workers", Experiment{Workers: -1}, "Workers is -1"},
		{"nothing", Experiment{Only: func(Set, Algorithm) bool { return false }}, "no algorithm"},
		{"folds beyond rows", Experiment{Folds: 2000, Only: id3}, "2000"},
		{"other splitter", Experiment{Only: id3, Splitter: func(Set, int) modelsel.Splitter { return modelsel.KFold{Folds: 3} }}, "3 folds, not 5"},
		{"splitter of nothing", Experiment{Only: id3, Splitter: func(Set, int) modelsel.Splitter { return fixed{} }}, "did not split the 1728 rows"},
		{"splitter of other rows", Experiment{Only: id3, Splitter: func(Set, int) modelsel.Splitter { return fixed{folds: other} }}, "did not split the 1728 rows"},
		{"known: set", Experiment{Only: id3, Known: altered(func(f *Fold) { f.Set = "X" })}, "none of this experiment"},
		{"known: repeat", Experiment{Only: id3, Known: altered(func(f *Fold) { f.Repeat = 10 })}, "none of this experiment"},
		{"known: fold", Experiment{Only: id3, Known: altered(func(f *Fold) { f.Fold = -1 })}, "none of this experiment"},
		{"known: too many right", Experiment{Only: id3, Known: altered(func(f *Fold) { f.Right = map[Algorithm]int{ID3: 11} })}, "no good count"},
		{"known: others", Experiment{Only: id3, Known: altered(func(f *Fold) { f.Right = map[Algorithm]int{ID3: 5, NaiveBayes: 5} })}, "other algorithms"},
	} {
		_, err := tc.e.Run(context.Background())
		if !errors.Is(err, mlcore.ErrConfig) || !strings.Contains(fmt.Sprint(err), tc.says) {
			t.Errorf("%s: got %v, want %q", tc.name, err, tc.says)
		}
	}
	if _, err := Set("X").Load(); !errors.Is(err, mlcore.ErrConfig) {
		t.Errorf("an unknown set: %v", err)
	}
	if _, err := (Settings{}).Learner("X", 0); !errors.Is(err, mlcore.ErrConfig) {
		t.Errorf("an unknown algorithm: %v", err)
	}
}

// The folds of all parts, whatever their number, make the result of one run. Oracle: that
// run, and the number of folds.
func TestParts(t *testing.T) {
	want := encode(t, mustRun(t, small()))
	for _, parts := range []int{1, 2, 4, 6, 7} {
		var all []Fold
		for i := range parts {
			e := small()
			e.Progress = func(done, total int) {
				if total > (6+parts-1)/parts {
					t.Errorf("%d parts: part %d has %d folds of 6", parts, i, total)
				}
			}
			folds, err := e.RunPart(context.Background(), i, parts)
			if err != nil {
				t.Fatal(err)
			}
			all = append(folds, all...) // the last part first
		}
		if len(all) != 6 {
			t.Errorf("%d parts have %d folds, want 6", parts, len(all))
		}
		r, err := small().Merge(append(all, all[0]))
		if err != nil {
			t.Fatal(err)
		}
		if got := encode(t, r); got != want {
			t.Errorf("%d parts: %s\none: %s", parts, got, want)
		}
	}
}

func TestPartsErrors(t *testing.T) {
	for _, c := range [][2]int{{-1, 2}, {2, 2}, {0, 0}, {0, -1}} {
		if _, err := small().RunPart(context.Background(), c[0], c[1]); !errors.Is(err, mlcore.ErrConfig) {
			t.Errorf("part %d of %d: %v", c[0], c[1], err)
		}
	}
	folds, err := small().RunPart(context.Background(), 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	other := folds[0]
	other.Right = maps.Clone(other.Right)
	other.Right[ID3]--
	afar := folds[0]
	afar.Fold = 3
	for _, c := range []struct {
		name, says string
		folds      []Fold
	}{
		{"none", "6 of 6 folds are missing, the first of them car, repeat 0, fold 0", nil},
		{"one missing", "1 of 6 folds are missing, the first of them car, repeat 0, fold 1", slices.Delete(slices.Clone(folds), 1, 2)},
		{"twice, other numbers", "two different results of car, repeat 0, fold 0", append(slices.Clone(folds), other)},
		{"a fold that there is not", "none of this experiment", append(slices.Clone(folds), afar)},
	} {
		if _, err := small().Merge(c.folds); !errors.Is(err, mlcore.ErrConfig) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	nothing := small()
	nothing.Only = func(Set, Algorithm) bool { return false }
	if _, err := nothing.Merge(nil); !errors.Is(err, mlcore.ErrConfig) {
		t.Errorf("nothing to run: %v", err)
	}
}

func TestMeanSD(t *testing.T) {
	for _, tc := range []struct {
		v        []float64
		mean, sd float64
	}{
		{[]float64{80}, 80, 0},
		{[]float64{2, 4, 4, 4, 5, 5, 7, 9}, 5, math.Sqrt(32. / 7)},
	} {
		if mean, sd := meanSD(tc.v); mean != tc.mean || math.Abs(sd-tc.sd) > 1e-15 {
			t.Errorf("%v: %v ± %v, want %v ± %v", tc.v, mean, sd, tc.mean, tc.sd)
		}
	}
}

package uci

import (
	"slices"
	"strings"
	"testing"
)

func committedRuns(t *testing.T) *Runs {
	t.Helper()
	runs, err := Committed()
	if err != nil {
		t.Fatal(err)
	}
	return runs
}

// cell is one of two cuts, each with these five accuracies; the second is moved.
func cell(moved float64, five ...float64) Cell {
	c := Cell{Accuracies: slices.Clone(five)}
	for _, a := range five {
		c.Accuracies = append(c.Accuracies, a+moved)
	}
	c.Mean, c.SD = meanSD(c.Accuracies)
	return c
}

// Oracle: tables of Student's t. The cuts have the means 70 and 72, s = √2, and t with one
// degree of freedom is 12.7062: 71 ± 12.7062·√2·√1.5 = 71 ± 22.0078.
func TestNearIsAPredictionInterval(t *testing.T) {
	c := cell(2, 69, 70, 70, 70, 71)
	for _, tc := range []struct {
		mean float64
		want bool
	}{{93, true}, {93.01, false}, {49, true}, {48.99, false}} {
		if got := c.Near(tc.mean); got != tc.want {
			t.Errorf("%v: %v", tc.mean, got)
		}
	}
	if one := (Cell{Mean: 100, Accuracies: []float64{100, 100, 100, 100, 100}}); !one.Near(100) || one.Near(99.99) {
		t.Error("one cut is near to no mean but its own")
	}
}

// Oracle: tables of F with 4 and 8 degrees of freedom: 5.0526 and 1/8.9796. The variance
// within the cuts is 0.5; five numbers of variance v have, written ten times, 40v/49.
func TestNearSDIsAnFTest(t *testing.T) {
	c := cell(2, 69, 70, 70, 70, 71)
	for _, tc := range []struct {
		sd   float64
		want bool
	}{{1.4359, true}, {1.4363, false}, {0.2133, true}, {0.2131, false}} {
		if got := c.NearSD(tc.sd); got != tc.want {
			t.Errorf("%v: %v", tc.sd, got)
		}
	}
	if all := cell(0, 100, 100, 100, 100, 100); !all.NearSD(0) || all.NearSD(0.1) {
		t.Error("without spread only 0 is near")
	}
}

// The kinds of Table 2, cell by cell; 28 of 30 are exact, or near with nothing or one thing
// free.
func TestAudit(t *testing.T) {
	const e, n, f, x = Exact, Near, NearFree, NotFound
	want := map[Algorithm][]Kind{ // C B E M L
		ID3:              {f, n, n, e, n},
		RandomForest:     {f, f, f, e, f},
		AdaBoost:         {f, n, f, e, f}, // B by cross-validated rounds
		NaiveBayes:       {e, e, n, f, f}, // E as stated
		BaggedNaiveBayes: {x, f, f, f, f},
		KNN:              {e, f, f, e, f},
	}
	list := committedRuns(t).Audit()
	good := 0
	for i, found := range list {
		k := want[found.Row][i%5]
		if found.Row != Rows()[i/5] || found.Set != Sets()[i%5] || found.Kind != k {
			t.Errorf("%s/%s: %v by %q (%.3f, the report %.3f); want %v", found.Set, found.Row, found.Kind, found.Reading, found.Cell.Mean, found.Said.Mean, k)
		}
		if found.Kind == Exact || found.Kind != NotFound && len(found.Free) <= 1 {
			good++
		}
	}
	counts := CountKinds(list)
	if len(list) != 30 || counts != [4]int{7, 5, 17, 1} || good != 28 {
		t.Errorf("%d cells, %v by kind, %d of them exact or near with at most one thing free", len(list), counts, good)
	}
}

// The kinds of Tables 4 and 3. In Table 3 the deviation of bagged naive Bayes on Letter is
// that of means.
func TestAuditOfTheOtherTables(t *testing.T) {
	runs := committedRuns(t)
	if got := CountKinds(runs.AuditDistances()); got != [4]int{2, 0, 7, 0} {
		t.Errorf("Table 4: %v", got)
	}
	if got := CountKinds(runs.AuditSDs()); got != [4]int{7, 5, 17, 1} {
		t.Errorf("Table 3: %v", got)
	}
	for _, f := range runs.AuditSDs() {
		if means := slices.Contains(f.Free, freeMeans); means != (f.Set == Letter && f.Row == BaggedNaiveBayes) {
			t.Errorf("%s/%s: of means: %v", f.Set, f.Row, means)
		}
	}
}

// A cell is of another kind without its variant, and where the variant gives what the
// stated settings give.
func TestAuditDependsOnVariants(t *testing.T) {
	runs := committedRuns(t)
	for _, tc := range []struct {
		variant string
		row     Algorithm
		want    Kind
	}{
		{"C/ID3/unseen-last", ID3, NotFound},
		{"E/RF/sees-test", RandomForest, NotFound},
		{"M/AB/file-order", AdaBoost, NearFree},
		{"C/NB/skip-last", NaiveBayes, NotFound},
		{"B/NB/skip-last", NaiveBayes, Near},
		{"M/NB/skip-last", NaiveBayes, NotFound},
		{"L/NB/skip-last", NaiveBayes, NotFound},
		{"C/kNN-D3/file-order", KNN, NotFound},
	} {
		v, err := VariantCalled(tc.variant)
		if err != nil {
			t.Fatal(err)
		}
		kind := func(change func(map[string]Cell)) Kind {
			changed := Runs{Stated: runs.Stated, Variants: map[string]Cell{}}
			for name, c := range runs.Variants {
				changed.Variants[name] = c
			}
			change(changed.Variants)
			for _, f := range changed.Audit() {
				if f.Set == v.Set && f.Row == tc.row {
					return f.Kind
				}
			}
			return -1
		}
		plain, _ := runs.Stated.Cell(v.Set, tc.row)
		without := kind(func(m map[string]Cell) { delete(m, v.Name) })
		with := kind(func(m map[string]Cell) { m[v.Name] = plain })
		if without != tc.want || with != tc.want {
			t.Errorf("%s: %v without the variant, %v with the stated cell in its place; want %v", v.Name, without, with, tc.want)
		}
	}
}

// Far tells of cells that a run misses, and nothing of a run that cannot tell.
func TestFar(t *testing.T) {
	runs := committedRuns(t)
	var far []string
	for _, f := range runs.Stated.Far(runs.Audit()) {
		far = append(far, string(f.Set)+"/"+string(f.Row))
	}
	if got := strings.Join(far, " "); !strings.Contains(got, "C/NB") || strings.Contains(got, "M/ID3") {
		t.Errorf("far: %s", got)
	}
	once := &Result{Folds: 5, Repeats: 1, Cells: runs.Stated.Cells}
	if len(once.Far(runs.Audit())) != 0 {
		t.Error("a single repeat cannot tell")
	}
}

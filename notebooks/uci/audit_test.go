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

// countKinds counts findings by kind.
func countKinds(list []Finding) (counts [NotFound + 1]int) {
	for _, f := range list {
		counts[f.Kind]++
	}
	return counts
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
		if got := c.nearSD(tc.sd); got != tc.want {
			t.Errorf("%v: %v", tc.sd, got)
		}
	}
	if all := cell(0, 100, 100, 100, 100, 100); !all.nearSD(0) || all.nearSD(0.1) {
		t.Error("without spread only 0 is near")
	}
}

// The kinds of Table 2, cell by cell, and the base rates: in 8 of the 21 near cells at least
// half of the alternatives are near.
func TestAudit(t *testing.T) {
	const e, n, f, x = Exact, Near, NearFree, NotFound
	want := map[Algorithm][]Kind{ // C B E M L
		ID3:              {f, n, n, e, n},
		RandomForest:     {f, f, f, e, f},
		AdaBoost:         {f, n, f, e, f}, // B by cross-validated rounds
		NaiveBayes:       {e, e, f, f, f}, // all without the last attribute
		BaggedNaiveBayes: {x, f, f, x, f},
		KNN:              {e, f, f, e, f},
	}
	list := committedRuns(t).Audit()
	near, easy := 0, 0
	for i, found := range list {
		k := want[found.Row][i%5]
		if found.Row != Rows()[i/5] || found.Set != Sets()[i%5] || found.Kind != k {
			t.Errorf("%s/%s: %v by %q (%.3f, the report %.3f); want %v", found.Set, found.Row, found.Kind, found.Reading, found.Cell.Mean, found.Said.Mean, k)
		}
		if found.Kind == Near || found.Kind == NearFree {
			near++
			if 2*found.Base.Near >= found.Base.Of {
				easy++
			}
		}
		if (found.AsGood() == 0) != (found.Set == Mushroom && found.Row == BaggedNaiveBayes) {
			t.Errorf("%s/%s: %+v: the reading itself is one of the alternatives", found.Set, found.Row, found.Base)
		}
	}
	counts := countKinds(list)
	if len(list) != 30 || counts != [4]int{7, 4, 17, 2} || near != 21 || easy != 8 {
		t.Errorf("%d cells, %v by kind, %d near, %d of them easily", len(list), counts, near, easy)
	}
}

// The kinds of Tables 4 and 3. In Table 3 the deviation of bagged naive Bayes on Letter is
// that of means.
func TestAuditOfTheOtherTables(t *testing.T) {
	runs := committedRuns(t)
	if got := countKinds(runs.AuditDistances()); got != [4]int{2, 0, 7, 0} {
		t.Errorf("Table 4: %v", got)
	}
	if got := countKinds(runs.AuditSDs()); got != [4]int{7, 4, 18, 1} {
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
		variant       string
		row           Algorithm
		without, with Kind
	}{
		{"C/ID3/unseen-last", ID3, NotFound, NotFound},
		{"E/RF/sees-test", RandomForest, NotFound, NotFound},
		{"M/AB/file-order", AdaBoost, NearFree, NearFree},
		{"C/NB/skip-last", NaiveBayes, NotFound, NotFound},
		{"B/NB/skip-last", NaiveBayes, Near, NearFree},
		{"M/NB/skip-last", NaiveBayes, NotFound, NotFound},
		{"L/NB/skip-last", NaiveBayes, NotFound, NotFound},
		{"C/kNN-D3/file-order", KNN, NotFound, NotFound},
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
		if without != tc.without || with != tc.with {
			t.Errorf("%s: %v without the variant, %v with the stated cell in its place; want %v and %v", v.Name, without, with, tc.without, tc.with)
		}
	}
}

// Naive Bayes with all attributes is refuted where other readings fit, so that it counts on
// no set. Oracle of the kinds in the other case: the audit with it, which had 5 near with
// nothing free and 1 not found.
func TestRefutedReadingsDoNotCount(t *testing.T) {
	runs := committedRuns(t)
	for _, row := range Rows() {
		for _, s := range Sets() {
			trials := runs.Trials(s, row)
			bayesian := row == NaiveBayes || row == BaggedNaiveBayes
			if trials[0].Variant != "" || trials[0].Refuted != bayesian {
				t.Errorf("%s/%s: %+v", s, row, trials[0])
			}
			if f := runs.Find(s, row); bayesian && f.Variant == "" {
				t.Errorf("%s/%s is found by %q", s, row, f.Reading)
			}
		}
	}
	for cell, want := range map[Algorithm]Kind{NaiveBayes: Near, BaggedNaiveBayes: NearFree} {
		s := map[Algorithm]Set{NaiveBayes: Ecoli, BaggedNaiveBayes: Mushroom}[cell]
		if got := runs.Trials(s, cell)[0].Kind; got != want {
			t.Errorf("%s/%s with all attributes: %v, want %v", s, cell, got, want)
		}
	}
}

// What repeats a cell, and the table of the audit.
func TestAuditTable(t *testing.T) {
	runs := committedRuns(t)
	list := []Finding{runs.Find(Car, NaiveBayes), runs.Find(Breast, ID3), runs.Find(Ecoli, KNNSquared)}
	table := AuditTable(list)
	for i, want := range []string{"C/NB/skip-last 61.68 61.68 exact 1 of 14", "B/ID3 92.95 93.46 near, nothing free 2 of 4", "E/kNN-D1/k3 84.18 85.06 near, a setting free 9 of 15"} {
		if got := strings.Join(table[i+1][:5], " "); got != want {
			t.Errorf("%q, want %q", got, want)
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

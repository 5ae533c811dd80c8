package uci

import (
	"context"
	"encoding/json"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/mlcore"
)

// The committed comparisons are what the code computes: Ecoli's, and without -short Breast's.
// With -update those of all sets are computed, which takes minutes, and written.
func TestCommittedComparisons(t *testing.T) {
	var all []familyScore
	for _, s := range Sets() {
		if !*update && s != Ecoli && (testing.Short() || s != Breast) {
			continue
		}
		load(t, s)
		began := time.Now()
		scores, err := compareFamilies(context.Background(), s, 1)
		if err != nil {
			t.Fatal(err)
		}
		t.Log(s, time.Since(began).Round(time.Second))
		all = append(all, scores...)
	}
	if *update {
		data, err := json.MarshalIndent(all, "", " ")
		if err == nil {
			err = os.WriteFile("comparisons.json", append(data, '\n'), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := familyScores()
	if err != nil {
		t.Fatal(err)
	}
	kept := map[[2]string]familyScore{}
	for _, s := range want {
		kept[[2]string{string(s.Set), s.Family}] = s
	}
	for _, s := range all {
		if !reflect.DeepEqual(s, kept[[2]string{string(s.Set), s.Family}]) {
			t.Errorf("%s on %s: %+v; comparisons.json has %+v", s.Family, s.Set, s, kept[[2]string{string(s.Set), s.Family}])
		}
	}
}

// Less than a millionth added to the counts changes nothing on Mushroom's rows of the
// comparison, and a ten-thousandth does: the list of notebook 4b is long enough.
func TestSmoothingOfMushroomIsSmallEnough(t *testing.T) {
	load(t, Mushroom)
	ds, err := Mushroom.Load()
	if err != nil {
		t.Fatal(err)
	}
	ds = ds.Subset(mlcore.NewRand(1, Mushroom.number()).Perm(ds.Len())[:mostRows])
	right := map[string]int{}
	for r := range compareRepeats {
		folds, err := Experiment{Seed: 1}.Split(Mushroom, ds, r)
		if err != nil {
			t.Fatal(err)
		}
		for _, rows := range folds.All() {
			p, err := Mushroom.Prepare(ds, rows)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range bayesian(Mushroom) {
				n, err := rightOf(c.Learn, p.Categories)
				if err != nil {
					t.Fatal(err)
				}
				right[c.Name] += n[0]
			}
		}
	}
	least := right["count + 1e-06"]
	if right["count + 1e-08"] != least || right["count + 1e-10"] != least || right["count + 0.0001"] >= least {
		t.Errorf("right answers: %v", right)
	}
}

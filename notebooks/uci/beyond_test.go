package uci

import (
	"context"
	"encoding/json"
	"os"
	"reflect"
	"testing"
	"time"
)

// The committed comparisons are what the code computes: Ecoli's, and without -short Breast's.
// With -update those of all sets are computed, which takes minutes, and written.
func TestCommittedComparisons(t *testing.T) {
	var all []Score
	for _, s := range Sets() {
		if !*update && s != Ecoli && (testing.Short() || s != Breast) {
			continue
		}
		load(t, s)
		began := time.Now()
		scores, err := CompareFamilies(context.Background(), s, 1)
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
	want, err := Comparisons()
	if err != nil {
		t.Fatal(err)
	}
	kept := map[[2]string]Score{}
	for _, s := range want {
		kept[[2]string{string(s.Set), s.Family}] = s
	}
	for _, s := range all {
		if !reflect.DeepEqual(s, kept[[2]string{string(s.Set), s.Family}]) {
			t.Errorf("%s on %s: %+v; comparisons.json has %+v", s.Family, s.Set, s, kept[[2]string{string(s.Set), s.Family}])
		}
	}
}

//go:build !purego

package cart

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
)

// The oracle is the plain twin: both leave the same bits.
func TestBatchTwins(t *testing.T) {
	if !useVectors {
		t.Skip("needs a processor with AVX2")
	}
	defer func() { useVectors = true }()
	rng := mlcore.NewRand(9)
	fast, plain := new(batch), new(batch)
	for trial := range 2000 {
		n, codes, classes := 1+rng.IntN(40), 1+rng.IntN(batchCodes), 1+rng.IntN(batchClasses)
		byRow, rows, present, weight := batchNode(rng, n, codes, classes, trial%2 == 0)
		feats := []int{4, 1, 0, 3}[:1+trial%batchSize]
		fast.enter(present)
		plain.enter(present)
		useVectors = true
		populated := fast.fill(byRow, rows, feats)
		if want := plain.fillPlain(byRow, rows, feats); populated != want || !sameBatch(fast, plain) {
			t.Fatalf("trial %d: the histograms differ", trial)
		}
		for k := range feats {
			a := scan{tol: tolerance * float64(weight), score: math.Inf(-1), least: 1 + rng.Int64N(3)}
			b := a
			fast.scan(&a, k, populated[k], len(present))
			plain.scanPlain(&b, k, populated[k], len(present))
			if a != b {
				t.Fatalf("trial %d, feature %d: %+v, the twin's %+v", trial, k, a, b)
			}
		}
		if !sameBatch(fast, plain) {
			t.Fatalf("trial %d: the cells differ after the scan", trial)
		}
		var (
			drawn  [batchSize]int
			bounds uint64
		)
		for f := range drawn { // a bound of 0 stands for none, 256 has every code on the left
			drawn[f] = rng.IntN(5)
			bounds |= uint64(rng.IntN(codes+1)+trial%9/8*(256-codes)) << (f * laneBits)
		}
		fast.divisions[1].room(n)
		plain.divisions[1].room(n)
		for _, single := range []bool{false, true} {
			if single {
				for p, it := range rows {
					rows[p] = newItem(it.place(), 1, int32(it.class()))
				}
			}
			got := fast.try(&fast.divisions[1], byRow, rows, &drawn, bounds, len(present), int32(weight), single)
			want := plain.tryPlain(&plain.divisions[1], byRow, rows, &drawn, bounds, len(present), int32(weight))
			if !sameTrial(got, want) || !sameBatch(fast, plain) {
				t.Fatalf("trial %d, single %v: under %#x %+v, the twin's %+v", trial, single, bounds, got, want)
			}
		}
	}
}

func sameBatch(a, b *batch) bool {
	for k := range a.divisions {
		if a.divisions[k].lefts != b.divisions[k].lefts || !slices.Equal(a.divisions[k].marks, b.divisions[k].marks) {
			return false
		}
	}
	return a.places == b.places && a.counts == b.counts && a.cells == b.cells && a.sides == b.sides
}

// sameTrial compares bits: where a side is empty scores are no numbers.
func sameTrial(a, b trial) bool {
	for f := range a.score {
		if math.Float64bits(a.score[f]) != math.Float64bits(b.score[f]) && !(math.IsNaN(a.score[f]) && math.IsNaN(b.score[f])) {
			return false
		}
	}
	return a.weight == b.weight
}

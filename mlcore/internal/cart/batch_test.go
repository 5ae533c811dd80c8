package cart

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
)

// batchNode makes a node of so many rows, codes and classes over five features, whose
// weights sum to less than batchWeight, or to almost that where heavy.
func batchNode(rng *rand.Rand, n, codes, classes int, heavy bool) (byRow []uint8, rows []item, present []classCount, weight int64) {
	const d = 5
	byRow = make([]uint8, n*d+ranks.Pad)
	for i := range n * d {
		byRow[i] = uint8(rng.IntN(1 + rng.IntN(codes)))
	}
	ids, sum := rng.Perm(countableClasses)[:classes], make(map[int]int32)
	for i := range n {
		copies := int32(1 + rng.IntN(3))
		if most := int64(batchWeight) - 1 - weight - 3*int64(n-i-1); heavy && i == n-1 || int64(copies) > most {
			copies = int32(most)
		}
		class := ids[rng.IntN(classes)]
		rows = append(rows, newItem(i*d, copies, int32(class)))
		sum[class] += copies
		weight += int64(copies)
	}
	for class := range countableClasses {
		if sum[class] > 0 {
			present = append(present, classCount{int32(class), sum[class]})
		}
	}
	rng.Shuffle(n, func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	return byRow, rows, present, weight
}

// The oracle counts each side of every threshold anew, from the rows, and takes the
// first of those whose score exceeds the best before it by more than the tolerance.
func TestBatch(t *testing.T) {
	rng := mlcore.NewRand(3)
	b := new(batch)
	for trial := range 600 {
		n, codes := 1+rng.IntN(60), 1+rng.IntN(batchCodes)
		if trial%3 == 0 {
			n = 2000
		}
		byRow, rows, present, weight := batchNode(rng, n, codes, 1+rng.IntN(batchClasses), trial%2 == 0)
		if weight >= batchWeight {
			t.Fatal("not a node for a batch")
		}
		feats := rng.Perm(5)[:1+rng.IntN(batchSize)]
		c := &countSplitter{countCriterion: countCriterion{present: present, weight: weight, minW: float64(rng.IntN(4)) * float64(weight) / 9, tol: tolerance * float64(weight)}}
		if trial%5 == 0 {
			c.tol = 0.3 * float64(weight) // only much better ones replace the best
		}
		b.enter(present)
		populated := b.fill(byRow, rows, feats)
		for k, j := range feats {
			var got split
			c.scanFeature(&got, b, k, j, populated[k])
			if want := byDefinition(c, byRow, rows, j); !reflect.DeepEqual(got, want) {
				t.Fatalf("trial %d, feature %d of %d rows: %+v, want %+v", trial, j, n, got, want)
			}
		}
		if b.cells != new(batch).cells {
			t.Fatalf("trial %d: cells are left", trial)
		}
	}
}

// byDefinition is what a search of feature j of the current node finds.
func byDefinition(c *countSplitter, byRow []uint8, rows []item, j int) split {
	best := constantSplit
	seen := [256]bool{}
	for _, it := range rows {
		seen[byRow[it.place()+j]] = true
		best.constant = best.constant && byRow[it.place()+j] == byRow[rows[0].place()+j]
	}
	for last := range 255 {
		next := last + 1
		for next < 255 && !seen[next] {
			next++
		}
		if !seen[last] || !seen[next] {
			continue
		}
		var side [2][256]int64
		for _, it := range rows {
			right := 0
			if int(byRow[it.place()+j]) > last {
				right = 1
			}
			side[right][it.class()] += int64(it.copies())
		}
		var w, squares [2]int64
		for s := range side {
			for _, n := range side[s] {
				w[s] += n
				squares[s] += n * n
			}
		}
		wl, wr := float64(w[0]), float64(w[1])
		if score := float64(squares[0])/wl + float64(squares[1])/wr; wl >= c.minW && wr >= c.minW && score > best.gain+c.tol {
			best.feature, best.last, best.next, best.wl, best.gain = int32(j), uint32(last), uint32(next), wl, score
		}
	}
	return best
}

func BenchmarkBatch(b *testing.B) {
	for _, bc := range []struct{ rows, codes, classes int }{{6, 16, 2}, {40, 16, 4}, {300, 16, 12}, {3000, 16, 26}, {3000, 64, 2}} {
		byRow, rows, present, weight := batchNode(mlcore.NewRand(1), bc.rows, bc.codes, bc.classes, false)
		c, s, feats := &countSplitter{countCriterion: countCriterion{present: present, weight: weight, minW: 1, tol: 1e-9}}, new(batch), []int{0, 1, 2, 4}
		var found split
		b.Run(fmt.Sprintf("%d rows, %d codes, %d classes", bc.rows, bc.codes, bc.classes), func(b *testing.B) {
			for b.Loop() {
				s.enter(present)
				populated := s.fill(byRow, rows, feats)
				for k, j := range feats {
					c.scanFeature(&found, s, k, j, populated[k])
				}
			}
		})
	}
}

func BenchmarkTry(b *testing.B) {
	for _, bc := range []struct {
		rows, classes int
		single        bool
	}{{6, 2, false}, {40, 4, false}, {3000, 26, false}, {6, 2, true}, {40, 4, true}, {3000, 26, true}} {
		byRow, rows, present, weight := batchNode(mlcore.NewRand(1), bc.rows, 16, bc.classes, false)
		s := new(batch)
		s.enter(present)
		s.divisions[0].room(len(rows))
		b.Run(fmt.Sprintf("%d rows, %d classes, single %v", bc.rows, bc.classes, bc.single), func(b *testing.B) {
			for b.Loop() {
				s.try(&s.divisions[0], byRow, rows, &[batchSize]int{0, 1, 2, 4}, uint64(0x0006_0005_0004_0003), len(present), int32(weight), bc.single)
			}
		})
	}
}

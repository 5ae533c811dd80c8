package cart

import (
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
)

// The oracle is the definition: rows with codes up to last, and no others, are in
// front, none is lost, and their weights are counted.
func TestMoveLeft(t *testing.T) {
	rng := mlcore.NewRand(4)
	for trial := range 500 {
		n, bins := 1+rng.IntN(40), 1+rng.IntN(256)
		codes, last := make([]uint8, 3*n), uint8(rng.IntN(bins))
		for i := range codes {
			codes[i] = uint8(rng.IntN(bins))
		}
		rows := make([]item, n)
		for p, i := range rng.Perm(n) {
			rows[p] = newItem(3*i, int32(rng.IntN(countedCopies)>>rng.IntN(24)), int32(rng.IntN(countedClasses)))
		}
		for j := range 3 {
			counting := func(move func([]item, []uint8, uint8) int) func([]item, []uint8, uint8, *[countedClasses]int32) int {
				return func(rows []item, codes []uint8, last uint8, left *[countedClasses]int32) int {
					k := move(rows, codes, last)
					for _, it := range rows[:k] {
						left[it.class()] += it.copies()
					}
					return k
				}
			}
			for name, move := range map[string]func([]item, []uint8, uint8, *[countedClasses]int32) int{
				"countLeft": countLeft, "countLeft in Go": countLeftPlain,
				"moveLeft": counting(moveLeft), "moveLeft in Go": counting(moveLeftPlain),
			} {
				var left, want [countedClasses]int32
				left[7], want[7] = 1, 1 // added to what is there
				moved := slices.Clone(rows)
				k, front := move(moved, codes[j:], last, &left), 0
				for _, it := range rows {
					if codes[it.place()+j] <= last {
						want[it.class()] += it.copies()
						front++
					}
				}
				for p, it := range moved {
					if goes := codes[it.place()+j] <= last; goes != (p < front) {
						t.Fatalf("%s, trial %d: row %d of %d, %d of which go left, goes left: %v", name, trial, p, n, front, goes)
					}
				}
				slices.Sort(moved)
				if k != front || left != want || !slices.Equal(moved, slices.Sorted(slices.Values(rows))) {
					t.Fatalf("%s, trial %d: %d go left, want %d; %v, want %v", name, trial, k, front, left, want)
				}
			}
		}
	}
}

func BenchmarkMoveLeft(b *testing.B) {
	byRow, rows, _, _ := batchNode(mlcore.NewRand(1), 3000, 16, 26, false)
	var left [countedClasses]int32
	for b.Loop() {
		countLeft(rows, byRow, 4, &left)
	}
}

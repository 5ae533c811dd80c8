package cart

import (
	"math"
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
			rows[p] = newItem(3*i, int32(rng.IntN(countableCopies)>>rng.IntN(24)), int32(rng.IntN(countableClasses)))
		}
		for j := range 3 {
			for name, move := range map[string]func([]item, []uint8, uint8, *[countableClasses]int32) int{"moveLeft": moveLeft} {
				var left, want [countableClasses]int32
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

// The oracle is the definition: rows that are marked, and no others, are in front, none
// is lost, and what is behind the rows stays.
func TestMoveMarked(t *testing.T) {
	rng := mlcore.NewRand(5)
	for trial := range 1000 {
		n, bit, odds := 1+rng.IntN(40), 2*rng.IntN(batchSize), rng.IntN(4)
		rows, marks := make([]item, n+markGroup), make([]uint8, n+markGroup)
		goes := make(map[item]bool)
		for p := range rows {
			rows[p], marks[p] = newItem(p, int32(rng.IntN(countableCopies)), int32(rng.IntN(countableClasses))), math.MaxUint8
			if p < n {
				marks[p] = uint8(rng.Uint32())
				if rng.IntN(3) < odds {
					marks[p] |= 1 << bit
				} else {
					marks[p] &^= 1 << bit
				}
				goes[rows[p]] = marks[p]>>bit&1 != 0
			}
		}
		for name, move := range map[string]func([]item, []uint8, int) int{
			"moveMarked": func(rows []item, marks []uint8, bit int) int {
				return moveMarked(rows, marks, bit, make([]item, n+2*markGroup))
			},
			"plain": moveMarkedPlain,
		} {
			moved := slices.Clone(rows)
			k := move(moved[:n], marks, bit)
			for p, it := range moved[:n] {
				if goes[it] != (p < k) {
					t.Fatalf("%s, trial %d: row %d of %d, %d in front, goes left: %v", name, trial, p, n, k, goes[it])
				}
			}
			slices.Sort(moved[:n])
			want := append(slices.Sorted(slices.Values(rows[:n])), rows[n:]...)
			if !slices.Equal(moved, want) {
				t.Fatalf("%s, trial %d: %v, want %v in any order", name, trial, moved, want)
			}
		}
	}
}

func BenchmarkMoveMarked(b *testing.B) {
	_, rows, _, _ := batchNode(mlcore.NewRand(1), 3000, 16, 26, false)
	marks, spare := make([]uint8, len(rows)+markGroup), make([]item, len(rows)+2*markGroup)
	for p := range marks {
		marks[p] = uint8(p * p / 7)
	}
	for b.Loop() {
		moveMarked(rows[:2900], marks, 2, spare)
	}
}

func BenchmarkMoveLeft(b *testing.B) {
	byRow, rows, _, _ := batchNode(mlcore.NewRand(1), 3000, 16, 26, false)
	var left [countableClasses]int32
	for b.Loop() {
		moveLeft(rows, byRow, 4, &left)
	}
}

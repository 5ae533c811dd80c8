package histtree

import (
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
)

// TestSortSides compares the sides with those that two passes with a branch find.
func TestSortSides(t *testing.T) {
	rng := mlcore.NewRand(4)
	codes := make([]uint8, 3000)
	for i := range codes {
		codes[i] = uint8(rng.IntN(256))
	}
	for trial := range 400 {
		n := trial % 40
		if trial%5 == 0 {
			n = rng.IntN(2000)
		}
		var goesRight [256]uint8
		for c := range goesRight {
			switch share := trial % 3; {
			case share == 0, share == 1 && rng.IntN(2) == 0:
				goesRight[c] = 1
			}
		}
		rows := make([]int32, n)
		var wantLeft, wantRight []int32
		for k := range rows {
			rows[k] = int32(rng.IntN(len(codes)))
			if goesRight[codes[rows[k]]] == 1 {
				wantRight = append(wantRight, rows[k])
			} else {
				wantLeft = append(wantLeft, rows[k])
			}
		}
		type sorter func(lefts, rights, rows []int32, codes []uint8, goesRight *[256]uint8) int
		for name, sort := range map[string]sorter{"sortSides": sortSides, "sides": sides} {
			for _, inPlace := range []bool{false, true} {
				given := slices.Clone(rows)
				lefts, rights := make([]int32, n+1), make([]int32, n+1)
				lefts[n], rights[n] = -1, -1 // not to be touched
				if inPlace {
					lefts = append(given, -1)
					given = lefts[:n]
				}
				stay := sort(lefts[:n], rights[:n], given, codes, &goesRight)
				if stay != len(wantLeft) || !slices.Equal(lefts[:stay], wantLeft) || !slices.Equal(rights[:n-stay], wantRight) {
					t.Errorf("%s, %d rows, in place %v: %d go left, want %d, or others", name, n, inPlace, stay, len(wantLeft))
				}
				if lefts[n] != -1 || rights[n] != -1 {
					t.Errorf("%s, %d rows: written beyond the end", name, n)
				}
			}
		}
	}
}

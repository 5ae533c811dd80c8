package svm

import (
	"slices"
	"testing"
)

// TestRowCache fills rows with numbers that tell row and column, narrows the cache again
// and again, and looks for them: with room for all rows and for few, in one piece of
// memory and in several, used before or not.
func TestRowCache(t *testing.T) {
	used := [][]float64{make([]float64, 3), make([]float64, 2*pieceLength)}
	for i := range used[1] {
		used[1][i] = -1
	}
	for _, tc := range []struct {
		name     string
		n, slots int
		memory   [][]float64
		pieces   int // once all slots are claimed
	}{
		{"one row", 1, 2, nil, 1},
		{"small", 10, 10, nil, 1},
		{"small, few slots", 10, 3, used, 1},
		{"several pieces", 900, 1100, nil, 7}, // of 145 rows
		{"several pieces, just room for all rows", 900, 900, nil, 6},
		{"several pieces, few slots", 900, 300, nil, 2},
		{"several pieces, used memory", 900, 300, used, 2},
		{"long rows", pieceLength / 4, 20, nil, 2}, // eight rows each
		{"no room", 5000, 0, nil, 1},
	} {
		c := newRowCache(tc.n, 8*tc.n*tc.slots, tc.memory)
		real := make([]int32, tc.n) // the number in the beginning of each position
		for p := range real {
			real[p] = int32(p)
		}
		value := func(r, c int32) float64 { return float64(r)*float64(tc.n) + float64(c) }
		latest := map[int32]bool{} // rows that the cache should have
		for width := tc.n; width > 0; width /= 2 {
			for p := 0; p < width && p < 40; p++ {
				at := p * 7 % width
				row, filled := c.row(at)
				if len(row) != width || filled != latest[real[at]] {
					t.Fatalf("%s: row %d has %d values, want %d; filled %v, want %v", tc.name, at, len(row), width, filled, latest[real[at]])
				}
				for q := range row {
					if want := value(real[at], real[q]); filled && row[q] != want {
						t.Fatalf("%s: element %d of row %d of %d is %v, want %v", tc.name, q, at, width, row[q], want)
					}
					row[q] = value(real[at], real[q])
				}
				latest[real[at]] = true
				if len(latest) > len(c.owner) { // one had to make room
					clear(latest)
					for _, p := range c.owner {
						latest[real[p]] = true
					}
				}
			}
			if len(c.owner) > c.most*(c.length/c.width) {
				t.Errorf("%s: %d rows in room for %d", tc.name, len(c.owner), c.most*(c.length/c.width))
			}
			keep := make([]int32, 0, width)
			for p := range width {
				if p%2 == 1 {
					keep = append(keep, int32(p))
				}
			}
			if len(keep) == 0 {
				break
			}
			c.narrow(keep)
			for k, p := range keep {
				real[k] = real[p]
			}
			real = real[:len(keep)]
			for r := range latest {
				if !slices.Contains(real, r) {
					delete(latest, r)
				}
			}
		}
		c.reset(tc.n)
		for p := range tc.n {
			if p == 3*max(tc.slots, 2) {
				break
			}
			c.row(p)
		}
		if held := len(c.pieces) * c.length; held > max(tc.n*tc.slots, 2*tc.n) {
			t.Errorf("%s: %d values are held, %d are allowed", tc.name, held, tc.n*tc.slots)
		}
		if tc.n > 2 && len(c.pieces) != tc.pieces {
			t.Errorf("%s: %d pieces of memory, want %d", tc.name, len(c.pieces), tc.pieces)
		}
	}
}

package ensemble

import "testing"

// By hand: the trees of all outputs take turns of as many as there are workers; one tree
// after the other, grown by all, takes outputs / workers^(3/4) turns.
func TestTreesAtOnce(t *testing.T) {
	for _, tc := range []struct{ outputs, workers, want int }{
		{1, 1, 1}, {1, 16, 1}, {7, 1, 1},
		{2, 2, 2}, {3, 2, 1}, {4, 2, 2}, {26, 2, 2}, // 1 turn against 1.19, 2 against 1.78, 2 against 2.38
		{3, 4, 3}, {5, 4, 1}, {9, 4, 3}, // 1 against 1.06, 2 against 1.77, 3 against 3.18
		{7, 8, 7}, {20, 8, 7}, // 1 against 1.47, 3 against 4.2
		{3, 16, 1}, {10, 16, 10}, {26, 16, 13}, // 1 against .38, 1 against 1.25, 2 against 3.25
	} {
		if got := treesAtOnce(tc.outputs, tc.workers); got != tc.want {
			t.Errorf("%d outputs, %d workers: %d trees at once, want %d", tc.outputs, tc.workers, got, tc.want)
		}
	}
}

package given

import "testing"

// By hand, without rounding. Those of ±most lie farther apart than float64 goes.
func TestBetween(t *testing.T) {
	const most = 0x1p1023
	for _, tc := range []struct{ a, b, share, want float64 }{
		{2, 6, 0, 2},
		{2, 6, 0.25, 3},
		{2, 6, 1, 6},
		{-3, -3, 0.7, -3},
		{most / 2, most, 0.5, most / 4 * 3},
		// Their weighted sum would be a little off.
		{0.1, 0.1, 0.2, 0.1},
		{-most, most, 0, -most},
		{-most, most, 0.25, -most / 2},
		{-most, most, 0.5, 0},
		{-most, most, 1, most},
		{-most, most / 2, 0.5, -most / 4},
	} {
		if got := Between(tc.a, tc.b, tc.share); got != tc.want {
			t.Errorf("%v of the way from %v to %v is %v, want %v", tc.share, tc.a, tc.b, got, tc.want)
		}
	}
}

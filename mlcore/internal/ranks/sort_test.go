package ranks

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
)

// Oracle: slices.Sort. Zeros of both signs are equal, so values are compared, not bits.
func TestSort(t *testing.T) {
	rng := mlcore.NewRand(1)
	var room []uint64
	for _, n := range []int{0, 1, few - 1, few, 3000, 1000} {
		for kind := range 3 {
			v := make([]float64, n)
			for i := range v {
				switch kind {
				case 0:
					v[i] = math.Ldexp(rng.NormFloat64(), rng.IntN(2000)-1000)
				case 1:
					v[i] = float64(rng.IntN(5) - 2)
				default:
					v[i] = []float64{math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 5e-324, math.MaxFloat64}[rng.IntN(6)]
				}
			}
			want := slices.Sorted(slices.Values(v))
			room = Sort(v, room)
			if !slices.Equal(v, want) {
				t.Errorf("kind %d, %d values are not in order", kind, n)
			}
		}
	}
}

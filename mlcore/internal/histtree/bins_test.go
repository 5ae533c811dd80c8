package histtree

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
)

// TestCodeOfNumbers counts the limits below each value.
func TestCodeOfNumbers(t *testing.T) {
	rng := mlcore.NewRand(5)
	for name, draw := range map[string]func() float64{
		"normal":     rng.NormFloat64,
		"even":       rng.Float64,
		"skewed":     func() float64 { return math.Exp(20 * rng.NormFloat64()) },
		"outliers":   func() float64 { return rng.NormFloat64() / math.Pow(rng.Float64(), 8) },
		"enormous":   func() float64 { return (2*rng.Float64() - 1) * math.MaxFloat64 },
		"subnormal":  func() float64 { return float64(rng.IntN(100000)) * 0x1p-1074 },
		"whole":      func() float64 { return float64(rng.IntN(300)) },
		"two":        func() float64 { return float64(rng.IntN(2)) },
		"far":        func() float64 { return 1e15 + float64(rng.IntN(500)) },
		"both signs": func() float64 { return math.Copysign(float64(rng.IntN(3)), rng.Float64()-0.5) },
	} {
		for _, bins := range []int{2, 3, 20, 255} {
			values := make([]float64, 3000)
			for i := range values {
				if values[i] = draw(); values[i] != values[i] {
					values[i] = 0
				}
			}
			slices.Sort(values)
			limits := findLimits(values, bins)
			c := binning{bins: len(limits) + 1, limits: limits, ladder: ladder(limits), grid: newGrid(limits)}
			if c.grid == nil && name == "normal" && bins > 2 {
				t.Errorf("%s, %d bins: no grid", name, bins)
			}
			asked := append(slices.Clone(values), math.Inf(-1), math.Inf(1), 0, math.Copysign(0, -1), math.MaxFloat64, -math.MaxFloat64)
			for _, l := range limits {
				asked = append(asked, l, math.Nextafter(l, math.Inf(1)), math.Nextafter(l, math.Inf(-1)))
			}
			for _, v := range asked {
				want := 0
				for _, l := range limits {
					if l < v {
						want++
					}
				}
				if got := c.at(v); int(got) != want {
					t.Fatalf("%s, %d bins: %v has code %d, but %d of the limits are below it", name, bins, v, got, want)
				}
			}
			if got := c.at(math.NaN()); int(got) != c.bins {
				t.Errorf("%s: NaN has code %d of %d bins", name, got, c.bins)
			}
		}
	}
}

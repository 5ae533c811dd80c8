package plotx

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// steps is a tick marker with a label at every multiple of a round step (1, 2 or
// 5 times a power of ten) so that there are about five: gonum's default gives
// three.
type steps struct{}

func (steps) Ticks(lo, hi float64) []plot.Tick {
	if !(hi > lo) {
		return []plot.Tick{{Value: lo, Label: strconv.FormatFloat(lo, 'g', 4, 64)}}
	}
	power := math.Pow(10, math.Floor(math.Log10((hi-lo)/5)))
	step := power
	for _, m := range []float64{2, 5, 10} {
		if (hi-lo)/step > 6.5 {
			step = m * power
		}
	}
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	var ticks []plot.Tick
	for i := math.Ceil(lo/step - 1e-9); i*step <= hi+1e-9*step; i++ {
		v := i*step + 0 // + 0 turns a negative zero into 0
		label := strconv.FormatFloat(v, 'f', decimals, 64)
		if step >= 1e6 || step < 1e-5 {
			label = strconv.FormatFloat(v, 'g', 4, 64)
		}
		ticks = append(ticks, plot.Tick{Value: v, Label: label})
	}
	return ticks
}

// logScale is a logarithmic scale on which a value that has no logarithm lies far
// below the axis; gonum's panics.
type logScale struct{}

func (logScale) Normalize(lo, hi, x float64) float64 {
	switch {
	case !(lo > 0 && hi > lo):
		return (x - lo) / (hi - lo)
	case x <= 0:
		return -1000
	}
	return math.Log(x/lo) / math.Log(hi/lo)
}

// logTicks is a tick marker for [logScale]: labels at the powers of ten, over less
// than two of them at twice and five times each too, and short ticks between.
type logTicks struct{}

func (logTicks) Ticks(lo, hi float64) []plot.Tick {
	if !(lo > 0 && hi > lo) {
		return steps{}.Ticks(lo, hi)
	}
	few := math.Log10(hi/lo) < 2
	var ticks []plot.Tick
	for exponent := math.Floor(math.Log10(lo)); exponent <= math.Log10(hi); exponent++ {
		power := math.Pow(10, exponent)
		for m := 1.0; m < 10; m++ {
			v := float64(m * power)
			if v < lo*(1-1e-9) || v > hi*(1+1e-9) {
				continue
			}
			t := plot.Tick{Value: v}
			if m == 1 || few && (m == 2 || m == 5) {
				t.Label = strconv.FormatFloat(v, 'g', 4, 64)
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

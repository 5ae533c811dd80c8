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

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
	half := hi/2 - lo/2 // of the range, which may be more than a float64 holds
	power := math.Pow(10, math.Floor(math.Log10(half/2.5)))
	step := power
	for _, m := range []float64{2, 5, 10} {
		if half/step > 3.25 {
			step = m * power
		}
	}
	// Beyond are no multiples that float64 tells well apart, and below no exact steps.
	const countable, least = 1 << 50, 0x1p-1022
	largest := max(-lo, hi)
	if !(step >= least && largest/step <= countable) {
		return []plot.Tick{{Value: lo, Label: strconv.FormatFloat(lo, 'g', -1, 64)}, {Value: hi, Label: strconv.FormatFloat(hi, 'g', -1, 64)}}
	}
	place := math.Floor(math.Log10(step) + 1e-9)
	decimals := max(0, -int(place))
	digits := max(4, 1+int(math.Floor(math.Log10(largest)+1e-9)-place))
	var ticks []plot.Tick
	first, last := math.Ceil(lo/step-1e-9), math.Floor(hi/step+1e-9)
	for k := range int(last-first) + 1 { // seven at most
		v := float64((first+float64(k))*step) + 0 // + 0 turns a negative zero into 0
		label := strconv.FormatFloat(v, 'f', decimals, 64)
		if step >= 1e6 || step < 1e-5 {
			label = strconv.FormatFloat(v, 'g', digits, 64)
		}
		ticks = append(ticks, plot.Tick{Value: v, Label: label})
	}
	return ticks
}

// linear is gonum's linear scale for all ranges of float64: of one that is wider than the
// greatest number too, and for values that would lie endlessly far from the axis.
type linear struct{}

func (linear) Normalize(lo, hi, x float64) float64 {
	at := (x - lo) / (hi - lo)
	if math.IsInf(hi-lo, 0) {
		at = (x/2 - lo/2) / (hi/2 - lo/2)
	}
	return min(max(at, -far), far)
}

// far is how many lengths of an axis a value lies from it at most. That is outside of
// every picture, and lines keep their slopes.
const far = 1e6

// usual is the length below which an axis is unusual, and so is one above its reciprocal.
const usual = 1e-100

// bounded gives an axis our linear scale for gonum's. It is for unusual axes alone, because
// gonum warps a picture, such as that of a heat map, on any scale but its own.
func bounded(a *plot.Axis) {
	if _, ok := a.Scale.(plot.LinearScale); ok {
		a.Scale = linear{}
	}
}

// showable gives an axis a range that has a beginning, a length and an end.
func showable(a *plot.Axis) {
	if a.Min > a.Max || a.Min != a.Min || a.Max != a.Max {
		for _, end := range []*float64{&a.Min, &a.Max} {
			if *end-*end != 0 {
				*end = 0 // as gonum does with infinities, which an axis without data has
			}
		}
	}
	a.Min, a.Max = max(a.Min, -math.MaxFloat64), min(a.Max, math.MaxFloat64)
	if a.Min == a.Max && a.Min+1 == a.Min {
		// gonum would put the ends at a distance of 1.
		pad := math.Abs(a.Min) / 1e6
		a.Min, a.Max = max(a.Min-pad, -math.MaxFloat64), min(a.Max+pad, math.MaxFloat64)
	}
	if length := a.Max - a.Min; !(length > usual && length < 1/usual) {
		bounded(a)
	}
}

// between is the number at a share of the way from lo to hi.
func between(lo, hi, share float64) float64 {
	if math.IsInf(hi-lo, 0) {
		return float64(lo*(1-share)) + float64(hi*share)
	}
	return lo + float64(share*(hi-lo))
}

// logScale is a logarithmic scale on which a value that has no logarithm lies far
// below the axis; gonum's panics.
type logScale struct{}

func (logScale) Normalize(lo, hi, x float64) float64 {
	switch {
	case !(lo > 0 && hi > lo):
		return linear{}.Normalize(lo, hi, x)
	case x <= 0:
		return -1000
	}
	if hi/lo > math.MaxFloat64 {
		return (math.Log(x) - math.Log(lo)) / (math.Log(hi) - math.Log(lo))
	}
	return min(math.Log(x/lo)/math.Log(hi/lo), far)
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
	first, last := int(math.Floor(math.Log10(lo))), int(math.Floor(math.Log10(hi)))
	// Of many powers every second, third and so on has a tick, and none stands between.
	every := 1 + (last-first)/24
	for exponent := first; exponent <= last; exponent += every {
		power := math.Pow(10, float64(exponent))
		for m := 1.0; m < 10; m++ {
			v := float64(m * power)
			if v < lo*(1-1e-9) || v > min(hi*(1+1e-9), math.MaxFloat64) || m > 1 && every > 1 {
				continue
			}
			t := plot.Tick{Value: v}
			if m == 1 || few && (m == 2 || m == 5) {
				t.Label = strconv.FormatFloat(v, 'g', 4, 64)
			}
			ticks = append(ticks, t)
		}
	}
	if len(ticks) < 2 {
		return steps{}.Ticks(lo, hi)
	}
	return ticks
}

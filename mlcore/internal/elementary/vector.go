package elementary

// ExpEach replaces each element x by [Exp](x), to the same bits.
func ExpEach(x []float64) { each(x, expHead, Exp) }

// Log1pEach replaces each element x by [Log1p](x), to the same bits.
func Log1pEach(x []float64) { each(x, log1pHead, Log1p) }

// each replaces the elements by f of them. head does as many of the first ones as the
// assembly can, which stops before four of which one is out of its range.
func each(x []float64, head func([]float64) int, f func(float64) float64) {
	for len(x) > 0 {
		x = x[head(x):]
		few := x[:min(4, len(x))]
		for i, v := range few {
			few[i] = f(v)
		}
		x = x[len(few):]
	}
}

package elementary

// ExpEach replaces each element x by [Exp](x), to the same bits.
func ExpEach(x []float64) {
	for len(x) > 0 {
		// The assembly stops before four of which one is out of its range.
		x = x[expHead(x):]
		few := x[:min(4, len(x))]
		for i, v := range few {
			few[i] = exp(v, 0)
		}
		x = x[len(few):]
	}
}

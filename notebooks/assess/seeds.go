package assess

// Seeds is the values of y for the seeds 0 to n-1, for what depends on a random draw.
func Seeds(n int, y func(seed uint64) float64) []float64 {
	values := make([]float64, n)
	inParallel(n, func(i int) { values[i] = y(uint64(i)) })
	return values
}

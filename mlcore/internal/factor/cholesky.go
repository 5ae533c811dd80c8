package factor

import "math"

// Whitener returns the inverse W of the lower triangle L of a = L Lᵀ, n×n and
// row-major, with zeros above the diagonal; W a Wᵀ is the unit matrix. Only the
// lower triangle of a is read. Where rounding leaves nothing of a pivot, a is not
// positive definite, and the answer is nil.
func Whitener(a []float64, n int) []float64 {
	l, w := make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			sum := a[i*n+j]
			for k := range j {
				sum -= float64(l[i*n+k] * l[j*n+k])
			}
			if j < i {
				l[i*n+j] = sum / l[j*n+j]
				continue
			}
			if !(sum > float64(float64(n)*0x1p-52*a[i*n+i])) || math.IsInf(sum, 1) {
				return nil
			}
			l[i*n+i] = math.Sqrt(sum)
		}
	}
	// Row i of L W = 1, solved for row i of W.
	for i := range n {
		for j := range i + 1 {
			sum := 0.0
			if i == j {
				sum = 1
			}
			for k := j; k < i; k++ {
				sum -= float64(l[i*n+k] * w[k*n+j])
			}
			w[i*n+j] = sum / l[i*n+i]
		}
	}
	return w
}

// Package order finds the numbers that would stand at a place if numbers were sorted,
// without sorting all of them.
package order

// Partition puts the number that would stand at place k if v were sorted there, none that is
// greater before it and none that is less behind it (Hoare, 1961, "Algorithm 65: Find"). v
// holds no NaN.
func Partition(v []float64, k int) {
	lo, hi := 0, len(v)-1
	for lo < hi {
		// The median of three is the pivot: what is sorted stays cheap.
		a, b, c := v[lo], v[lo+(hi-lo)/2], v[hi]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := lo, hi
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for pivot < v[j] {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return
		}
	}
}

package co395

// Rest is the rows 0 to n-1 in order, without those of the given lists.
func Rest(n int, leave ...[]int) []int {
	out := make([]bool, n)
	for _, rows := range leave {
		for _, row := range rows {
			out[row] = true
		}
	}
	rest := make([]int, 0, n)
	for row := range n {
		if !out[row] {
			rest = append(rest, row)
		}
	}
	return rest
}

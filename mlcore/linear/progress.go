package linear

// An Iteration is what a progress callback is told after each.
type Iteration struct {
	// Number counts from 1.
	Number int
	// Loss is the objective, Measure what is compared with Tol.
	Loss, Measure float64
}

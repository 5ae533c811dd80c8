package svm

import "math"

const (
	couplingRounds    = 1000
	couplingTolerance = 1e-12
)

// couple turns the probabilities of pairs into one of each of the k classes.
// r[i*k+j] is P(i | i or j), strictly between 0 and 1. It minimises
// Σ_i Σ_j≠i (r_ji p_i - r_ij p_j)² over p that sum to 1, by the second method and
// Algorithm 2 of Wu, Lin & Weng (2004, "Probability estimates for multi-class
// classification by pairwise coupling"). The result goes to p.
func couple(p, r []float64) {
	k := len(p)
	Q, Qp := make([]float64, k*k), make([]float64, k)
	for i := range k {
		for j := range k {
			if j != i {
				back := r[j*k+i]
				Q[i*k+i] += float64(back * back)
				Q[i*k+j] = -float64(back * r[i*k+j])
			}
		}
		p[i] = 1 / float64(k)
	}
	for range couplingRounds {
		for i := range Qp {
			Qp[i] = dot(Q[i*k:][:k], p)
		}
		pQp, worst := dot(p, Qp), 0.0
		for _, v := range Qp {
			worst = max(worst, math.Abs(v-pQp))
		}
		if worst <= couplingTolerance {
			return
		}
		// At the minimum (Qp)_i = pᵀQp for all i. Each p_i in turn is set so
		// that this holds for i, and all are divided by their sum.
		for i := range k {
			by := (pQp - Qp[i]) / Q[i*k+i]
			p[i] += by
			total := 1 + by
			pQp = (pQp + float64(by*(float64(by*Q[i*k+i])+2*Qp[i]))) / total / total
			for j := range k {
				Qp[j] = (Qp[j] + float64(by*Q[i*k+j])) / total
				p[j] /= total
			}
		}
	}
}

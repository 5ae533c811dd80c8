package sigtest

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
)

// Adjustment is the result of judging M p-values together. All slices are in
// the order in which the p-values were given.
type Adjustment struct {
	// Method names the procedure.
	Method string
	// Alpha is the level asked for.
	Alpha float64
	// Adjusted holds p-values to be compared with Alpha.
	Adjusted []float64
	// Critical holds the value with which each p-value itself is compared at
	// its rank.
	Critical []float64
	// Rejected says which null hypotheses are rejected, that is, which results
	// are significant. Critical decides; only rounding could make Adjusted say
	// otherwise.
	Rejected []bool
}

// Bonferroni compares every p-value with alpha/M; adjusted values are M p. The
// chance of any false alarm is at most alpha.
func Bonferroni(p []float64, alpha float64) (Adjustment, error) {
	out, order, err := adjust("Bonferroni", p, alpha)
	if err != nil {
		return Adjustment{}, err
	}
	m := float64(len(p))
	for _, i := range order {
		out.Adjusted[i] = min(1, m*p[i])
		out.Critical[i] = alpha / m
		out.Rejected[i] = p[i] <= out.Critical[i]
	}
	return out, nil
}

// Holm compares the i-th smallest of M p-values with alpha/(M-i+1) and stops at
// the first that exceeds it (Holm, 1979, Scandinavian Journal of Statistics 6).
// The chance of any false alarm is at most alpha, as with [Bonferroni], and no
// fewer results are significant.
func Holm(p []float64, alpha float64) (Adjustment, error) {
	out, order, err := adjust("Holm", p, alpha)
	if err != nil {
		return Adjustment{}, err
	}
	largest, open := 0.0, true
	for rank, i := range order {
		left := float64(len(p) - rank)
		largest = max(largest, min(1, left*p[i]))
		out.Adjusted[i] = largest
		out.Critical[i] = alpha / left
		open = open && p[i] <= out.Critical[i]
		out.Rejected[i] = open
	}
	return out, nil
}

// BenjaminiHochberg compares the i-th smallest of M p-values with alpha i/M and
// calls significant all up to the last that does not exceed it, so also one that
// exceeds its own critical value if a larger one does not. The expected share of
// false alarms among the significant is at most alpha if the tests are independent
// (Benjamini & Hochberg, 1995, JRSS B 57) or positively dependent (Benjamini &
// Yekutieli, 2001, The Annals of Statistics 29).
func BenjaminiHochberg(p []float64, alpha float64) (Adjustment, error) {
	out, order, err := adjust("Benjamini-Hochberg", p, alpha)
	if err != nil {
		return Adjustment{}, err
	}
	m := float64(len(p))
	smallest, significant := 1.0, false
	for rank := len(order) - 1; rank >= 0; rank-- {
		i, place := order[rank], float64(rank+1)
		smallest = min(smallest, p[i]*m/place)
		out.Adjusted[i] = smallest
		out.Critical[i] = alpha * place / m
		significant = significant || p[i] <= out.Critical[i]
		out.Rejected[i] = significant
	}
	return out, nil
}

// adjust checks the p-values and returns empty results and their order.
func adjust(method string, p []float64, alpha float64) (Adjustment, []int, error) {
	if err := checkAlpha(alpha); err != nil {
		return Adjustment{}, nil, err
	}
	if len(p) == 0 {
		return Adjustment{}, nil, fmt.Errorf("%w: no p-values", mlcore.ErrEmpty)
	}
	order := make([]int, len(p))
	for i, v := range p {
		if v-v != 0 {
			return Adjustment{}, nil, fmt.Errorf("%w: p-value %v in row %d", mlcore.ErrNonFinite, v, i)
		}
		if v < 0 || v > 1 {
			return Adjustment{}, nil, fmt.Errorf("%w: p-value %v in row %d is not in [0, 1]", mlcore.ErrConfig, v, i)
		}
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	return Adjustment{
		Method: method, Alpha: alpha,
		Adjusted: make([]float64, len(p)), Critical: make([]float64, len(p)), Rejected: make([]bool, len(p)),
	}, order, nil
}

func checkAlpha(alpha float64) error {
	if !(alpha > 0 && alpha < 1) {
		return fmt.Errorf("%w: alpha %v; a level lies between 0 and 1, such as 0.05", mlcore.ErrConfig, alpha)
	}
	return nil
}

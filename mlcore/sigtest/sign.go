package sigtest

// SignTest asks whether a is larger than b in half of the pairs, for instance
// whether two models win equally many data sets. Pairs that tie are left out;
// among the n others the number of a > b, which is Statistic, is binomial with
// probability 1/2. N is n; if all pairs tie, p is 1.
func SignTest(a, b []float64, alt Alternative) (Result, error) {
	if err := alt.check(); err != nil {
		return Result{}, err
	}
	if err := checkPaired(a, b, 1); err != nil {
		return Result{}, err
	}
	larger, n := 0, 0
	for i := range a {
		if a[i] > b[i] {
			larger++
		}
		if a[i] != b[i] {
			n++
		}
	}
	return Result{
		Method: "sign test, exact binomial", Alternative: alt,
		Statistic: float64(larger), PValue: alt.pick(fairTails(larger, n)), N: n,
	}, nil
}

package linear

import (
	"math"
	"slices"
)

// lead goes to coefficients that larger penalties lead to, each solved roughly from the one
// before, if the objective is lower there, and returns the gap. With fewer rows than columns and
// a small penalty most coefficients become other than 0 from 0, and it takes long until those
// that have to are 0 again; from one penalty to the next few do (Friedman, Hastie & Tibshirani,
// 2010, section 2.5).
func (s *descent) lead(c ElasticNetConfig) (gap float64, err error) {
	const (
		factor  = 0.7  // from one penalty to the next
		least   = 1e-4 // of the greatest, from where on they lead
		roughly = 1e-2
		most    = 20 // iterations
	)
	s.led = true
	l1, l2, before, coef := s.l1, s.l2, s.objective(), slices.Clone(s.coef)
	clear(s.coef)
	s.refresh()
	top := 1.0 // the greatest penalty as a multiple of the one asked for
	for j := range s.columns {
		top = max(top, math.Abs(s.gradient(j))/l1)
	}
	rough := c
	rough.Tol, rough.MaxIter, rough.Progress = max(roughly, c.tol()), most, nil
	for share := top * factor; factor*share > max(1, least*top); share *= factor {
		s.l1, s.l2 = share*l1, share*l2
		if _, err := s.run(rough); err != nil {
			return 0, err
		}
	}
	s.l1, s.l2 = l1, l2
	if s.objective() >= before {
		copy(s.coef, coef)
		s.refresh()
	}
	s.begin()
	return s.gap(), nil
}

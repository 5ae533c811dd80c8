package neural

import "github.com/mllabs-go/mllabs/mlcore/internal/par"

// pieceSize is the number of parameters that one goroutine takes at a time where there
// is little to do for each.
const pieceSize = 2048

// A steps is the state of an optimizer: a Stepper for each piece of the parameters, or
// one for all of them.
type steps []Stepper

// steps starts the optimizer on n parameters. Those of this package treat each parameter
// by itself, so that pieces can be stepped at the same time; of others that is not known.
func (c Config) steps(n int) steps {
	all := c.Optimizer.Start(n)
	switch all.(type) {
	case *momentumStep, *rmsStep, *adamStep:
	default:
		return steps{all}
	}
	var s steps
	for lo := 0; lo < n; lo += pieceSize {
		s = append(s, c.Optimizer.Start(min(pieceSize, n-lo)))
	}
	return s
}

func (s steps) take(params, gradient []float64, rate float64, team *par.Team) {
	if len(s) == 1 {
		s[0].Step(params, gradient, rate)
		return
	}
	team.Chunks(len(params), pieceSize, func(c, lo, hi int) { s[c].Step(params[lo:hi], gradient[lo:hi], rate) })
}

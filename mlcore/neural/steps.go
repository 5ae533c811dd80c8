package neural

import "github.com/mllabs-go/mllabs/mlcore/internal/par"

// pieceSize is about the number of parameters that one goroutine takes at a time where
// there is little to do for each.
const pieceSize = 2048

// pieceOf is the size of the pieces of n parameters: an even number of them, so that two
// goroutines have the same to do, of whole cache lines.
func pieceOf(n int) int {
	if n <= pieceSize {
		return pieceSize
	}
	pairs := (n + 2*pieceSize - 1) / (2 * pieceSize)
	return (n/(2*pairs) + 8) &^ 7
}

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
	size := pieceOf(n)
	for lo := 0; lo < n; lo += size {
		s = append(s, c.Optimizer.Start(min(size, n-lo)))
	}
	return s
}

// take steps all parameters. It calls before to make the gradient of those from lo to hi,
// and after once they have been stepped.
func (s steps) take(params, gradient []float64, rate float64, team *par.Team, before, after func(lo, hi int)) {
	team.Chunks(len(params), pieceOf(len(params)), func(c, lo, hi int) {
		before(lo, hi)
		if len(s) > 1 {
			s[c].Step(params[lo:hi], gradient[lo:hi], rate)
			after(lo, hi)
		}
	})
	if len(s) == 1 {
		s[0].Step(params, gradient, rate)
		after(0, len(params))
	}
}

package neural

import (
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// A doubled is an optimizer of a user's, of which nothing is known.
type doubled struct{ SGD }

func (doubled) Start(int) Stepper { return doubledStep{} }

type doubledStep struct{}

func (doubledStep) Step(params, gradient []float64, rate float64) {
	for i := range params {
		params[i] -= float64(2 * float64(rate*gradient[i]))
	}
}

// The oracle is the optimizer's own step of all parameters at once.
func TestStepsInPieces(t *testing.T) {
	for _, n := range []int{1, pieceSize, pieceSize + 1, 3*pieceSize + 5} {
		for _, o := range []Optimizer{GradientDescent{}, SGD{}, Momentum{}, Momentum{Nesterov: true}, RMSProp{}, Adam{}, &Adam{Beta1: 0.5}, doubled{}} {
			rng := mlcore.NewRand(uint64(n))
			want, whole := make([]float64, n), o.Start(n)
			team := par.NewTeam(2)
			got, pieces := slices.Clone(want), Config{Optimizer: o}.steps(n)
			for range 3 {
				gradient := make([]float64, n)
				for i := range gradient {
					gradient[i] = rng.NormFloat64()
				}
				whole.Step(want, gradient, 0.1)
				made := make([]float64, n)
				told := make([]float64, n)
				pieces.take(got, made, 0.1, team,
					func(lo, hi int) { copy(made[lo:hi], gradient[lo:hi]) },
					func(lo, hi int) { copy(told[lo:hi], got[lo:hi]) })
				if !slices.Equal(told, got) {
					t.Errorf("%d parameters, %T: not all were told of", n, o)
				}
			}
			team.Close()
			if !slices.Equal(got, want) {
				t.Errorf("%d parameters, %T: pieces differ from the whole", n, o)
			}
			if _, own := o.(doubled); own && len(pieces) != 1 {
				t.Errorf("%d parameters of an unknown optimizer in %d pieces", n, len(pieces))
			}
		}
	}
	if n := len((Config{Optimizer: Adam{}}).steps(2 * pieceSize)); n != 2 {
		t.Errorf("%d pieces", n)
	}
}

// Which rows validate does not depend on the codes of the classes. The oracle is the same
// classes under other codes.
func TestValidationRowsDoNotDependOnClassCodes(t *testing.T) {
	groups := []int{2, 0, 2, 1, 0, 2, 1, 2, 0, 2, 2, 1, 0, 0, 2, 1}
	c := Config{ValidationFraction: 0.3, Seed: 5}
	_, want, err := c.split(len(groups), groups)
	if err != nil {
		t.Fatal(err)
	}
	for _, codes := range [][]int{{1, 0, 2}, {2, 0, 1}, {9, 4, 0}} {
		renamed := make([]int, len(groups))
		for i, g := range groups {
			renamed[i] = codes[g]
		}
		if _, got, err := c.split(len(groups), renamed); err != nil || !slices.Equal(got, want) {
			t.Errorf("with codes %v rows %v validate (%v), with others %v", codes, got, err, want)
		}
	}
}

// Package report tells the caller how long work goes on. The function Progress of a
// configuration flows in; calls of it, one at a time, flow out.
package report

import (
	"fmt"
	"math"
	"sync"

	"github.com/mllabs-go/mllabs/mlcore"
)

// A Reporter passes progress on. It is safe for concurrent use. A nil Reporter has
// nobody to tell.
type Reporter struct {
	tell          func(mlcore.Progress) error
	pkg           string
	problems, all int

	mu  sync.Mutex
	err error
}

// To returns a Reporter to the function of a configuration of a package, nil where
// that is nil, for work of some problems of at most so many steps each.
func To(tell func(mlcore.Progress) error, pkg string, problems, steps int) *Reporter {
	if tell == nil {
		return nil
	}
	return &Reporter{tell: tell, pkg: pkg, problems: problems, all: steps}
}

// Losses are the numbers of a report.
type Losses struct{ Loss, Validation, Measure float64 }

// NoLosses is what a report holds where nothing is worked out.
var NoLosses = Losses{math.NaN(), math.NaN(), math.NaN()}

// Loss returns Losses of a loss on the training rows alone.
func Loss(v float64) Losses { return Losses{v, math.NaN(), math.NaN()} }

// Step reports that a problem has made so many steps. After an error the function is
// not called again, so that all problems end.
func (r *Reporter) Step(problem, step int, l Losses) error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		err := r.tell(mlcore.Progress{
			Problem: problem, Problems: r.problems, Step: step, Steps: r.all,
			Loss: l.Loss, ValidationLoss: l.Validation, Measure: l.Measure,
		})
		if err != nil {
			r.err = fmt.Errorf("%s: Progress, after step %d: %w", r.pkg, step, err)
		}
	}
	return r.err
}

package mlcore

import "errors"

// A Progress is what the function in the field Progress of a configuration is given
// while a fit, or other long work, goes on:
//
//	cfg.Progress = func(p mlcore.Progress) error {
//		fmt.Printf("%d of %d: loss %.4f\n", p.Step, p.Steps, p.Loss)
//		return nil
//	}
//
// The function is called by one goroutine at a time, which may not be the caller's.
// An error that it returns ends the work, which returns an error that wraps it;
// [ErrStop] ends some fits without an error. A nil function is not called.
type Progress struct {
	// Problem counts from 0 the problems that the work is made of, such as one for
	// each class, and Problems is their number. If there is only one, they are 0
	// and 1.
	Problem, Problems int
	// Step is how many steps of the problem have been made, such as epochs,
	// iterations, estimators, generations or fits, and Steps the most that will be.
	Step, Steps int
	// Loss is what the steps lower, as [Status] holds it; NaN where it is not
	// computed.
	Loss float64
	// ValidationLoss is that of the validation rows; NaN where there are none.
	ValidationLoss float64
	// Measure is what is compared with Tol; NaN where nothing is.
	Measure float64
}

// ErrStop is what a function Progress returns to end a fit without an error, where
// steps make a model that is better and better: networks, boosting, logistic
// regression, the elastic net and evolution. The model is the one that was reached
// and its Status, where it has one, says Interrupted. Elsewhere it is an error like
// any other.
var ErrStop = errors.New("stop the fit")

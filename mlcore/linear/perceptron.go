package linear

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/internal/report"
)

// PerceptronConfig fits Rosenblatt's perceptron (1958, "The perceptron: a
// probabilistic model for information storage and organization in the brain"):
// rows are shown one by one, and a row with label t, +1 or -1, that is on the
// wrong side or on the boundary, t (w·x + b) <= 0, moves it:
//
//	w += LearningRate · t · x    b += LearningRate · t
//
// both multiplied by its weight. Coefficients start at 0. With two classes
// class 1 is +1; with more, one perceptron per class separates it from the
// rest, and the greatest w·x + b decides. An epoch shows every row once; the
// fit ends after an epoch without a mistake, which comes sooner or later if a
// hyperplane separates the classes (Novikoff, 1962) and never if none does. The
// zero value is usable.
type PerceptronConfig struct {
	// Epochs is the greatest number of epochs; 0 means 1000.
	Epochs int
	// LearningRate is positive and finite; 0 means 1. It scales the coefficients
	// and changes no prediction.
	LearningRate float64
	// NoShuffle shows the rows in the order of X in each epoch, as textbooks do by
	// hand, instead of in an order drawn from Seed.
	NoShuffle bool
	// NoIntercept fixes b at 0.
	NoIntercept bool
	// ClassWeight says how much the rows of each class move the boundary.
	ClassWeight mlcore.ClassWeight
	// KeepUpdates makes [Perceptron.Updates] hold every update, which takes as
	// much memory as the coefficients each time.
	KeepUpdates bool
	// Seed of the orders, and an error with NoShuffle.
	Seed uint64
	// Progress, where not nil, is called after each epoch of each perceptron, a
	// problem of its own, with the number of mistakes as the loss. With several
	// workers, epochs of several perceptrons mix.
	Progress func(mlcore.Progress) error
	// Workers is the greatest number of goroutines; 0 means one per processor.
	// Each fits one class.
	Workers int
}

// A PerceptronUpdate is one correction.
type PerceptronUpdate struct {
	// Class is +1 for the perceptron that was corrected.
	Class int
	// Epoch counts from 0, Row is that of X.
	Epoch, Row int
	// Coef and Intercept are what they were made.
	Coef      []float64
	Intercept float64
}

func (c PerceptronConfig) check() error {
	switch {
	case c.Epochs < 0:
		return fmt.Errorf("%w: Epochs is %d; it is positive", mlcore.ErrConfig, c.Epochs)
	case c.LearningRate-c.LearningRate != 0 || c.LearningRate < 0:
		return fmt.Errorf("%w: LearningRate is %v; it is finite and positive", mlcore.ErrConfig, c.LearningRate)
	case c.NoShuffle && c.Seed != 0:
		return fmt.Errorf("%w: Seed is set, but with NoShuffle nothing is drawn", mlcore.ErrConfig)
	}
	return nil
}

func (c PerceptronConfig) epochs() int { return cmp.Or(c.Epochs, 1000) }

func (c PerceptronConfig) rate() float64 { return cmp.Or(c.LearningRate, 1) }

// FitClassifier fits the perceptron to a Dataset of numeric columns: the classes and
// the sample weights are those of ds, and the model carries the names of columns and
// classes. Weights multiply the learning rate; rows of weight 0 are not shown. Labels
// of one class only are an error that wraps [mlcore.ErrOneClass]. Mistakes that remain
// are not an error: see [Perceptron.Status].
func (c PerceptronConfig) FitClassifier(ds *mlcore.Dataset) (*Perceptron, error) {
	return fitted.Classifier(ds, takes, c.fit)
}

func (c PerceptronConfig) fit(ds *mlcore.Dataset) (*Perceptron, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	t, err := takeLabelled(ds, c.ClassWeight, c.Workers)
	if err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	m := &Perceptron{discriminants: t.empty(c.Workers)}
	// The present classes that have a perceptron.
	positives := make([]int, 0, len(t.present))
	for p := range t.present {
		if t.classes > 2 || p == 1 {
			positives = append(positives, p)
		}
	}
	neurons := make([]*neuron, len(positives))
	reporter := report.To(c.Progress, "linear", len(positives), c.epochs())
	err = par.Do(len(positives), c.Workers, func(i int) error {
		var err error
		neurons[i], err = c.train(t, positives[i], func(epochs, mistakes int) error {
			return reporter.Step(i, epochs, report.Loss(float64(mistakes)))
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	m.mistakes = make([][]int, len(m.intercept))
	for i, u := range neurons {
		function := 0
		if t.classes > 2 {
			function = t.present[positives[i]]
		}
		m.set(function, u.coef, u.intercept)
		m.mistakes[function] = u.mistakes
		m.updates = append(m.updates, u.updates...)
	}
	if err := m.finite(); err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	return m, nil
}

// A neuron is one perceptron as it learns.
type neuron struct {
	coef      []float64
	intercept float64
	mistakes  []int
	updates   []PerceptronUpdate
}

func (c PerceptronConfig) train(t *labelled, positive int, told func(epochs, mistakes int) error) (*neuron, error) {
	u := &neuron{coef: make([]float64, t.features)}
	class, rng := t.present[positive], mlcore.NewRand(c.Seed, uint64(positive))
	order := make([]int, t.x.n)
	for i := range order {
		order[i] = i
	}
	for epoch := range c.epochs() {
		if !c.NoShuffle {
			rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		wrong := 0
		for _, i := range order {
			sign := -1.0
			if int(t.class[i]) == positive {
				sign = 1
			}
			if sign*u.score(t.x, i) > 0 {
				continue
			}
			wrong++
			u.correct(t.x, i, float64(c.rate()*t.weight[i])*sign, !c.NoIntercept)
			if c.KeepUpdates {
				row := i
				if t.keep != nil {
					row = t.keep[i]
				}
				u.updates = append(u.updates, PerceptronUpdate{class, epoch, row, slices.Clone(u.coef), u.intercept})
			}
		}
		u.mistakes = append(u.mistakes, wrong)
		if err := told(epoch+1, wrong); err != nil {
			return nil, err
		}
		if wrong == 0 {
			break
		}
	}
	return u, nil
}

func (u *neuron) score(x *rows, i int) float64 {
	if x.dense != nil {
		return u.intercept + kernel.Dot(x.row(i), u.coef)
	}
	sum := u.intercept
	col, val := x.entries(i)
	for e, j := range col {
		sum += float64(val[e] * u.coef[j])
	}
	return sum
}

// correct adds step times row i.
func (u *neuron) correct(x *rows, i int, step float64, intercept bool) {
	if x.dense != nil {
		kernel.AddScaled(u.coef, step, x.row(i))
	} else {
		col, val := x.entries(i)
		for e, j := range col {
			u.coef[j] += float64(step * val[e])
		}
	}
	if intercept {
		u.intercept += step
	}
}

// A Perceptron is a fitted model of [PerceptronConfig]. It is immutable and safe
// for concurrent use.
type Perceptron struct {
	discriminants
	mistakes [][]int // of each linear function and epoch
	updates  []PerceptronUpdate
}

var _ mlcore.Classifier = (*Perceptron)(nil)

// Mistakes returns, for each row of Coef, the number of mistakes in each epoch.
// The last is 0 where the perceptron converged. A class without training rows has
// no epochs.
func (m *Perceptron) Mistakes() [][]int {
	out := make([][]int, len(m.mistakes))
	for k, v := range m.mistakes {
		out[k] = slices.Clone(v)
	}
	return out
}

// Updates returns every update if the configuration kept them: the perceptrons in
// the order of their classes, the updates of each in the order in which they were
// made. They are not part of a model's file.
func (m *Perceptron) Updates() []PerceptronUpdate {
	out := slices.Clone(m.updates)
	for i := range out {
		out[i].Coef = slices.Clone(out[i].Coef)
	}
	return out
}

// Status tells how the fit went: Converged if the last epoch of every perceptron
// was without a mistake. Iterations is the greatest number of epochs, Measure
// the number of mistakes in the last epochs, Loss their number in each epoch,
// all perceptrons together.
func (m *Perceptron) Status() mlcore.Status {
	s := mlcore.Status{}
	for _, mistakes := range m.mistakes {
		s.Iterations = max(s.Iterations, len(mistakes))
		if len(mistakes) > 0 {
			s.Measure += float64(mistakes[len(mistakes)-1])
		}
	}
	s.Loss = make([]float64, s.Iterations)
	for _, mistakes := range m.mistakes {
		for e, v := range mistakes {
			s.Loss[e] += float64(v)
		}
	}
	if s.Measure > 0 {
		s.Outcome = mlcore.IterationLimit
		s.Advice = "the classes may not be linearly separable, and then the boundary never rests; raise Epochs or use LogisticConfig"
	}
	return s
}

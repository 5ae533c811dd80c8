package calibration

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/platt"
	"gonum.org/v1/gonum/mat"
)

type described = fitted.Model

// A Classifier is a calibrated classifier, or several whose probabilities are averaged.
// It is immutable and, where its members are, safe for concurrent use.
type Classifier struct {
	described
	features, classes int
	present           []int // the classes that had rows, ascending
	method            Method
	members           []member
}

var _ mlcore.ProbClassifier = (*Classifier)(nil)

// NumFeatures is the number of columns that the members were fitted with.
func (m *Classifier) NumFeatures() int { return m.features }

// NumClasses is K: predictions are in 0..K-1.
func (m *Classifier) NumClasses() int { return m.classes }

// Members returns the classifiers that were calibrated, one per fold, or one.
func (m *Classifier) Members() []mlcore.Classifier {
	models := make([]mlcore.Classifier, len(m.members))
	for i, p := range m.members {
		models[i] = p.model
	}
	return models
}

// Predict returns the most probable class of each row of X, the lowest on a tie.
func (m *Classifier) Predict(X mat.Matrix) ([]int, error) {
	p, err := m.PredictProba(X)
	if err != nil {
		return nil, err
	}
	n, _ := p.Dims()
	y := make([]int, n)
	for i := range y {
		y[i] = kernel.ArgMax(p.RawRowView(i))
	}
	return y, nil
}

// PredictProba returns an n×K matrix of the calibrated probabilities, averaged over the
// members; 0 for a class that had no rows. Where the functions of all classes are 0, the
// classes get equal probabilities, as in scikit-learn.
func (m *Classifier) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	if err := mlcore.CheckFeatures(X, m.features); err != nil {
		return nil, fmt.Errorf("calibration: %w", err)
	}
	if err := mlcore.CheckSize(X); err != nil {
		return nil, fmt.Errorf("calibration: %w", err)
	}
	n, _ := X.Dims()
	out := mat.NewDense(n, m.classes, nil)
	p := make([]float64, len(m.present))
	for _, part := range m.members {
		scores, err := m.scores(part.model, X)
		if err != nil {
			return nil, fmt.Errorf("calibration: %w", err)
		}
		for j := range m.columns() {
			if err := part.apply(j, scores); err != nil {
				return nil, fmt.Errorf("calibration: %w", err)
			}
		}
		for i := range n {
			m.share(p, scores.RawRowView(i))
			for at, k := range m.present {
				out.Set(i, k, out.At(i, k)+p[at])
			}
		}
	}
	kernel.Divide(out.RawMatrix().Data, float64(len(m.members)))
	return out, nil
}

// apply replaces column j of the scores by what the function makes of them.
func (p *member) apply(j int, scores *mat.Dense) error {
	n, _ := scores.Dims()
	if p.curves != nil {
		values, err := p.curves[j].Predict(scores.ColView(j))
		if err != nil {
			return err
		}
		scores.SetCol(j, values)
		return nil
	}
	for i := range n {
		f := scores.At(i, j)
		if f-f != 0 {
			return fmt.Errorf("%w: the score of row %d is %v", mlcore.ErrNonFinite, i, f)
		}
		scores.Set(i, j, p.sigmoids[j].At(f))
	}
	return nil
}

// share sets p to the probabilities of the classes that occur.
func (m *Classifier) share(p, values []float64) {
	if len(values) == 1 {
		p[0], p[1] = 1-values[0], values[0]
		return
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	for k, v := range values {
		if p[k] = v / sum; sum == 0 {
			p[k] = 1 / float64(len(p))
		}
	}
}

var _ = archive.Register("calibration.Classifier", 1, func(c *archive.Coder, m *Classifier) {
	c.Int("features", &m.features)
	c.Int("classes", &m.classes)
	c.Ints("present", &m.present)
	archive.Enum(c, "method", &m.method, methodNames...)
	archive.List(c, "members", &m.members, func(_ int, p *member) {
		archive.Part(c, "model", &p.model)
		if m.method == Isotonic {
			archive.Parts(c, "curves", &p.curves)
			return
		}
		archive.List(c, "sigmoids", &p.sigmoids, func(_ int, s *platt.Sigmoid) {
			c.Float64("a", &s.A)
			c.Float64("b", &s.B)
			c.Check(s.A-s.A == 0 && s.B-s.B == 0, "a sigmoid of %v and %v", s.A, s.B)
		})
	})
	if !c.Reading() {
		return
	}
	c.Check(m.features >= 1 && m.classes >= 2 && len(m.members) >= 1 && len(m.present) >= 2, "%d columns, %d classes of which %d occur, %d members", m.features, m.classes, len(m.present), len(m.members))
	for i, k := range m.present {
		c.Check(k >= 0 && k < m.classes && (i == 0 || k > m.present[i-1]), "class %d of %d occurs", k, m.classes)
	}
	for i, p := range m.members {
		if !c.OK() {
			return
		}
		c.Check(len(p.sigmoids)+len(p.curves) == m.columns(), "%d functions in member %d", len(p.sigmoids)+len(p.curves), i)
		c.Check(p.model.NumFeatures() == m.features && p.model.NumClasses() <= m.classes, "member %d has %d columns and %d classes", i, p.model.NumFeatures(), p.model.NumClasses())
	}
})

// MarshalBinary encodes the model as package modelfile does, for encoding/gob.
func (m *Classifier) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Classifier) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

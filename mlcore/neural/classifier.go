package neural

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"gonum.org/v1/gonum/mat"
)

// A Classifier is a trained network whose answers are class probabilities. It is
// immutable and safe for concurrent use.
type Classifier struct {
	trained
	classes int
}

// FitClassifier trains a network on a Dataset with numeric columns, with its sample
// weights. Two classes have one [Sigmoid] output, the probability of class 1; any other
// number of classes has one [Softmax] output per class. A class without training rows
// takes no part in training and keeps a probability of 0. The loss is [CrossEntropy]. A
// row of weight 0 is treated as absent. Training that diverges is an error that wraps
// [ErrDiverged]. The model carries the names of columns and classes.
func (c Config) FitClassifier(ds *mlcore.Dataset) (*Classifier, error) {
	return fitted.Classifier(ds, takes, c.fitClassifier)
}

func (c Config) fitClassifier(ds *mlcore.Dataset) (*Classifier, error) {
	c, err := c.align(ds)
	if err != nil {
		return nil, err
	}
	c = c.withDefaults()
	if err := c.check(); err != nil {
		return nil, err
	}
	d, classes := ds.NumFeatures(), ds.NumClasses()
	var given *examples[int]
	if v := c.Validation; v != nil {
		n, err := checkValidation(v)
		if err != nil {
			return nil, err
		}
		if err := mlcore.CheckLabels(v.Y, n, classes); err != nil {
			return nil, fmt.Errorf("neural: validation rows: %w", err)
		}
		given = &examples[int]{v.X, v.Y, v.Weights}
	}
	rows := examples[int]{ds.X, ds.Y, ds.Weights}.weighty()
	learn, valid, err := separate(c, rows, given, rows.y)
	if err != nil {
		return nil, err
	}
	if learn, err = c.weighClasses(learn, classes); err != nil {
		return nil, err
	}
	outputs, output := classes, Softmax
	if classes == 2 {
		outputs, output = 1, Sigmoid
	}
	net, err := c.network(d, outputs, output, CrossEntropy)
	if err != nil {
		return nil, err
	}
	if output == Softmax {
		net.ruleOut(learn.y)
	}
	tr, err := c.train(net, labelled(learn, outputs), labelled(valid, outputs), func(m measure, _ bool) float64 { return m.score / m.weight })
	if err != nil {
		return nil, err
	}
	return &Classifier{tr.trained(), classes}, nil
}

// ruledOut is the bias of a class without training rows: its probability is nothing
// from the start, and so is its share in every gradient.
const ruledOut = -1e6

// ruleOut spares the outputs of classes that do not occur in y the many steps in
// which they would learn that.
func (n *Network) ruleOut(y []int) {
	last := len(n.layers) - 1
	W, B := n.params.W[last], n.params.B[last]
	present := make([]bool, len(B))
	for _, k := range y {
		present[k] = true
	}
	for k, has := range present {
		if has {
			continue
		}
		B[k] = ruledOut
		inputs, _ := W.Dims()
		for i := range inputs {
			W.Set(i, k, 0)
		}
	}
}

// weighClasses multiplies weights by those of the classes.
func (c Config) weighClasses(e examples[int], classes int) (examples[int], error) {
	w, err := fitted.WeighClasses(c.ClassWeight, e.y, e.w, classes)
	if err != nil {
		return e, fmt.Errorf("neural: %w", err)
	}
	e.w = w
	return e.weighty(), nil
}

func labelled(e examples[int], outputs int) data {
	if e.X == nil {
		return data{}
	}
	return data{newInput(e.X), targets{codes: e.y, outputs: outputs}, e.w}
}

// NumClasses is the number K of classes.
func (m *Classifier) NumClasses() int { return m.classes }

// Predict returns the most probable class of each row of X, the lowest on a tie.
func (m *Classifier) Predict(X mat.Matrix) ([]int, error) {
	in, err := m.network().checkInput(X)
	if err != nil {
		return nil, err
	}
	y := make([]int, in.n)
	err = m.answers(in, func(i int, a []float64) { y[i] = class(a, m.net.output()) })
	if err != nil {
		return nil, err
	}
	return y, nil
}

// PredictProba returns the probability of each class for each row of X, n×K.
func (m *Classifier) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	in, err := m.network().checkInput(X)
	if err != nil {
		return nil, err
	}
	proba := mat.NewDense(in.n, m.classes, nil)
	err = m.answers(in, func(i int, a []float64) {
		row := proba.RawRowView(i)
		if len(a) == 1 && len(row) == 2 {
			row[0], row[1] = 1-a[0], a[0]
			return
		}
		copy(row, a)
	})
	if err != nil {
		return nil, err
	}
	return proba, nil
}

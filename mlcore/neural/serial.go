package neural

import (
	"errors"
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
)

var (
	_ = archive.Register("neural.Network", 1, func(c *archive.Coder, n *Network) { n.fields(c) })
	_ = archive.Register("neural.Classifier", 1, func(c *archive.Coder, m *Classifier) {
		m.trained.fields(c)
		c.Int("classes", &m.classes)
		if c.Reading() {
			c.Check(m.net.loss == CrossEntropy && fitsClasses(m.net, m.classes), "%d outputs of %s for %d classes", m.net.Outputs(), m.net.output(), m.classes)
		}
	})
	_ = archive.Register("neural.Regressor", 1, func(c *archive.Coder, m *Regressor) {
		m.trained.fields(c)
		if c.Reading() {
			c.Check(m.net.Outputs() == 1 && m.net.output() == Linear, "%d outputs of %s for a regression", m.net.Outputs(), m.net.output())
		}
	})
)

func (n *Network) fields(c *archive.Coder) {
	if !c.Reading() && len(n.layers) == 0 {
		c.Refuse(fmt.Errorf("neural: %w: the network has no layers", mlcore.ErrNotFitted))
		return
	}
	c.Int("inputs", &n.inputs)
	archive.List(c, "layers", &n.layers, func(_ int, d *Dense) {
		c.Int("units", &d.Units)
		archive.Enum(c, "activation", &d.Activation, activationNames[:]...)
		archive.Enum(c, "init", &d.Init, "auto", "he", "xavier")
		c.Float64("dropout", &d.Dropout)
	})
	archive.Enum(c, "loss", &n.loss, "squared", "cross-entropy")
	c.Float64("l1", &n.L1)
	c.Float64("l2", &n.L2)
	var values []float64
	if n.params != nil {
		values = n.params.Values
	}
	c.Float64s("parameters", &values)
	if !c.Reading() {
		return
	}
	if err := checkLayers(n.inputs, n.layers, n.loss); err != nil {
		c.Fail("%v", err)
		return
	}
	if countParameters(n.inputs, n.layers) != len(values) {
		c.Fail("%d parameters do not fit the layers", len(values))
		return
	}
	n.params = parametersOf(values, n.inputs, n.layers)
	c.Check(n.params.finite() && n.L1-n.L1 == 0 && n.L2-n.L2 == 0, "a parameter is not finite")
}

func (m *trained) fields(c *archive.Coder) {
	if c.Reading() {
		m.net = new(Network)
	}
	c.Group("network", func() { m.net.fields(c) })
	archive.List(c, "history", &m.history, func(i int, e *Epoch) {
		if c.Reading() {
			e.Number = i + 1
		}
		c.Float64("learning_rate", &e.LearningRate)
		e.Train.fields(c, "train")
		c.Bool("validated", &e.Validated)
		e.Validation.fields(c, "validation")
	})
	archive.Status(c, "status", &m.status)
	c.Int("best_epoch", &m.bestEpoch)
	c.Check(m.status.Iterations == len(m.history) && m.bestEpoch >= 1 && m.bestEpoch <= len(m.history),
		"%d epochs, the best %d, with a history of %d", m.status.Iterations, m.bestEpoch, len(m.history))
}

func (m *Measure) fields(c *archive.Coder, name string) {
	c.Group(name, func() {
		c.Float64("loss", &m.Loss)
		c.Float64("score", &m.Score)
		c.Check(m.Loss-m.Loss == 0 && m.Score-m.Score == 0, "loss %v and score %v", m.Loss, m.Score)
	})
}

// fitsClasses reports whether the outputs are those that FitClassifier makes.
func fitsClasses(n *Network, classes int) bool {
	if classes == 2 {
		return n.Outputs() == 1 && n.output() == Sigmoid
	}
	return n.Outputs() == classes && n.output() == Softmax
}

// MarshalBinary encodes the network as package modelfile does, for encoding/gob.
func (n *Network) MarshalBinary() ([]byte, error) { return archive.Marshal(n) }

// UnmarshalBinary decodes a network; on an error n is left as it was.
func (n *Network) UnmarshalBinary(data []byte) error { return archive.Decode(n, data) }

var errJSON = errors.New("neural: encoding/json does not see the layers of a network; modelfile.MarshalJSON and UnmarshalJSON write and read it")

// MarshalJSON returns an error: encoding/json would write the penalties and lose
// the rest. Package modelfile writes a network as JSON.
func (n *Network) MarshalJSON() ([]byte, error) { return nil, errJSON }

// UnmarshalJSON returns an error, as MarshalJSON does.
func (n *Network) UnmarshalJSON([]byte) error { return errJSON }

// MarshalBinary encodes the model as package modelfile does, for encoding/gob.
// Workers is not part of it: a decoded model uses all processors.
func (m *Classifier) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Classifier) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [Classifier.MarshalBinary].
func (m *Regressor) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Regressor) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

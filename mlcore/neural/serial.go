package neural

import (
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/codec"
)

const (
	networkKind    = "neural.Network"
	classifierKind = "neural.Classifier"
	regressorKind  = "neural.Regressor"
	formatVersion  = 1
)

func (n *Network) write(w *codec.Writer) {
	w.Int(n.inputs)
	var kinds []int
	var dropouts []float64
	for _, d := range n.layers {
		kinds = append(kinds, d.Units, int(d.Activation), int(d.Init))
		dropouts = append(dropouts, d.Dropout)
	}
	w.Ints(kinds)
	w.Float64s(dropouts)
	w.Int(int(n.loss))
	w.Float64(n.L1)
	w.Float64(n.L2)
	w.Float64s(n.params.Values)
}

// readNetwork reads what write wrote and makes sure that it is a network.
func readNetwork(r *codec.Reader) *Network {
	n := &Network{inputs: r.Int()}
	kinds, dropouts := r.Ints(), r.Float64s()
	if len(kinds) != 3*len(dropouts) {
		r.Fail("%d numbers for %d layers", len(kinds), len(dropouts))
		return nil
	}
	for l, drop := range dropouts {
		n.layers = append(n.layers, Dense{kinds[3*l], Activation(kinds[3*l+1]), Init(kinds[3*l+2]), drop})
	}
	n.loss = Loss(r.Int())
	n.L1, n.L2 = r.Float64(), r.Float64()
	values := r.Float64s()
	if r.Err() != nil {
		return nil
	}
	if err := checkLayers(n.inputs, n.layers, n.loss); err != nil {
		r.Fail("%v", err)
		return nil
	}
	if countParameters(n.inputs, n.layers) != len(values) {
		r.Fail("%d parameters do not fit the layers", len(values))
		return nil
	}
	n.params = parametersOf(values, n.inputs, n.layers)
	if !n.params.finite() || n.L1-n.L1 != 0 || n.L2-n.L2 != 0 {
		r.Fail("a parameter is not finite")
		return nil
	}
	return n
}

func (m *fitted) write(w *codec.Writer) {
	m.net.write(w)
	w.Bool(m.history[0].Validated)
	var measured []float64
	for _, e := range m.history {
		measured = append(measured, e.LearningRate, e.Train.Loss, e.Train.Score, e.Validation.Loss, e.Validation.Score)
	}
	w.Float64s(measured)
	w.Int(int(m.status.Reason))
	w.Int(m.status.Epochs)
	w.Int(m.status.BestEpoch)
	w.Strings(m.status.Notes)
}

func readFitted(r *codec.Reader) fitted {
	m := fitted{net: readNetwork(r)}
	validated, measured := r.Bool(), r.Float64s()
	for i, v := range measured {
		if v-v != 0 {
			r.Fail("measurement %d is %v", i, v)
		}
	}
	for v := range slices.Chunk(measured, 5) {
		if len(v) == 5 {
			m.history = append(m.history, Epoch{len(m.history) + 1, v[0], Measure{v[1], v[2]}, Measure{v[3], v[4]}, validated})
		}
	}
	if len(measured) != 5*len(m.history) || len(m.history) == 0 {
		r.Fail("%d measurements of %d epochs", len(measured), len(m.history))
	}
	m.status = Status{Reason: Reason(r.Int()), Epochs: r.Int(), BestEpoch: r.Int(), Notes: r.Strings()}
	if len(m.status.Notes) == 0 {
		m.status.Notes = nil
	}
	if s := m.status; s.Reason < AllEpochs || s.Reason > Stopped || s.Epochs != len(m.history) || s.BestEpoch < 1 || s.BestEpoch > s.Epochs {
		r.Fail("a status of %d epochs, the best %d, with a history of %d", s.Epochs, s.BestEpoch, len(m.history))
	}
	return m
}

// MarshalBinary encodes the network. It implements encoding.BinaryMarshaler, which
// encoding/gob uses too.
func (n *Network) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(networkKind, formatVersion)
	n.write(w)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a network. Bytes that are not one are refused with an
// error that wraps [mlcore.ErrCorrupt] or [mlcore.ErrVersion], and n is left as it
// was.
func (n *Network) UnmarshalBinary(data []byte) error {
	return codec.Decode(n, data, networkKind, formatVersion, func(r *codec.Reader, c *Network) {
		if read := readNetwork(r); read != nil {
			*c = *read
		}
	})
}

// MarshalBinary encodes the model. Workers is not part of it: a decoded model uses
// all processors.
func (m *Classifier) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(classifierKind, formatVersion)
	m.fitted.write(w)
	w.Int(m.classes)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model; see [Network.UnmarshalBinary].
func (m *Classifier) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, classifierKind, formatVersion, func(r *codec.Reader, c *Classifier) {
		*c = Classifier{readFitted(r), r.Int()}
		if r.Err() == nil && (c.net.loss != CrossEntropy || !fitsClasses(c.net, c.classes)) {
			r.Fail("%d outputs of %s for %d classes", c.net.Outputs(), c.net.output(), c.classes)
		}
	})
}

// fitsClasses reports whether the outputs are those that FitClassifier makes.
func fitsClasses(n *Network, classes int) bool {
	if classes == 2 {
		return n.Outputs() == 1 && n.output() == Sigmoid
	}
	return n.Outputs() == classes && n.output() == Softmax
}

// MarshalBinary encodes the model; see [Classifier.MarshalBinary].
func (m *Regressor) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(regressorKind, formatVersion)
	m.fitted.write(w)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model; see [Network.UnmarshalBinary].
func (m *Regressor) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, regressorKind, formatVersion, func(r *codec.Reader, c *Regressor) {
		*c = Regressor{readFitted(r)}
		if r.Err() == nil && (c.net.Outputs() != 1 || c.net.output() != Linear) {
			r.Fail("%d outputs of %s for a regression", c.net.Outputs(), c.net.output())
		}
	})
}

// MarshalJSON encodes the network as a JSON object that carries its binary form.
func (n *Network) MarshalJSON() ([]byte, error) { return codec.ToJSON(networkKind, n) }

// UnmarshalJSON decodes what MarshalJSON made; see [Network.UnmarshalBinary].
func (n *Network) UnmarshalJSON(data []byte) error { return codec.FromJSON(networkKind, data, n) }

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *Classifier) MarshalJSON() ([]byte, error) { return codec.ToJSON(classifierKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [Network.UnmarshalBinary].
func (m *Classifier) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(classifierKind, data, m)
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *Regressor) MarshalJSON() ([]byte, error) { return codec.ToJSON(regressorKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [Network.UnmarshalBinary].
func (m *Regressor) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(regressorKind, data, m)
}

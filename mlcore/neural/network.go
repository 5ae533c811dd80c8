package neural

import (
	"fmt"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"gonum.org/v1/gonum/mat"
)

// A Dense describes a layer in which every unit sees all outputs of the layer
// before.
type Dense struct {
	// Units is the number of outputs, at least 1.
	Units int
	// Activation is applied to them; the zero value is [ReLU].
	Activation Activation
	// Init says how weights start.
	Init Init
	// Dropout is the chance, from 0 to below 1, that an output is set to 0 for
	// one row of one training step. The others are divided by 1-Dropout, so that
	// prediction needs no change (Srivastava et al., 2014, "Dropout: a simple way
	// to prevent neural networks from overfitting"). Only the training by a
	// [Config] drops; [Network.Forward] and [Network.Gradient] do not.
	Dropout float64
}

// A Network is a stack of dense layers with their parameters. Unlike fitted
// models it can be changed, through [Network.Params]; it must not be changed
// while another goroutine uses it.
type Network struct {
	// L1 and L2 are the strengths of the penalties on weights in [Network.Loss].
	L1, L2 float64

	inputs int
	layers []Dense
	loss   Loss
	params *Parameters
}

// NewNetwork makes a network of the given number of inputs and layers, the last
// of which gives the answer, and draws its parameters from the seed. Settings
// that make no sense are an error that wraps [mlcore.ErrConfig].
func NewNetwork(inputs int, layers []Dense, loss Loss, seed uint64) (*Network, error) {
	if err := checkLayers(inputs, layers, loss); err != nil {
		return nil, err
	}
	n := &Network{inputs: inputs, layers: slices.Clone(layers), loss: loss, params: newParameters(inputs, layers)}
	n.params.start(layers, seed)
	return n, nil
}

const (
	// largest bounds inputs and units.
	largest = 1 << 24
	// mostParameters bounds their number, to what an int counts everywhere.
	mostParameters = 1 << 28
)

func checkLayers(inputs int, layers []Dense, loss Loss) error {
	if inputs < 1 || inputs > largest {
		return configError("%d inputs; there are 1 to %d", inputs, largest)
	}
	if len(layers) == 0 {
		return configError("there are no layers; give at least the last one, whose units are the answer")
	}
	parameters, before := int64(0), inputs
	for l, d := range layers {
		parameters += int64(before+1) * int64(d.Units)
		before = d.Units
		switch {
		case d.Units < 1 || d.Units > largest:
			return configError("layer %d has %d units; there are 1 to %d, and in the last layer of a classifier one a class", l, d.Units, largest)
		case !d.Activation.known():
			return configError("layer %d: there is no Activation %d", l, int(d.Activation))
		case d.Init < AutoInit || d.Init > Xavier:
			return configError("layer %d: there is no Init %d", l, int(d.Init))
		case !(d.Dropout >= 0 && d.Dropout < 1):
			return configError("layer %d has Dropout %v; it is a chance of at least 0 and below 1", l, d.Dropout)
		case parameters > mostParameters:
			return configError("layers 0 to %d have %d parameters; at most %d fit", l, parameters, mostParameters)
		}
	}
	last := layers[len(layers)-1]
	switch {
	case loss != Squared && loss != CrossEntropy:
		return configError("there is no Loss %d", int(loss))
	case last.Dropout > 0:
		return configError("the last layer has Dropout; its outputs are the answer, drop in the layers before")
	case loss == CrossEntropy && last.Activation != Softmax && last.Activation != Sigmoid:
		return configError("cross-entropy needs probabilities; the last layer is %s, make it Softmax or Sigmoid", last.Activation)
	}
	return nil
}

func configError(format string, args ...any) error {
	return fmt.Errorf("neural: %w: %s", mlcore.ErrConfig, fmt.Sprintf(format, args...))
}

// Inputs is the number of columns of X.
func (n *Network) Inputs() int { return n.inputs }

// Outputs is the number of units of the last layer.
func (n *Network) Outputs() int {
	if len(n.layers) == 0 {
		return 0
	}
	return n.layers[len(n.layers)-1].Units
}

// Layers returns a copy of the description of the layers.
func (n *Network) Layers() []Dense { return slices.Clone(n.layers) }

// Params returns the parameters themselves, not a copy: changing them changes
// the network.
func (n *Network) Params() *Parameters { return n.params }

// Clone returns a network of its own with the same parameters.
func (n *Network) Clone() *Network {
	c := *n
	if n.params == nil {
		return &c
	}
	c.layers = slices.Clone(n.layers)
	c.params = parametersOf(slices.Clone(n.params.Values), n.inputs, c.layers)
	return &c
}

// output is the activation of the last layer.
func (n *Network) output() Activation { return n.layers[len(n.layers)-1].Activation }

// Forward returns the answers of the network to the rows of X, n×Outputs.
func (n *Network) Forward(X mat.Matrix) (*mat.Dense, error) {
	all, err := n.Activations(X)
	if err != nil {
		return nil, err
	}
	return all[len(all)-1], nil
}

// Activations returns a⁽¹⁾ … a⁽ᴸ⁾, what each layer makes of the rows of X. X
// must be finite and have as many columns as the network has inputs; answers
// that overflow are an error that wraps [mlcore.ErrNonFinite].
func (n *Network) Activations(X mat.Matrix) ([]*mat.Dense, error) {
	in, err := n.checkInput(X)
	if err != nil {
		return nil, err
	}
	out := make([]*mat.Dense, len(n.layers))
	for l, d := range n.layers {
		out[l] = mat.NewDense(in.n, d.Units, nil)
	}
	t := newTile(n)
	for lo := 0; lo < in.n; lo += tileRows {
		rows := min(tileRows, in.n-lo)
		t.load(in, lo, rows)
		n.forward(t, nil)
		for l := range out {
			copy(out[l].RawMatrix().Data[lo*n.layers[l].Units:], t.a[l].Data)
		}
		if err := checkAnswers(t.a[len(t.a)-1], lo); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// checkAnswers refuses answers that overflowed; row lo is the first.
func checkAnswers(a kernel.Matrix, lo int) error {
	for i, v := range a.Data {
		if v-v != 0 {
			return fmt.Errorf("neural: %w: the answer for row %d is %v; its features are too large for the weights, scale them as in training", mlcore.ErrNonFinite, lo+i/a.Cols, v)
		}
	}
	return nil
}

func (n *Network) checkInput(X mat.Matrix) (*input, error) {
	if err := mlcore.CheckFeatures(X, n.inputs); err != nil {
		return nil, fmt.Errorf("neural: %w", err)
	}
	if err := mlcore.CheckMatrix(X, false); err != nil {
		return nil, fmt.Errorf("neural: %w", err)
	}
	return newInput(X), nil
}

// Loss returns L of the package comment: the mean loss of the rows of X (n×inputs)
// with targets T (n×Outputs) and weights w (n, or nil: all 1), plus penalties.
func (n *Network) Loss(X, T mat.Matrix, w []float64) (float64, error) {
	_, loss, err := n.Gradient(X, T, w)
	return loss, err
}

// Gradient returns the derivatives of [Network.Loss] by all parameters, found by
// backpropagation, and the loss itself. [OneHot] makes T of class codes.
func (n *Network) Gradient(X, T mat.Matrix, w []float64) (*Parameters, float64, error) {
	in, err := n.checkInput(X)
	if err != nil {
		return nil, 0, err
	}
	t, err := n.checkTargets(T, in.n)
	if err != nil {
		return nil, 0, err
	}
	if err := mlcore.CheckWeights(w, in.n); err != nil {
		return nil, 0, fmt.Errorf("neural: %w", err)
	}
	b := newBackprop(n, data{in, t, w}, nil)
	rows := make([]int, in.n)
	for i := range rows {
		rows[i] = i
	}
	loss := b.gradient(rows, nil).loss
	if loss-loss != 0 {
		return nil, 0, fmt.Errorf("neural: %w: the loss is %v; scale the features or lower the learning rate", ErrDiverged, loss)
	}
	return b.sum, loss, nil
}

func (n *Network) checkTargets(T mat.Matrix, rows int) (targets, error) {
	if err := mlcore.CheckSize(T); err != nil {
		return targets{}, fmt.Errorf("neural: targets: %w", err)
	}
	if r, c := T.Dims(); r != rows || c != n.Outputs() {
		return targets{}, fmt.Errorf("neural: %w: T is %d×%d, want %d rows as X has and %d columns as the last layer", mlcore.ErrShape, r, c, rows, n.Outputs())
	}
	if err := mlcore.CheckMatrix(T, false); err != nil {
		return targets{}, fmt.Errorf("neural: targets: %w", err)
	}
	t := targets{values: mat.DenseCopyOf(T).RawMatrix().Data, outputs: n.Outputs()}
	if n.loss == CrossEntropy {
		for i, v := range t.values {
			if v < 0 || v > 1 {
				return targets{}, fmt.Errorf("neural: %w: target %v in row %d, column %d; cross-entropy takes 0 to 1", mlcore.ErrLabel, v, i/t.outputs, i%t.outputs)
			}
		}
	}
	return t, nil
}

// OneHot returns the targets of class codes: len(y)×classes, 1 in the column of
// the code and 0 elsewhere. A code out of range is an error that wraps
// [mlcore.ErrLabel].
func OneHot(y []int, classes int) (*mat.Dense, error) {
	if len(y) == 0 || classes < 1 {
		return nil, fmt.Errorf("neural: %w: %d labels of %d classes", mlcore.ErrEmpty, len(y), classes)
	}
	if err := mlcore.CheckLabels(y, len(y), classes); err != nil {
		return nil, fmt.Errorf("neural: %w", err)
	}
	T := mat.NewDense(len(y), classes, nil)
	for i, c := range y {
		T.Set(i, c, 1)
	}
	return T, nil
}

package neural

import (
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

type described = fitted.Model

// takes is what networks make of the columns of a Dataset.
var takes = fitted.Takes{Package: "neural", Numbers: true}

// trained is what classifiers and regressors share.
type trained struct {
	described
	net       *Network
	history   []Epoch
	status    mlcore.Status
	bestEpoch int
	workers   int
}

func (tr *training) trained() trained {
	return trained{net: tr.net, history: tr.history, status: tr.status, bestEpoch: tr.bestEpoch, workers: tr.cfg.Workers}
}

// NumFeatures is the number of columns that Predict expects.
func (m *trained) NumFeatures() int { return m.network().inputs }

// Network returns a copy of the trained network.
func (m *trained) Network() *Network { return m.network().Clone() }

// History returns what was measured in each epoch.
func (m *trained) History() []Epoch { return slices.Clone(m.history) }

// Status says how training ended: Converged if the training loss stopped falling,
// EarlyStopped if that of the validation rows did, IterationLimit after all epochs,
// Interrupted by Progress. Its Advice is about features or targets that should be
// scaled, and about a training that made the loss worse without an overflow.
func (m *trained) Status() mlcore.Status { return m.status.Clone() }

// BestEpoch is the number of the epoch, from 1, whose parameters the model has: with
// Patience and validation rows the epoch of least validation loss, otherwise the
// last.
func (m *trained) BestEpoch() int { return m.bestEpoch }

// network is the trained network, or one without layers.
func (m *trained) network() *Network {
	if m.net == nil {
		return &Network{}
	}
	return m.net
}

// answers calls f with the answer of the network to each row, from several
// goroutines.
func (m *trained) answers(in *input, f func(i int, a []float64)) error {
	last := len(m.net.layers) - 1
	tiles := (in.n + tileRows - 1) / tileRows
	return par.DoWith(tiles, m.workers, func() *tile { return newTile(m.net) }, func(t *tile, k int) error {
		lo := k * tileRows
		t.load(in, lo, min(tileRows, in.n-lo))
		m.net.forward(t, nil)
		if err := checkAnswers(t.a[last], lo); err != nil {
			return err
		}
		for i := range t.a[last].Rows {
			f(lo+i, t.a[last].Row(i))
		}
		return nil
	})
}

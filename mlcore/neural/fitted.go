package neural

import (
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// fitted is what classifiers and regressors share.
type fitted struct {
	net     *Network
	history []Epoch
	status  Status
	workers int
}

func (tr *training) fitted() fitted { return fitted{tr.net, tr.history, tr.status, tr.cfg.Workers} }

// NumFeatures is the number of columns that Predict expects.
func (m *fitted) NumFeatures() int { return m.net.inputs }

// Network returns a copy of the trained network.
func (m *fitted) Network() *Network { return m.net.Clone() }

// History returns what was measured in each epoch.
func (m *fitted) History() []Epoch { return slices.Clone(m.history) }

// Status says how training ended.
func (m *fitted) Status() Status {
	s := m.status
	s.Notes = slices.Clone(s.Notes)
	return s
}

// answers calls f with the answer of the network to each row, from several
// goroutines.
func (m *fitted) answers(in *input, f func(i int, a []float64)) error {
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

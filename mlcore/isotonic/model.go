package isotonic

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"gonum.org/v1/gonum/mat"
)

type described = fitted.Model

// A Model is a fitted monotone function. It is immutable and safe for concurrent use.
type Model struct {
	described
	x, y   []float64 // the corners, from left to right
	bounds OutOfBounds
}

var _ mlcore.Regressor = (*Model)(nil)

// NumFeatures is 1, the number of columns that Predict expects.
func (m *Model) NumFeatures() int { return min(len(m.x), 1) }

// Corners returns the corners of the function from left to right: X rises, and Y never
// falls, or never rises. The first and the last are at the least and the greatest
// training value.
func (m *Model) Corners() (X, Y []float64) { return slices.Clone(m.x), slices.Clone(m.y) }

// Predict returns the function at the values of X (n×1).
func (m *Model) Predict(X mat.Matrix) ([]float64, error) {
	if err := mlcore.CheckFeatures(X, m.NumFeatures()); err != nil {
		return nil, fmt.Errorf("isotonic: %w", err)
	}
	if err := mlcore.CheckMatrix(X, false); err != nil {
		return nil, fmt.Errorf("isotonic: %w", err)
	}
	n, _ := X.Dims()
	out := make([]float64, n)
	for i := range out {
		out[i] = m.at(X.At(i, 0))
	}
	return out, nil
}

func (m *Model) at(x float64) float64 {
	last := len(m.x) - 1
	if m.bounds == Missing && (x < m.x[0] || x > m.x[last]) {
		return math.NaN()
	}
	k := sort.SearchFloat64s(m.x, x) // the first corner that is not to the left
	switch {
	case k > last:
		return m.y[last]
	case k == 0 || m.x[k] == x:
		return m.y[k]
	}
	// In halves, as the difference of two finite numbers can overflow.
	left, right := m.x[k-1], m.x[k]
	share := (float64(x/2) - float64(left/2)) / (float64(right/2) - float64(left/2))
	if low, high := m.y[k-1], m.y[k]; math.IsInf(high-low, 0) {
		return float64(low*(1-share)) + float64(high*share)
	} else {
		return min(max(low+float64((high-low)*share), min(low, high)), max(low, high))
	}
}

var _ = archive.Register("isotonic.Model", 1, func(c *archive.Coder, m *Model) {
	c.Float64s("x", &m.x)
	c.Float64s("y", &m.y)
	archive.Enum(c, "out_of_bounds", &m.bounds, outOfBoundsNames...)
	if !c.Reading() {
		return
	}
	c.Check(len(m.x) >= 1 && len(m.x) == len(m.y), "%d and %d coordinates of corners", len(m.x), len(m.y))
	if !c.OK() {
		return
	}
	rises := m.y[len(m.y)-1] >= m.y[0]
	for i, x := range m.x {
		y := m.y[i]
		c.Check(x-x == 0 && y-y == 0, "corner %d at %v, %v", i, x, y)
		c.Check(i == 0 || x > m.x[i-1] && (y == m.y[i-1] || (y > m.y[i-1]) == rises), "corner %d at %v, %v is out of order", i, x, y)
	}
})

// MarshalBinary encodes the model as package modelfile does, for encoding/gob.
func (m *Model) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Model) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

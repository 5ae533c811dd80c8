package metrics

import (
	"encoding/json"
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
	"gonum.org/v1/gonum/mat"
)

var _ = archive.Register("metrics.ConfusionMatrix", 1, func(c *archive.Coder, m *ConfusionMatrix) {
	if !c.Reading() && m.classes == 0 {
		c.Refuse(errEmpty)
		return
	}
	classes, cells, names := m.classes, m.cells, m.names
	c.Int("classes", &classes)
	c.Float64s("counts", &cells)
	c.OptionalStrings("class_names", &names)
	if c.Reading() {
		if err := m.restore(classes, cells, names); err != nil {
			c.Fail("%v", err)
		}
	}
})

var errEmpty = fmt.Errorf("metrics: %w: the confusion matrix is empty", mlcore.ErrNotFitted)

// MarshalBinary implements encoding.BinaryMarshaler, and so gob.
func (m *ConfusionMatrix) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary restores what MarshalBinary wrote. Errors wrap
// mlcore.ErrCorrupt or mlcore.ErrVersion and leave m as it was.
func (m *ConfusionMatrix) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

type confusionJSON struct {
	ClassNames []string    `json:"class_names,omitempty"`
	Counts     [][]float64 `json:"counts"`
}

// MarshalJSON writes the counts as a list for each true class, and the class names
// if any were given.
func (m *ConfusionMatrix) MarshalJSON() ([]byte, error) {
	if m.classes == 0 {
		return nil, errEmpty
	}
	j := confusionJSON{ClassNames: m.names, Counts: make([][]float64, m.classes)}
	for k := range j.Counts {
		j.Counts[k] = m.row(k)
	}
	return json.Marshal(j)
}

// UnmarshalJSON restores what MarshalJSON wrote, to the bit. Errors wrap
// mlcore.ErrCorrupt and leave m as it was.
func (m *ConfusionMatrix) UnmarshalJSON(data []byte) error {
	var j confusionJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return fmt.Errorf("metrics: %w: %v", mlcore.ErrCorrupt, err)
	}
	var cells []float64
	for i, row := range j.Counts {
		if len(row) != len(j.Counts) {
			return fmt.Errorf("metrics: %w: %d counts in row %d of %d", mlcore.ErrCorrupt, len(row), i, len(j.Counts))
		}
		cells = append(cells, row...)
	}
	return m.restore(len(j.Counts), cells, j.ClassNames)
}

// restore takes over cells and names if a confusion matrix can be made of them.
func (m *ConfusionMatrix) restore(classes int, cells []float64, names []string) error {
	if classes < 1 || classes > maxClasses || len(cells) != classes*classes || names != nil && len(names) != classes {
		return fmt.Errorf("metrics: %w: %d classes, %d counts and %d names", mlcore.ErrCorrupt, classes, len(cells), len(names))
	}
	made, err := ConfusionFromCounts(mat.NewDense(classes, classes, cells))
	if err != nil {
		return fmt.Errorf("%w: %v", mlcore.ErrCorrupt, err)
	}
	made.names = names
	*m = *made
	return nil
}

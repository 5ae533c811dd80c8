package peers

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
)

// A table is a data set as the scripts read it.
type table struct {
	X [][]float64 `json:"X"`
	Y any         `json:"y"` // []int for classes, []float64 for numbers
}

type tables struct {
	Train table `json:"train"`
	Test  table `json:"test"`
}

func encodeTables(train, test *mlcore.Dataset) (tables, error) {
	a, err := encodeTable("train", train)
	if err != nil {
		return tables{}, err
	}
	b, err := encodeTable("test", test)
	return tables{a, b}, err
}

func encodeTable(name string, ds *mlcore.Dataset) (table, error) {
	if ds == nil || ds.Len() == 0 || ds.Y == nil && ds.Target == nil {
		return table{}, fmt.Errorf("peers: %s: %w: rows with class labels or a numeric target are needed", name, mlcore.ErrEmpty)
	}
	if err := mlcore.CheckMatrix(ds.X, false); err != nil {
		return table{}, fmt.Errorf("peers: %s: %w", name, err)
	}
	t := table{Y: ds.Y}
	if ds.Y == nil {
		t.Y = ds.Target
	}
	for i := range ds.Len() {
		t.X = append(t.X, ds.X.RawRowView(i))
	}
	return t, nil
}

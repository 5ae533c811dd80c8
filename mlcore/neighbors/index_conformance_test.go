package neighbors_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"gonum.org/v1/gonum/mat"
)

// A weight is 0 or not, and a row of weight 2 is no two rows.
func TestIndexConformance(t *testing.T) {
	for name, metric := range map[string]neighbors.Metric{"Euclidean": neighbors.Euclidean, "Manhattan": neighbors.Manhattan} {
		t.Run(name, func(t *testing.T) {
			config := func(workers int) neighbors.Config {
				return neighbors.Config{Neighbors: 1, Metric: metric, Workers: workers}
			}
			mlcoretest.Unsupervised(t, mlcoretest.Traits{CountsRows: true}, config, func(m *neighbors.Index, X mat.Matrix) ([]float64, error) {
				_, distances, err := m.Neighbors(X, 0)
				if err != nil {
					return nil, err
				}
				return mat.Col(nil, 0, distances), nil
			})
		})
	}
}

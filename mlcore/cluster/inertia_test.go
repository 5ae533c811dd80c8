package cluster_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"gonum.org/v1/gonum/mat"
)

// Where weights have a part in an inertia that overflows, the error says so.
func TestInertiaThatOverflows(t *testing.T) {
	X := mat.NewDense(3, 1, []float64{0, 1e10, 4e10})
	for _, tc := range []struct {
		unit float64
		w    []float64
		says string
	}{
		{1, []float64{1e300, 1e300, 1e300}, "or the weights"},
		{1e150, nil, "scale the columns down"},
	} {
		far := mat.NewDense(3, 1, nil)
		far.Scale(tc.unit, X)
		_, err := cluster.KMeansConfig{Clusters: 1}.Fit(mlcore.FromMatrix[int](far, nil, tc.w))
		if !errors.Is(err, mlcore.ErrNonFinite) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("weights %v: error %v, want one that says %q", tc.w, err, tc.says)
		}
	}
}

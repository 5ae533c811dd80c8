package preprocess

import (
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/gonum/mat"
)

// subset is a transformer that hands on some of the columns.
type subset struct {
	shape
	kept []int // ascending
}

func newSubset(columns []mlcore.Column, kept []int) subset {
	s := subset{shape{in: slices.Clone(columns)}, kept}
	s.describe()
	return s
}

// describe derives the columns that come out.
func (s *subset) describe() { s.out = given.Pick(s.in, s.kept) }

// Kept returns the places, ascending, of the columns that are handed on.
func (s *subset) Kept() []int { return slices.Clone(s.kept) }

func (s *subset) mapRow(dst, src []float64) (int, error) {
	for k, j := range s.kept {
		dst[k] = src[j]
	}
	return 0, nil
}

// Transform leaves columns out; see [Transformer].
func (s *subset) Transform(ds *mlcore.Dataset) (*mlcore.Dataset, error) { return transform(s, ds) }

// TransformRows leaves columns out; see [Transformer].
func (s *subset) TransformRows(X mat.Matrix) (*mat.Dense, error) { return transformRows(s, X) }

// onColumns returns the Dataset with the columns at the given places.
func onColumns(ds *mlcore.Dataset, places []int) *mlcore.Dataset {
	out := *ds
	out.Columns, out.X = given.Pick(ds.Columns, places), mat.NewDense(ds.Len(), len(places), nil)
	for i := range ds.Len() {
		dst, src := out.X.RawRowView(i), ds.X.RawRowView(i)
		for k, j := range places {
			dst[k] = src[j]
		}
	}
	return &out
}

package preprocess

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"gonum.org/v1/gonum/mat"
)

// KNNImputerConfig replaces missing numbers by the mean of those that the nearest training
// rows have in the column (Troyanskaya et al., 2001, "Missing value estimation methods for
// DNA microarrays"). The distance of two rows is Euclidean over the columns in which
// neither misses a value: the root of the sum of squares, times the number of all imputed
// columns over the number of these. A row that shares no column with any training row that
// has the number gets the column's mean. Bring columns to one scale first; the scalers
// leave missing values as they are.
//
// Categories are neither imputed nor part of the distance; [ImputerConfig] is for them.
// The zero value imputes all numeric columns by five neighbours that count equally.
type KNNImputerConfig struct {
	// Neighbors is the number of neighbours, all where there are fewer that have the number; 0
	// means neighbors.DefaultNeighbors. Of rows that are equally far the first is taken.
	Neighbors int
	// Weights says how much a neighbour counts: neighbors.Uniform, the default, or
	// neighbors.InverseDistance.
	Weights neighbors.Weights
	// Columns names those to impute and to measure distances by; nil means all numeric
	// ones.
	Columns []string
}

// Fit keeps the training rows. A column without any value is an error that wraps
// [mlcore.ErrEmpty].
func (c KNNImputerConfig) Fit(train *mlcore.Dataset) (*KNNImputer, error) {
	switch {
	case c.Neighbors < 0:
		return nil, configError("Neighbors is %d; it is at least 1", c.Neighbors)
	case c.Weights != neighbors.Uniform && c.Weights != neighbors.InverseDistance:
		return nil, configError("Weights is %d; neighbours count alike (neighbors.Uniform) or by neighbors.InverseDistance", int(c.Weights))
	}
	picked, err := start(train, c.Columns, numeric)
	if err != nil {
		return nil, err
	}
	m := &KNNImputer{shape: shape{slices.Clone(train.Columns), slices.Clone(train.Columns)}, picked: picked, k: c.Neighbors, byDistance: c.Weights == neighbors.InverseDistance}
	if m.k == 0 {
		m.k = neighbors.DefaultNeighbors
	}
	for _, j := range picked {
		v := present(train, j)
		if len(v) == 0 {
			return nil, columnError(train, mlcore.ErrEmpty, j, "has no value in the training rows; drop it")
		}
	}
	for i := range train.Len() {
		row, whole := train.X.RawRowView(i), false
		for _, j := range picked {
			whole = whole || row[j] == row[j]
		}
		if !whole {
			continue // it is nobody's neighbour
		}
		for _, j := range picked {
			m.rows = append(m.rows, row[j])
		}
	}
	m.average()
	return m, nil
}

// FitStep is Fit for a pipeline.
func (c KNNImputerConfig) FitStep(train *mlcore.Dataset) (FittedStep, error) {
	return fitStep(c.Fit, train)
}

// A KNNImputer is a fitted [KNNImputerConfig]. It holds the training rows.
type KNNImputer struct {
	shape
	picked     []int
	k          int
	byDistance bool
	rows       []float64 // the picked columns of the training rows, row by row
	means      []float64 // of the picked columns
}

// average derives the means of the columns.
func (m *KNNImputer) average() {
	m.means = make([]float64, len(m.picked))
	for p := range m.picked {
		var v []float64
		for at := p; at < len(m.rows); at += len(m.picked) {
			if x := m.rows[at]; x == x {
				v = append(v, x)
			}
		}
		m.means[p] = given.Mean(v, nil)
	}
}

// Means returns the mean of each column's training rows, NaN for a column that is not
// imputed.
func (m *KNNImputer) Means() []float64 {
	out := slices.Repeat([]float64{math.NaN()}, len(m.in))
	for p, j := range m.picked {
		out[j] = m.means[p]
	}
	return out
}

// rowCost is about how many numbers are looked at for one row.
func (m *KNNImputer) rowCost() int { return len(m.rows) }

func (m *KNNImputer) mapRow(dst, src []float64) (int, error) {
	copy(dst, src)
	var gaps []donors
	query := make([]float64, len(m.picked))
	for p, j := range m.picked {
		if query[p] = src[j]; query[p] != query[p] {
			gaps = append(gaps, donors{column: p})
		}
	}
	if gaps == nil {
		return 0, nil
	}
	for at := 0; at < len(m.rows); at += len(query) {
		row := m.rows[at : at+len(query)]
		if d := nanEuclidean(query, row); d == d {
			for g := range gaps {
				gaps[g].offer(m.k, d, row[gaps[g].column])
			}
		}
	}
	for g := range gaps {
		j := m.picked[gaps[g].column]
		if dst[j] = m.means[gaps[g].column]; len(gaps[g].values) > 0 {
			dst[j] = gaps[g].mean(m.byDistance)
		}
	}
	return 0, nil
}

// nanEuclidean is the distance over the columns in which neither row misses a value,
// scaled up to all of them; NaN where there is no such column.
func nanEuclidean(a, b []float64) float64 {
	sum, shared := 0.0, 0
	for j, v := range a {
		if d := v - b[j]; d == d {
			sum += float64(d * d)
			shared++
		}
	}
	if shared == 0 {
		return math.NaN()
	}
	all := float64(len(a)) / float64(shared)
	if sum > 1e-280 && sum < 1e300 || sum == 0 && slices.Equal(a, b) {
		return math.Sqrt(sum * all)
	}
	// Squares that leave the range of float64 are taken in another unit.
	greatest := 0.0
	for j, v := range a {
		if d := math.Abs(v - b[j]); d > greatest {
			greatest = d
		}
	}
	if greatest == 0 || math.IsInf(greatest, 1) {
		return greatest
	}
	sum = 0
	for j, v := range a {
		if d := (v - b[j]) / greatest; d == d {
			sum += float64(d * d)
		}
	}
	return greatest * math.Sqrt(sum*all)
}

// donors are the nearest training rows that have a number in a column, nearest first.
type donors struct {
	column            int // among the picked ones
	distances, values []float64
}

// offer shows a training row to a gap. A row that lacks the number too is passed over.
func (g *donors) offer(k int, distance, value float64) {
	n := len(g.distances)
	if value != value || n == k && distance >= g.distances[n-1] {
		return
	}
	if n == k {
		g.distances, g.values = g.distances[:n-1], g.values[:n-1]
	}
	at := len(g.distances)
	for at > 0 && g.distances[at-1] > distance {
		at--
	}
	g.distances, g.values = slices.Insert(g.distances, at, distance), slices.Insert(g.values, at, value)
}

// mean is that of the values, weighted by 1/distance if asked; values at distance 0 then
// decide alone.
func (g *donors) mean(byDistance bool) float64 {
	nearest := g.distances[0]
	if !byDistance || math.IsInf(nearest, 1) {
		return given.Mean(g.values, nil)
	}
	w := make([]float64, len(g.values))
	for i, d := range g.distances {
		switch {
		case d == nearest:
			w[i] = 1
		case nearest > 0:
			w[i] = nearest / d // 1/d, in a unit in which it cannot overflow
		}
	}
	return given.Mean(g.values, w)
}

// Transform fills in missing numbers; see [Transformer].
func (m *KNNImputer) Transform(ds *mlcore.Dataset) (*mlcore.Dataset, error) {
	return transform(m, ds)
}

// TransformRows fills in missing numbers; see [Transformer].
func (m *KNNImputer) TransformRows(X mat.Matrix) (*mat.Dense, error) { return transformRows(m, X) }

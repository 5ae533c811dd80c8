package metrics_test

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"gonum.org/v1/gonum/mat"
)

// By hand, on a line. Of 0, 2 and 10 the first two are a cluster: (10-2)/10 and (8-2)/8.
// A number that no row has is no cluster.
func TestSilhouetteByHand(t *testing.T) {
	for _, c := range []struct {
		x      []float64
		labels []int
		want   []float64
	}{
		{[]float64{0, 2, 10}, []int{0, 0, 1}, []float64{0.8, 0.75, 0}},
		{[]float64{0, 2, 10}, []int{3, 3, 1}, []float64{0.8, 0.75, 0}},
		{[]float64{0, 0, 5}, []int{0, 0, 1}, []float64{1, 1, 0}},
		{[]float64{7, 7, 7, 7}, []int{0, 0, 1, 1}, []float64{0, 0, 0, 0}},
		{[]float64{0, 10, 1, 11}, []int{0, 0, 1, 1}, []float64{-0.4, -0.5, -0.5, -0.4}},
	} {
		got := must[[]float64](t)(metrics.Silhouette(mat.NewDense(len(c.x), 1, c.x), c.labels))
		nearAll(t, "silhouette", got, c.want)
	}
}

// By hand: 0, 2 and 10, 12 have means 1 and 11, 5 from 6, so that B = 4·25 and W = 4.
func TestCalinskiHarabaszByHand(t *testing.T) {
	for _, c := range []struct {
		x      []float64
		labels []int
		want   float64
	}{
		{[]float64{0, 2, 10, 12}, []int{0, 0, 1, 1}, 50},
		{[]float64{0, 10, 2, 12}, []int{4, 1, 4, 1}, 50},
		{[]float64{0, 0, 5, 5}, []int{0, 0, 1, 1}, math.Inf(1)},
		// The means 1.5 and 6.5 are 5/3 and 10/3 from that of all: B = 2·25/9 + 100/9, W = 1/2.
		{[]float64{1, 2, 6.5}, []int{0, 0, 1}, (2*25./9 + 100./9) / 0.5},
	} {
		got := must[float64](t)(metrics.CalinskiHarabasz(mat.NewDense(len(c.x), 1, c.x), c.labels))
		if got != c.want {
			near(t, "ratio", got, c.want)
		}
	}
}

// By hand: of the six pairs of four rows two are together in either grouping and none in
// both, where 2·2/6 are expected and (2+2)/2 the most: (0 - 2/3)/(2 - 2/3).
func TestAdjustedRandByHand(t *testing.T) {
	for _, c := range []struct {
		a, b []int
		want float64
	}{
		{[]int{0, 0, 1, 1}, []int{0, 1, 0, 1}, -0.5},
		{[]int{0, 0, 1, 1}, []int{5, 5, 2, 2}, 1},
		{[]int{0, 0, 0}, []int{1, 1, 1}, 1},
		{[]int{0, 1, 2}, []int{2, 0, 1}, 1},
		{[]int{0, 0, 0}, []int{0, 1, 2}, 0},
		{[]int{0}, []int{3}, 1},
		// One pair is together in a, three in b, one in both; of six pairs 1/2 is expected.
		{[]int{0, 0, 1, 2}, []int{0, 0, 0, 1}, (1 - 0.5) / (2 - 0.5)},
	} {
		near(t, "adjusted Rand", must[float64](t)(metrics.AdjustedRand(c.a, c.b)), c.want)
		near(t, "the other way round", must[float64](t)(metrics.AdjustedRand(c.b, c.a)), c.want)
	}
}

// The unit of X changes neither score, however small: a power of two changes no digit, and
// squares of the smallest values here would be 0.
func TestClustersOfTinyValues(t *testing.T) {
	values, labels := []float64{0, 1, 3, 10, 12, 17}, []int{0, 0, 0, 1, 1, 1}
	X := mat.NewDense(6, 1, values)
	silhouettes := must[[]float64](t)(metrics.Silhouette(X, labels))
	ratio := must[float64](t)(metrics.CalinskiHarabasz(X, labels))
	for _, power := range []int{-300, -530, -700, -1060} {
		tiny := mat.NewDense(6, 1, nil)
		for i, v := range values {
			tiny.Set(i, 0, math.Ldexp(v, power))
		}
		if got := must[[]float64](t)(metrics.Silhouette(tiny, labels)); !slices.Equal(got, silhouettes) {
			t.Errorf("silhouettes of values times 2^%d: %v, want %v", power, got, silhouettes)
		}
		if got := must[float64](t)(metrics.CalinskiHarabasz(tiny, labels)); got != ratio {
			t.Errorf("Calinski-Harabasz of values times 2^%d: %v, want %v", power, got, ratio)
		}
		if got := tiny.At(1, 0); got != math.Ldexp(1, power) {
			t.Errorf("X was changed: %v", got)
		}
	}
}

func TestClustersRefused(t *testing.T) {
	X := mat.NewDense(3, 1, []float64{0, 1, 2})
	far := mat.NewDense(3, 1, []float64{0, 1e200, 2})
	for name, score := range map[string]func(X mat.Matrix, labels []int) error{
		"Silhouette":       func(X mat.Matrix, labels []int) error { return second(metrics.Silhouette(X, labels)) },
		"CalinskiHarabasz": func(X mat.Matrix, labels []int) error { return second(metrics.CalinskiHarabasz(X, labels)) },
	} {
		check(t, name+" of one cluster", score(X, []int{0, 0, 0}), mlcore.ErrLabel, "1 clusters of 3 rows")
		check(t, name+" of one cluster, not the first", score(X, []int{1, 1, 1}), mlcore.ErrLabel, "1 clusters of 3 rows")
		check(t, name+" of rows alone", score(X, []int{0, 1, 2}), mlcore.ErrLabel, "3 clusters of 3 rows")
		check(t, name+" of two rows", score(X, []int{0, 1}), mlcore.ErrShape)
		check(t, name+" of a negative label", score(X, []int{0, -1, 0}), mlcore.ErrLabel)
		check(t, name+" of nothing", score(nil, nil), mlcore.ErrEmpty)
		check(t, name+" of rows far apart", score(far, []int{0, 0, 1}), mlcore.ErrNonFinite, "overflow")
	}
	check(t, "AdjustedRand of nothing", second(metrics.AdjustedRand(nil, nil)), mlcore.ErrEmpty)
	check(t, "AdjustedRand of 2 and 1", second(metrics.AdjustedRand([]int{0, 1}, []int{0})), mlcore.ErrShape)
	check(t, "AdjustedRand of -1", second(metrics.AdjustedRand([]int{0, 1}, []int{0, -1})), mlcore.ErrLabel)
}

package preprocess

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"gonum.org/v1/gonum/mat"
)

// information tells how much columns say about the target of a Dataset.
type information struct {
	ds      *mlcore.Dataset
	k       int
	seed    uint64
	level   bool      // whether the target is constant
	target  []float64 // ready for distances; nil with class labels
	digamma []float64 // of 0, which is not used, and of the whole numbers to n + 1
}

func (c SelectConfig) newInformation(ds *mlcore.Dataset) (*information, error) {
	m := &information{ds: ds, k: c.Neighbors, seed: c.Seed, level: level(ds.Y)}
	if m.k == 0 {
		m.k = defaultNeighbors
	}
	if n := ds.Len(); m.k >= n {
		return nil, configError("Neighbors is %d; there are %d rows", m.k, n)
	}
	// ψ(n) = 1 + 1/2 + ... + 1/(n-1) - γ; of γ as much comes in as goes out.
	m.digamma = make([]float64, ds.Len()+2)
	for n := 2; n < len(m.digamma); n++ {
		m.digamma[n] = m.digamma[n-1] + 1/float64(n-1)
	}
	if ds.Y == nil {
		m.level = given.Constant(extremes(ds.Target))
		m.target = apart(ds.Target, mlcore.NewRand(c.Seed))
	}
	return m, nil
}

// about returns the mutual information of column j and the target.
func (m *information) about(j int) (float64, error) {
	var codes []int // of a categorical column
	if c := m.ds.Columns[j]; c.Categorical() {
		codes = make([]int, m.ds.Len())
		for i := range codes {
			codes[i] = len(c.Levels) // a missing value is a level of its own
			if v := m.ds.X.At(i, j); v == v {
				codes[i] = int(v)
			}
		}
	}
	values := column(m.ds, j)
	numbers := func() []float64 { return apart(values, mlcore.NewRand(m.seed, uint64(j)+1)) }
	switch {
	// Of what is constant, the noise would remain, or the rounding of sums.
	case m.level, codes != nil && level(codes), codes == nil && given.Constant(extremes(values)):
		return 0, nil
	case codes != nil && m.target == nil:
		return ofCategories(codes, m.ds.Y), nil
	case codes != nil:
		return m.ofBoth(m.target, codes), nil
	case m.target == nil:
		return m.ofBoth(numbers(), m.ds.Y), nil
	}
	return m.ofNumbers(numbers(), m.target)
}

// level says whether all codes are equal, as those of no slice are.
func level(v []int) bool {
	return !slices.ContainsFunc(v, func(x int) bool { return x != v[0] })
}

// apart returns numbers with a mean of 0 and a standard deviation of 1, with so little
// noise that it matters only where two are equal.
func apart(v []float64, rng *rand.Rand) []float64 {
	out := centred(slices.Clone(v))
	if out == nil {
		out = make([]float64, len(v))
	}
	_, variance := meanVariance(out)
	sd := 1.0
	if variance > 0 {
		sd = math.Sqrt(variance)
	}
	for i, x := range out {
		out[i] = x/sd + float64(1e-10*(float64(2*float64(rng.Float64()))-1))
	}
	return out
}

// ofCategories is Σ p(a, b) log(p(a, b) / p(a)p(b)) over the pairs that occur.
func ofCategories(a, b []int) float64 {
	rows, columns := slices.Max(a)+1, slices.Max(b)+1
	type pair struct{ a, b int }
	joint, ofA, ofB := map[pair]float64{}, make([]float64, rows), make([]float64, columns)
	var pairs []pair
	for i := range a {
		p := pair{a[i], b[i]}
		if joint[p] == 0 {
			pairs = append(pairs, p)
		}
		joint[p]++
		ofA[a[i]]++
		ofB[b[i]]++
	}
	n, sum := float64(len(a)), 0.0
	for _, p := range pairs { // in the order of the rows
		both := joint[p]
		sum += float64(both / n * elementary.Log(float64(both/ofA[p.a])*(n/ofB[p.b])))
	}
	return max(0, sum)
}

// ofBoth is Ross's estimate for numbers and categories. With n_x rows in the category of
// a row and m_x rows of any category as near as the k-th nearest of its own, it is the
// mean of ψ(n) + ψ(k) - ψ(n_x) - ψ(m_x). Categories of one row are left out.
func (m *information) ofBoth(v []float64, codes []int) float64 {
	byCode := make([][]float64, slices.Max(codes)+1)
	for i, c := range codes {
		byCode[c] = append(byCode[c], v[i])
	}
	var all []float64
	for _, own := range byCode {
		if len(own) > 1 {
			all = append(all, own...)
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	sum := 0.0
	for _, own := range byCode {
		if len(own) < 2 {
			continue
		}
		slices.Sort(own)
		k := min(m.k, len(own)-1)
		for i, x := range own {
			radius := math.Nextafter(kthNearest(own, i, k), 0)
			sum += m.digamma[k] - m.digamma[len(own)] - m.digamma[within(all, x, radius)]
		}
	}
	return max(0, m.digamma[len(all)]+sum/float64(len(all)))
}

// kthNearest is the distance from element i of sorted numbers to the k-th nearest other
// one.
func kthNearest(sorted []float64, i, k int) float64 {
	lo, hi, d := i-1, i+1, 0.0
	for range k {
		if lo >= 0 && (hi >= len(sorted) || sorted[i]-sorted[lo] <= sorted[hi]-sorted[i]) {
			d = sorted[i] - sorted[lo]
			lo--
		} else {
			d = sorted[hi] - sorted[i]
			hi++
		}
	}
	return d
}

// within counts the sorted numbers at most radius from x.
func within(sorted []float64, x, radius float64) int {
	lo := sort.Search(len(sorted), func(i int) bool { return x-sorted[i] <= radius })
	hi := sort.Search(len(sorted), func(i int) bool { return sorted[i]-x > radius })
	return hi - lo
}

// ofNumbers is the first estimate of Kraskov et al. for two columns of numbers. With n_x
// and n_y rows nearer in x and in y alone than the k-th nearest in both, it is the mean
// of ψ(n) + ψ(k) - ψ(n_x + 1) - ψ(n_y + 1).
func (m *information) ofNumbers(x, y []float64) (float64, error) {
	n := len(x)
	both := mat.NewDense(n, 2, nil)
	for i := range n {
		both.SetRow(i, []float64{x[i], y[i]})
	}
	nearest := neighbors.Config{Neighbors: m.k + 1, Metric: neighbors.Chebyshev, Workers: 1}
	fitted, err := nearest.FitRegressor(mlcore.FromMatrix(both, y, nil))
	if err != nil {
		return 0, err
	}
	_, distances, err := fitted.Neighbors(both, m.k+1)
	if err != nil {
		return 0, err
	}
	byX, byY := slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y))
	sum := 0.0
	for i := range n {
		radius := math.Nextafter(distances.At(i, m.k), 0) // place 0 is the row itself
		sum += m.digamma[within(byX, x[i], radius)] + m.digamma[within(byY, y[i], radius)]
	}
	return max(0, m.digamma[n]+m.digamma[m.k]-sum/float64(n)), nil
}

package cluster_test

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"gonum.org/v1/gonum/mat"
)

func blobs(n, d, k int, seed uint64) *mat.Dense {
	rng := mlcore.NewRand(seed)
	centres := mat.NewDense(k, d, nil)
	centres.Apply(func(_, _ int, _ float64) float64 { return 3 * rng.NormFloat64() }, centres)
	return datasets.MakeBlobs(n, centres, 1, seed).X
}

// Lloyd's algorithm as the textbooks have it, looking at every centre for every row.
func plainLloyd(X *mat.Dense, k int) []int {
	n, d := X.Dims()
	centres := mat.DenseCopyOf(X.Slice(0, k, 0, d))
	labels := slices.Repeat([]int{-1}, n)
	for {
		changed := false
		sums, counts := mat.NewDense(k, d, nil), make([]float64, k)
		for i := range n {
			best, least := 0, math.Inf(1)
			for c := range k {
				s := 0.0
				for j := range d {
					s += (X.At(i, j) - centres.At(c, j)) * (X.At(i, j) - centres.At(c, j))
				}
				if s < least {
					best, least = c, s
				}
			}
			changed = changed || labels[i] != best
			labels[i] = best
			counts[best]++
			for j := range d {
				sums.Set(best, j, sums.At(best, j)+X.At(i, j))
			}
		}
		if !changed {
			return labels
		}
		for c := range k {
			for j := range d {
				centres.Set(c, j, sums.At(c, j)/counts[c])
			}
		}
	}
}

// The bounds that spare distances change nothing.
func TestKMeansIsPlainLloyd(t *testing.T) {
	for _, tc := range []struct{ n, d, k int }{{3000, 2, 5}, {2500, 8, 20}, {1200, 30, 3}, {700, 1, 30}} {
		X := blobs(tc.n, tc.d, 6, uint64(tc.n))
		m, err := cluster.KMeansConfig{Centres: X.Slice(0, tc.k, 0, tc.d), Tol: -1, MaxIter: 10000}.Fit(mlcore.FromMatrix[int](X, nil, nil))
		if err != nil {
			t.Fatal(err)
		}
		if want := plainLloyd(X, tc.k); !slices.Equal(m.Labels(), want) {
			t.Errorf("%+v: clusters differ from those of looking at every centre", tc)
		}
	}
}

// By hand: 0, 1 and 10, 11 with centres at 0.5 and 10.5; the row 5.5 is as far from
// either and goes to the lower.
func TestKMeansByHand(t *testing.T) {
	X := mat.NewDense(4, 1, []float64{0, 10, 1, 11})
	m, err := cluster.KMeansConfig{Centres: X.Slice(0, 2, 0, 1)}.Fit(mlcore.FromMatrix[int](X, nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m.Labels(), []int{0, 1, 0, 1}) || m.Inertia() != 1 || m.Centres().At(0, 0) != 0.5 || m.Centres().At(1, 0) != 10.5 {
		t.Errorf("clusters %v around %v with inertia %v", m.Labels(), data(m.Centres()), m.Inertia())
	}
	got, err := m.Predict(mat.NewDense(4, 1, []float64{5.5, 5.6, -1e300, 1e300}))
	if err != nil || !slices.Equal(got, []int{0, 1, 0, 1}) {
		t.Errorf("clusters %v (%v) of a row amid both, one a little above it and two far away", got, err)
	}
}

// A row whose distance in units of the clusters is beyond the greatest number still lies
// on one side of them.
func TestPredictFromAfar(t *testing.T) {
	X := mat.NewDense(2, 1, []float64{0, 1e-20})
	m, err := cluster.KMeansConfig{Centres: X}.Fit(mlcore.FromMatrix[int](X, nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Predict(mat.NewDense(2, 1, []float64{-1e300, 1e300}))
	if err != nil || !slices.Equal(got, []int{0, 1}) {
		t.Errorf("clusters %v (%v), want 0 below and 1 above", got, err)
	}
	// Straight above the middle of three centres on a line, the one nearest to it.
	X = mat.NewDense(3, 2, []float64{0, 0, 1e-20, 0, 5e-20, 0})
	if m, err = (cluster.KMeansConfig{Centres: X}).Fit(mlcore.FromMatrix[int](X, nil, nil)); err != nil {
		t.Fatal(err)
	}
	if got, err = m.Predict(mat.NewDense(1, 2, []float64{2e-20, 1e300})); err != nil || got[0] != 1 {
		t.Errorf("cluster %v (%v), want 1", got, err)
	}
}

// A cluster that nobody is nearest to gets the row that is farthest from its centre:
// here 9, which then is a centre of its own.
func TestEmptyCluster(t *testing.T) {
	X := mat.NewDense(4, 1, []float64{0, 1, 2, 9})
	m, err := cluster.KMeansConfig{Centres: mat.NewDense(2, 1, []float64{1, 1000}), Tol: -1}.Fit(mlcore.FromMatrix[int](X, nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m.Labels(), []int{0, 0, 0, 1}) || m.Inertia() != 2 {
		t.Errorf("clusters %v with inertia %v, want 9 alone and inertia 2", m.Labels(), m.Inertia())
	}
}

func TestSameRows(t *testing.T) {
	X := mat.NewDense(6, 2, slices.Repeat([]float64{3, -1}, 6))
	for _, init := range []cluster.Init{cluster.PlusPlus, cluster.RandomRows} {
		m, err := cluster.KMeansConfig{Clusters: 3, Init: init}.Fit(mlcore.FromMatrix[int](X, nil, nil))
		if err != nil || m.Inertia() != 0 || m.Centres().At(0, 1) != -1 {
			t.Errorf("%v: %v", init, err)
		}
	}
	if _, err := (cluster.MixtureConfig{Components: 2}).Fit(mlcore.FromMatrix[int](X, nil, nil)); err != nil {
		t.Errorf("mixture: %v", err)
	}
}

// A row of weight 2 counts as two rows, and a row of weight 0 does not move anything.
func TestWeightsAreRepeats(t *testing.T) {
	X := blobs(60, 3, 3, 1)
	w := make([]float64, 60)
	var rows []float64
	var start []int
	labels := make([]int, 60)
	for i := range w {
		w[i], labels[i] = float64(i%3), i%2
		for range i % 3 {
			rows = append(rows, X.RawRowView(i)...)
			start = append(start, i%2)
		}
	}
	repeated := mat.NewDense(len(rows)/3, 3, rows)
	centres := X.Slice(0, 3, 0, 3)
	a, err := cluster.KMeansConfig{Centres: centres, Tol: -1}.Fit(mlcore.FromMatrix[int](X, nil, w))
	b, err2 := cluster.KMeansConfig{Centres: centres, Tol: -1}.Fit(mlcore.FromMatrix[int](repeated, nil, nil))
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	near(t, "centres", data(a.Centres()), data(b.Centres()), 1e-12)
	near(t, "inertia", []float64{a.Inertia()}, []float64{b.Inertia()}, 1e-12)
	for shape := cluster.Full; shape <= cluster.Spherical; shape++ {
		c := cluster.MixtureConfig{Components: 2, Covariance: shape, Labels: labels}
		a, err := c.Fit(mlcore.FromMatrix[int](X, nil, w))
		c.Labels = start
		b, err2 := c.Fit(mlcore.FromMatrix[int](repeated, nil, nil))
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		near(t, "means", data(a.Means()), data(b.Means()), 1e-9)
		near(t, "likelihood", []float64{a.LogLikelihood()}, []float64{b.LogLikelihood()}, 1e-9)
	}
	p, err := cluster.DensityConfig{}.Fit(mlcore.FromMatrix[int](X, nil, w))
	q, err2 := cluster.DensityConfig{}.Fit(mlcore.FromMatrix[int](repeated, nil, nil))
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	pd, err := p.LogDensity(X)
	qd, err2 := q.LogDensity(X)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	near(t, "density", pd, qd, 1e-12)
}

// The same bits for any number of workers, and the clusters of the training rows are
// those that the model predicts, also after it was saved.
func TestWorkersAndFiles(t *testing.T) {
	X := blobs(3000, 4, 5, 2)
	var want []byte
	for _, workers := range []int{1, 2, 7} {
		k, err := cluster.KMeansConfig{Clusters: 6, Starts: 2, Seed: 3, Workers: workers}.Fit(mlcore.FromMatrix[int](X, nil, nil))
		if err != nil {
			t.Fatal(err)
		}
		g, err := cluster.MixtureConfig{Components: 3, Seed: 3, Workers: workers}.Fit(mlcore.FromMatrix[int](X, nil, nil))
		if err != nil {
			t.Fatal(err)
		}
		d, err := cluster.DensityConfig{Bandwidth: 0.5, Workers: workers}.Fit(mlcore.FromMatrix[int](mat.DenseCopyOf(X.Slice(0, 200, 0, 4)), nil, nil))
		if err != nil {
			t.Fatal(err)
		}
		var got []byte
		for _, m := range []any{k, g, d} {
			binary, err := modelfile.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			text, err := modelfile.MarshalJSON(m)
			if err != nil {
				t.Fatal(err)
			}
			got = append(append(got, binary...), text...)
		}
		if want == nil {
			want = got
		} else if !slices.Equal(got, want) {
			t.Errorf("%d workers: other models than with 1", workers)
		}
		binary, err := modelfile.Marshal(k)
		if err != nil {
			t.Fatal(err)
		}
		back, err := modelfile.Unmarshal[*cluster.KMeans](binary)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []*cluster.KMeans{k, back} {
			if labels, err := m.Predict(X); err != nil || !slices.Equal(labels, k.Labels()) {
				t.Errorf("%d workers: the training rows are predicted elsewhere (%v)", workers, err)
			}
		}
	}
}

// Another unit or another origin finds the same clusters.
func TestUnitsAndOrigin(t *testing.T) {
	X := blobs(400, 3, 4, 5)
	want, err := cluster.KMeansConfig{Clusters: 4, Seed: 1}.Fit(mlcore.FromMatrix[int](X, nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ scale, offset float64 }{{0x1p500, 0}, {0x1p-500, 0}, {0x1p-700, 0}, {1, 1 << 20}, {1, 1 << 30}, {0x1p-20, 16}} {
		moved := mat.DenseCopyOf(X)
		moved.Apply(func(_, _ int, v float64) float64 { return v*tc.scale + tc.offset }, moved)
		m, err := cluster.KMeansConfig{Clusters: 4, Seed: 1}.Fit(mlcore.FromMatrix[int](moved, nil, nil))
		if err != nil {
			if tc.scale == 0x1p500 && errors.Is(err, mlcore.ErrNonFinite) {
				continue // the inertia is beyond the greatest number
			}
			t.Fatalf("%+v: %v", tc, err)
		}
		if !slices.Equal(m.Labels(), want.Labels()) {
			t.Errorf("%+v: other clusters", tc)
		}
	}
}

// More starts find nothing worse, and a seed gives the same model again.
func TestStarts(t *testing.T) {
	X := blobs(500, 2, 9, 8)
	inertia := func(starts int, init cluster.Init, seed uint64) float64 {
		m, err := cluster.KMeansConfig{Clusters: 9, Init: init, Starts: starts, Seed: seed}.Fit(mlcore.FromMatrix[int](X, nil, nil))
		if err != nil {
			t.Fatal(err)
		}
		return m.Inertia()
	}
	for _, init := range []cluster.Init{cluster.PlusPlus, cluster.RandomRows} {
		if one, ten := inertia(1, init, 4), inertia(10, init, 4); ten > one {
			t.Errorf("%v: inertia %v after one start, %v after ten", init, one, ten)
		}
		if inertia(1, init, 5) != inertia(1, init, 5) {
			t.Errorf("%v: one seed gave two models", init)
		}
	}
	// The mean over seeds, where careful seeding pays: Arthur & Vassilvitskii, 2007.
	careful, careless := 0.0, 0.0
	for seed := range uint64(20) {
		careful += inertia(1, cluster.PlusPlus, seed)
		careless += inertia(1, cluster.RandomRows, seed)
	}
	if careful >= careless {
		t.Errorf("inertia %v with k-means++, %v from random rows, over 20 seeds", careful/20, careless/20)
	}
}

// The likelihood of EM never falls (Dempster, Laird & Rubin, 1977).
func TestLikelihoodRises(t *testing.T) {
	X := blobs(300, 2, 3, 6)
	for shape := cluster.Full; shape <= cluster.Spherical; shape++ {
		m, err := cluster.MixtureConfig{Components: 4, Covariance: shape, Tol: 1e-9, MaxIter: 500, Seed: 2}.Fit(mlcore.FromMatrix[int](X, nil, nil))
		if err != nil {
			t.Fatal(err)
		}
		loss := m.Status().Loss
		for i := 1; i < len(loss); i++ {
			if loss[i] > loss[i-1]+1e-6 { // the ridge may cost a little
				t.Errorf("%v: loss %v after %v", shape, loss[i], loss[i-1])
			}
		}
	}
}

func TestRefused(t *testing.T) {
	X := blobs(10, 2, 2, 1)
	bad := mat.DenseCopyOf(X)
	bad.Set(3, 1, math.NaN())
	flat := mat.NewDense(2, 2, nil)
	zero := make([]float64, 10)
	type fit func() error
	kMeans := func(c cluster.KMeansConfig, X *mat.Dense, w []float64) fit {
		return func() error { _, err := c.Fit(mlcore.FromMatrix[int](X, nil, w)); return err }
	}
	mixture := func(c cluster.MixtureConfig, X *mat.Dense, w []float64) fit {
		return func() error { _, err := c.Fit(mlcore.FromMatrix[int](X, nil, w)); return err }
	}
	density := func(c cluster.DensityConfig, X *mat.Dense) fit {
		return func() error { _, err := c.Fit(mlcore.FromMatrix[int](X, nil, nil)); return err }
	}
	for _, tc := range []struct {
		name string
		fit  fit
		want error
		says string
	}{
		{"no rows", kMeans(cluster.KMeansConfig{}, nil, nil), mlcore.ErrEmpty, ""},
		{"NaN", kMeans(cluster.KMeansConfig{Clusters: 2}, bad, nil), mlcore.ErrNonFinite, "row 3"},
		{"weights", kMeans(cluster.KMeansConfig{Clusters: 2}, X, zero), mlcore.ErrWeight, ""},
		{"too many", kMeans(cluster.KMeansConfig{Clusters: 11}, X, nil), mlcore.ErrConfig, "Clusters is 11"},
		{"too many by weight", kMeans(cluster.KMeansConfig{Clusters: 2}, X, append([]float64{1}, zero[1:]...)), mlcore.ErrConfig, "from 1 to 1"},
		{"negative", kMeans(cluster.KMeansConfig{Clusters: -1}, X, nil), mlcore.ErrConfig, "Clusters is -1"},
		{"init", kMeans(cluster.KMeansConfig{Clusters: 2, Init: 7}, X, nil), mlcore.ErrConfig, "Init(7)"},
		{"starts", kMeans(cluster.KMeansConfig{Clusters: 2, Starts: -1}, X, nil), mlcore.ErrConfig, "Starts"},
		{"iterations", kMeans(cluster.KMeansConfig{Clusters: 2, MaxIter: -1}, X, nil), mlcore.ErrConfig, "MaxIter"},
		{"tolerance", kMeans(cluster.KMeansConfig{Clusters: 2, Tol: math.NaN()}, X, nil), mlcore.ErrConfig, "Tol"},
		{"centres", kMeans(cluster.KMeansConfig{Centres: mat.NewDense(2, 3, nil)}, X, nil), mlcore.ErrConfig, "2×3"},
		{"centres and K", kMeans(cluster.KMeansConfig{Centres: flat, Clusters: 3}, X, nil), mlcore.ErrConfig, "Clusters is 3"},
		{"components", mixture(cluster.MixtureConfig{Components: 11}, X, nil), mlcore.ErrConfig, "Components is 11"},
		{"shape", mixture(cluster.MixtureConfig{Covariance: 9}, X, nil), mlcore.ErrConfig, "Covariance(9)"},
		{"ridge", mixture(cluster.MixtureConfig{RegCovar: -1}, X, nil), mlcore.ErrConfig, "RegCovar"},
		{"labels", mixture(cluster.MixtureConfig{Components: 2, Labels: []int{0, 1}}, X, nil), mlcore.ErrShape, "Labels"},
		{"scale", mixture(cluster.MixtureConfig{Components: 1}, mat.NewDense(2, 1, []float64{-1e300, 1e300}), nil), mlcore.ErrNonFinite, ""},
		{"bandwidth", density(cluster.DensityConfig{Bandwidth: -1}, X), mlcore.ErrConfig, "Bandwidth"},
		{"kernel", density(cluster.DensityConfig{Kernel: 8}, X), mlcore.ErrConfig, "Kernel(8)"},
	} {
		if err := tc.fit(); !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: error %v, want one that wraps %v and says %q", tc.name, err, tc.want, tc.says)
		}
	}
	m, err := cluster.KMeansConfig{Clusters: 2}.Fit(mlcore.FromMatrix[int](X, nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Predict(mat.NewDense(1, 3, nil)); !errors.Is(err, mlcore.ErrShape) {
		t.Errorf("a row of three columns gave %v", err)
	}
	for _, empty := range []interface {
		Predict(X mat.Matrix) ([]int, error)
	}{new(cluster.KMeans), new(cluster.Mixture)} {
		if _, err := empty.Predict(X); !errors.Is(err, mlcore.ErrNotFitted) {
			t.Errorf("%T that was not fitted gave %v", empty, err)
		}
	}
	if _, err := new(cluster.Density).LogDensity(X); !errors.Is(err, mlcore.ErrNotFitted) {
		t.Errorf("a density that was not fitted gave %v", err)
	}
}

// A model knows the columns of its Dataset and refuses others.
func TestFitOfDatasets(t *testing.T) {
	iris, err := datasets.LoadDataset("iris")
	if err != nil {
		t.Fatal(err)
	}
	m, err := cluster.KMeansConfig{Clusters: 3, Starts: 5, Seed: 1}.Fit(iris)
	if err != nil {
		t.Fatal(err)
	}
	if s := m.Schema(); s == nil || s.Columns[2].Name != iris.Columns[2].Name || s.ClassNames != nil {
		t.Errorf("schema %+v", s)
	}
	near(t, "inertia of iris", []float64{m.Inertia()}, []float64{peers(t).Iris}, 1e-12)
	car, err := datasets.LoadDataset("car")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (cluster.KMeansConfig{Clusters: 3}).Fit(car); !errors.Is(err, mlcore.ErrColumn) {
		t.Errorf("categories gave %v", err)
	}
}

// A row so far away that the squares of the others vanish beside its own. Worked by hand:
// the first centres are the rows' own places, which cost nothing.
func TestKMeansWithOneCentreFarAway(t *testing.T) {
	for _, far := range []float64{1e3, 1e7, 1e9, 1e12} {
		X := mat.NewDense(5, 1, []float64{0, 0, 1, 1, far})
		m, err := cluster.KMeansConfig{Centres: mat.NewDense(3, 1, []float64{0, 1, far})}.Fit(mlcore.FromMatrix[int](X, nil, nil))
		if err != nil {
			t.Fatal(err)
		}
		want := []int{0, 0, 1, 1, 2}
		if !slices.Equal(m.Labels(), want) || m.Inertia() > 1e-6 {
			t.Errorf("far %v: clusters %v and inertia %v; want %v and 0", far, m.Labels(), m.Inertia(), want)
		}
		if got, err := m.Predict(X); err != nil || !slices.Equal(got, want) {
			t.Errorf("far %v: predicted clusters %v (%v), want %v", far, got, err, want)
		}
	}
}

// Every row has the cluster whose centre is nearest by the squared differences, which
// lose no digits, and which are summed here in 200 binary digits.
func TestKMeansLabelsAreNearest(t *testing.T) {
	for _, far := range []float64{0, 1e5, 1e9, 1e14} {
		X := blobs(700, 20, 6, 9)
		row := X.RawRowView(350)
		for j := range row {
			row[j] += far
		}
		for _, workers := range []int{1, 3} {
			m, err := cluster.KMeansConfig{Clusters: 8, Workers: workers}.Fit(mlcore.FromMatrix[int](X, nil, nil))
			if err != nil {
				t.Fatal(err)
			}
			predicted, err := m.Predict(X)
			if err != nil {
				t.Fatal(err)
			}
			centres := m.Centres()
			for i, label := range m.Labels() {
				if own := exactSquare(X.RawRowView(i), centres.RawRowView(label)); predicted[i] != label {
					t.Fatalf("far %v: row %d is in cluster %d and predicted in %d", far, i, label, predicted[i])
				} else {
					for k := range m.NumClusters() {
						if exactSquare(X.RawRowView(i), centres.RawRowView(k)) < own*(1-1e-12) {
							t.Fatalf("far %v: row %d is in cluster %d, and centre %d is nearer", far, i, label, k)
						}
					}
				}
			}
		}
	}
}

// exactSquare is the square of a distance, rounded once.
func exactSquare(a, b []float64) float64 {
	sum := new(big.Float).SetPrec(200)
	for j, v := range a {
		diff := new(big.Float).SetPrec(200).SetFloat64(v)
		diff.Sub(diff, new(big.Float).SetFloat64(b[j]))
		sum.Add(sum, diff.Mul(diff, diff))
	}
	square, _ := sum.Float64()
	return square
}

// What is added to rows and queries alike changes no density: the differences are the
// same numbers, since all are eighths.
func TestDensityFarFromZero(t *testing.T) {
	rows, queries := []float64{0, 0.5, 1.125, 3, 7.25}, []float64{0.25, 2.75, 9}
	at := func(offset, unit float64) []float64 {
		X, Q := mat.NewDense(len(rows), 1, nil), mat.NewDense(len(queries), 1, nil)
		for i, v := range rows {
			X.Set(i, 0, (v+offset)*unit)
		}
		for i, v := range queries {
			Q.Set(i, 0, (v+offset)*unit)
		}
		m, err := cluster.DensityConfig{Bandwidth: 0.3 * unit}.Fit(mlcore.FromMatrix[int](X, nil, nil))
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.LogDensity(Q)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	want := at(0, 1)
	for _, offset := range []float64{0x1p30, -0x1p49} {
		for i, got := range at(offset, 1) {
			if math.Abs(got-want[i]) > 1e-13*math.Abs(want[i]) {
				t.Errorf("%v added: log density %d is %v, want %v", offset, i, got, want[i])
			}
		}
	}
	// At the ends of the range, the density has the unit's reciprocal.
	for _, unit := range []float64{0x1p-1000, 0x1p1000, 0x1p1020} {
		for i, got := range at(0, unit) {
			if w := want[i] - math.Log(unit); math.Abs(got-w) > 1e-13*math.Abs(w) {
				t.Errorf("in units of %v: log density %d is %v, want %v", unit, i, got, w)
			}
		}
	}
}

// The documented rule: the model is that of the start with the lowest inertia. The first
// starts of one seed are the same whatever their number, so one more start never gives a
// higher inertia, also where a start ends before its centres have stopped.
func TestBestStartHasTheLowestInertia(t *testing.T) {
	changes := 0
	for _, c := range []cluster.KMeansConfig{{MaxIter: 1, Tol: -1}, {MaxIter: 2, Tol: -1}, {Tol: 10}} {
		for seed := range uint64(6) {
			X := unlabelled(blobs(80, 2, 5, seed))
			c.Clusters, c.Init, c.Seed = 6, cluster.RandomRows, seed
			least := math.Inf(1)
			for c.Starts = 1; c.Starts <= 6; c.Starts++ {
				m := must[*cluster.KMeans](t)(c.Fit(X))
				if m.Inertia() > least {
					t.Errorf("%+v: inertia %v, and %v with one start less", c, m.Inertia(), least)
				}
				if m.Inertia() < least {
					least = m.Inertia()
					changes++
				}
			}
		}
	}
	if changes < 30 {
		t.Errorf("only %d starts were better than those before, which tests little", changes)
	}
}

// The earliest start counts on a tie. By hand: two rows are two clusters of inertia 0, and a
// start differs from another only in which row is cluster 0; a mixture of two components
// starts from these clusters and is as likely either way.
func TestEarliestStartOnATie(t *testing.T) {
	pair := unlabelled(mat.NewDense(2, 1, []float64{-1, 1}))
	four := unlabelled(mat.NewDense(4, 1, []float64{-5, -4, 4, 5}))
	first := map[float64]bool{}
	for seed := range uint64(10) {
		one := must[*cluster.KMeans](t)(cluster.KMeansConfig{Clusters: 2, Seed: seed, Starts: 1}.Fit(pair))
		five := must[*cluster.KMeans](t)(cluster.KMeansConfig{Clusters: 2, Seed: seed, Starts: 5}.Fit(pair))
		if !mat.Equal(one.Centres(), five.Centres()) || five.Inertia() != 0 {
			t.Errorf("seed %d: centres %v after five starts with inertia %v, %v after the first", seed, data(five.Centres()), five.Inertia(), data(one.Centres()))
		}
		a := must[*cluster.Mixture](t)(cluster.MixtureConfig{Components: 2, Seed: seed, Starts: 1}.Fit(four))
		b := must[*cluster.Mixture](t)(cluster.MixtureConfig{Components: 2, Seed: seed, Starts: 5}.Fit(four))
		if a.LogLikelihood() == b.LogLikelihood() && !mat.Equal(a.Means(), b.Means()) {
			t.Errorf("seed %d: means %v after five starts, %v after the first", seed, data(b.Means()), data(a.Means()))
		}
		first[one.Centres().At(0, 0)] = true
	}
	if len(first) != 2 {
		t.Error("all seeds put the same row first, which tests nothing")
	}
}

// The inertia is the sum of the squared distances of the rows from their centres, of 1, 511,
// 512 and 513 rows and more: blocks of 512 rows are worked on at a time.
func TestInertiaByDefinition(t *testing.T) {
	for _, n := range []int{1, 2, 511, 512, 513, 1023, 1024, 1300} {
		X := blobs(n, 2, 3, uint64(n))
		w := make([]float64, n)
		for i := range w {
			w[i] = float64(1 + i%3)
		}
		m := must[*cluster.KMeans](t)(cluster.KMeansConfig{Clusters: min(3, n)}.Fit(mlcore.FromMatrix[int](X, nil, w)))
		want, centres := 0.0, m.Centres()
		distances := must[*mat.Dense](t)(m.Distances(X))
		predicted := must[[]int](t)(m.Predict(X))
		for i, k := range m.Labels() {
			least := math.Inf(1)
			for c := range m.NumClusters() {
				square := exactSquare(X.RawRowView(i), centres.RawRowView(c))
				least = min(least, square)
				if got := distances.At(i, c); math.Abs(got-math.Sqrt(square)) > 1e-12*(1+got) {
					t.Fatalf("%d rows: row %d is %v from centre %d, want %v", n, i, got, c, math.Sqrt(square))
				}
			}
			if own := exactSquare(X.RawRowView(i), centres.RawRowView(k)); own > least*(1+1e-12) || predicted[i] != k {
				t.Fatalf("%d rows: row %d is in cluster %d and predicted in %d, and another centre is nearer", n, i, k, predicted[i])
			}
			want += w[i] * least
		}
		near(t, "inertia", []float64{m.Inertia()}, []float64{want}, 1e-12)
		g := must[*cluster.Mixture](t)(cluster.MixtureConfig{MaxIter: 2}.Fit(mlcore.FromMatrix[int](X, nil, w)))
		density, mean, total := must[[]float64](t)(g.LogDensity(X)), 0.0, 0.0
		for i, v := range density {
			mean += w[i] * v
			total += w[i]
		}
		near(t, "mean log density", []float64{g.LogLikelihood()}, []float64{mean / total}, 1e-12)
	}
}

// By hand: the centre moves from 3 to the mean 1 of 0 and 2, whose variance is 1. The
// squared move is 4 variances, which is no larger than 4, and the fit ends there; it is
// larger than 3.9, and the second iteration finds that no row changes its cluster. Nothing
// moves where all rows are alike.
func TestToleranceMetExactly(t *testing.T) {
	for _, c := range []struct {
		rows       []float64
		centre     float64
		tol        float64
		iterations int
	}{{[]float64{0, 2}, 3, 4, 1}, {[]float64{0, 2}, 3, 3.9, 2}, {[]float64{7, 7, 7}, 7, 0, 1}} {
		X := unlabelled(mat.NewDense(len(c.rows), 1, c.rows))
		m := must[*cluster.KMeans](t)(cluster.KMeansConfig{Centres: mat.NewDense(1, 1, []float64{c.centre}), Tol: c.tol}.Fit(X))
		if s := m.Status(); s.Iterations != c.iterations || s.Outcome != mlcore.Converged || s.Advice != "" {
			t.Errorf("%+v: %+v", c, s)
		}
	}
}

// A fit that MaxIter stops says so and what to do; one that has converged advises nothing.
func TestStatusSaysHowAFitEnded(t *testing.T) {
	X := unlabelled(blobs(200, 2, 4, 3))
	k := cluster.KMeansConfig{Clusters: 4, Init: cluster.RandomRows, Starts: 1, Tol: -1}
	g := cluster.MixtureConfig{Components: 3, Tol: 1e-6, MaxIter: 1000}
	for _, c := range []struct {
		name            string
		stopped, onward mlcore.Status
	}{
		{"k-means", func() mlcore.Status {
			c := k
			c.MaxIter = 1
			return must[*cluster.KMeans](t)(c.Fit(X)).Status()
		}(), must[*cluster.KMeans](t)(k.Fit(X)).Status()},
		{"a mixture", func() mlcore.Status {
			c := g
			c.MaxIter = 2
			return must[*cluster.Mixture](t)(c.Fit(X)).Status()
		}(), must[*cluster.Mixture](t)(g.Fit(X)).Status()},
	} {
		if c.stopped.Outcome != mlcore.IterationLimit || !strings.Contains(c.stopped.Advice, "raise MaxIter") {
			t.Errorf("%s stopped by MaxIter: %+v", c.name, c.stopped)
		}
		if c.onward.Outcome != mlcore.Converged || c.onward.Advice != "" {
			t.Errorf("%s in its own time: %+v", c.name, c.onward)
		}
	}
}

// The status of a mixture by its documentation: Loss has the mean negative log likelihood
// before each iteration, Measure is the last change of it, and a start ends when that is
// less than Tol, not when it is equal to it. 0 means 1e-3.
func TestMixtureStatus(t *testing.T) {
	X := unlabelled(blobs(200, 2, 4, 3))
	fit := func(maxIter int, tol float64) mlcore.Status {
		return must[*cluster.Mixture](t)(cluster.MixtureConfig{Components: 3, Tol: tol, MaxIter: maxIter}.Fit(X)).Status()
	}
	three := fit(3, 1e-12)
	if len(three.Loss) != 3 || three.Iterations != 3 {
		t.Fatalf("%+v, want the losses of three iterations", three)
	}
	if want := math.Abs(three.Loss[2] - three.Loss[1]); three.Measure != want || want == 0 {
		t.Errorf("measure %v, want the last change %v", three.Measure, want)
	}
	if at := fit(100, three.Measure); at.Iterations <= 3 {
		t.Errorf("ends after %d iterations, where the change is equal to Tol", at.Iterations)
	}
	if above := fit(100, three.Measure*1.01); above.Iterations > 3 || above.Outcome != mlcore.Converged {
		t.Errorf("%+v, want the end after at most three iterations", above)
	}
	if got, want := fit(0, 0), fit(100, 1e-3); got.Iterations != want.Iterations || got.Iterations < 3 || fit(100, 1e-4).Iterations == want.Iterations {
		t.Errorf("%d iterations by default, %d with Tol 1e-3", got.Iterations, want.Iterations)
	}
}

// By hand: with one component, the covariance is that of the rows, 5/2 and 1/2 with the
// covariance 1/2, and RegCovar is added to the variances alone. A ball has the mean variance.
func TestRegCovarIsAddedToVariances(t *testing.T) {
	X := unlabelled(mat.NewDense(4, 2, []float64{-2, -1, -1, 1, 1, 0, 2, 0}))
	for shape, want := range map[cluster.Covariance][]float64{
		cluster.Full: {2.75, 0.25, 0.25, 0.75}, cluster.Tied: {2.75, 0.25, 0.25, 0.75}, cluster.Diagonal: {2.75, 0, 0, 0.75}, cluster.Spherical: {1.75, 0, 0, 1.75},
	} {
		m := must[*cluster.Mixture](t)(cluster.MixtureConfig{Covariance: shape, RegCovar: 0.25}.Fit(X))
		near(t, shape.String(), data(mat.DenseCopyOf(m.Covariance(0))), want, 1e-12)
	}
}

// By hand: of -5 and 5, which are as far from the centre 0, the empty cluster gets the
// lower row. Of 600 rows it gets the last, in another block of rows than the first.
func TestEmptyClusterGetsTheFarthestRow(t *testing.T) {
	m := must[*cluster.KMeans](t)(cluster.KMeansConfig{Centres: mat.NewDense(2, 1, []float64{0, 1000}), MaxIter: 1, Tol: -1}.Fit(unlabelled(mat.NewDense(3, 1, []float64{-5, 0, 5}))))
	near(t, "centres", data(m.Centres()), []float64{2.5, -5}, 1e-12)
	X := mat.NewDense(600, 1, nil)
	for i := range 600 {
		X.Set(i, 0, float64(i%3))
	}
	X.Set(599, 0, 50)
	m = must[*cluster.KMeans](t)(cluster.KMeansConfig{Centres: mat.NewDense(2, 1, []float64{1, 1000})}.Fit(unlabelled(X)))
	if want := append(make([]int, 599), 1); !slices.Equal(m.Labels(), want) || m.Centres().At(1, 0) != 50 {
		t.Errorf("row 599 is not alone: centres %v", data(m.Centres()))
	}
}

// By hand: 0 is farthest from its centre, -5, but alone there, so that another cluster
// would be empty in place of the third, which gets 10.5 instead. Of three rows around 0.1
// the two farthest leave, 3 first and then -0.5, and the last stays.
func TestEmptyClusterLeavesNoOtherEmpty(t *testing.T) {
	for _, c := range []struct {
		rows, weights, centres, want []float64
		labels                       []int
	}{
		{[]float64{0, 10, 10.5}, nil, []float64{-5, 10, 1000}, []float64{0, 10, 10.5}, []int{0, 1, 2}},
		{[]float64{0, 10, 10.5}, []float64{0.1, 0.2, 0.3}, []float64{-5, 10, 1000}, []float64{0, 10, 10.5}, []int{0, 1, 2}},
		{[]float64{-0.5, 0, 3}, []float64{0.1, 0.2, 0.3}, []float64{0.1, 1000, 2000}, []float64{0, 3, -0.5}, []int{2, 0, 1}},
		// What rounding leaves of 0.1 + 0.2 + 0.3 - 0.3 - 0.2 is more than 0.1.
		{[]float64{10, 20, 30, 1000, 1001}, []float64{0.1, 0.2, 0.3, 1, 1}, []float64{0, 1000, 5000, 6000, 7000}, []float64{10, 1000, 30, 20, 1001}, []int{0, 3, 2, 1, 4}},
	} {
		m := must[*cluster.KMeans](t)(cluster.KMeansConfig{Centres: mat.NewDense(len(c.centres), 1, c.centres), Tol: -1}.Fit(mlcore.FromMatrix[int](mat.NewDense(len(c.rows), 1, c.rows), nil, c.weights)))
		near(t, "centres", data(m.Centres()), c.want, 1e-12)
		if !slices.Equal(m.Labels(), c.labels) || m.Inertia() > 1e-20 {
			t.Errorf("%+v: clusters %v with inertia %v", c, m.Labels(), m.Inertia())
		}
	}
}

// A row of weight 0 does not matter, not even where its squared distance is beyond the
// greatest number.
func TestRowOfNoWeightFarAway(t *testing.T) {
	X := mat.NewDense(5, 1, []float64{0, 10, 1, 11, 1e200})
	m, err := cluster.KMeansConfig{Clusters: 2}.Fit(mlcore.FromMatrix[int](X, nil, []float64{1, 1, 1, 1, 0}))
	if err != nil || m.Inertia() != 1 {
		t.Errorf("inertia %v (%v), want 1", m.Inertia(), err)
	}
}

// A centre that cannot be said in the units of the rows is an error that names its column:
// nine rows of ten at one end of the range have their mean near it, and what is taken from
// it at the other end is beyond the greatest number.
func TestCentreBeyondTheGreatestNumber(t *testing.T) {
	for column := range 2 {
		X := mat.NewDense(10, 2, nil)
		for i := range 10 {
			X.Set(i, column, -1.7e308)
		}
		X.Set(9, column, 1.7e308)
		for _, last := range []int{0, 1} {
			first := mat.NewDense(2, 2, nil)
			first.SetRow(1-last, X.RawRowView(0))
			first.SetRow(last, X.RawRowView(9))
			_, err := cluster.KMeansConfig{Centres: first}.Fit(unlabelled(X))
			if want := "column " + string(rune('0'+column)); !errors.Is(err, mlcore.ErrNonFinite) || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want an error about %s", err, want)
			}
		}
	}
}

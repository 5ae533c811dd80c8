package cluster_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"gonum.org/v1/gonum/mat"
)

func unlabelled(X *mat.Dense) *mlcore.Dataset { return mlcore.FromMatrix[int](X, nil, nil) }

func agglomerate(t *testing.T, c cluster.AgglomerativeConfig, X *mat.Dense) *cluster.Agglomerative {
	t.Helper()
	m, err := c.Fit(unlabelled(X))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// By hand: 0 and 1, then 10 and 12, then both. Between the pairs are 12 at most, 9 at
// least, 10.5 in the mean, and √(2·2·2/4)·10.5 by Ward.
func TestMergesByHand(t *testing.T) {
	X := mat.NewDense(4, 1, []float64{0, 10, 1, 12})
	for linkage, last := range map[cluster.Linkage]float64{
		cluster.Single: 9, cluster.Complete: 12, cluster.Average: 10.5, cluster.Ward: math.Sqrt2 * 10.5,
	} {
		m := agglomerate(t, cluster.AgglomerativeConfig{Linkage: linkage}, X)
		got := m.Merges()
		want := []cluster.Merge{{A: 0, B: 2, Distance: 1, Size: 2}, {A: 1, B: 3, Distance: 2, Size: 2}, {A: 4, B: 5, Distance: last, Size: 4}}
		for k := range want {
			if math.Abs(got[k].Distance-want[k].Distance) > 1e-12 {
				t.Errorf("%v: merge %d at %v, want %v", linkage, k, got[k].Distance, want[k].Distance)
			}
			if want[k].Distance = got[k].Distance; got[k] != want[k] {
				t.Errorf("%v: merge %d is %+v, want %+v", linkage, k, got[k], want[k])
			}
		}
		if !slices.Equal(m.Labels(), []int{0, 1, 0, 1}) {
			t.Errorf("%v: clusters %v", linkage, m.Labels())
		}
		if got := m.CutAt(2); !slices.Equal(got, []int{0, 1, 0, 2}) {
			t.Errorf("%v: clusters %v of merges below 2; the one at 2 is not made", linkage, got)
		}
		if got, err := m.Cut(4); err != nil || !slices.Equal(got, []int{0, 1, 2, 3}) {
			t.Errorf("%v: four clusters are %v (%v)", linkage, got, err)
		}
	}
}

// Copies, a grid full of ties, a single row, values far out and far from 0: the merges
// are a tree whose distances never fall, and copies are merged first, at 0.
func TestMergesOfHostileRows(t *testing.T) {
	rng := mlcore.NewRand(6)
	copies := mat.NewDense(20, 2, nil)
	grid := mat.NewDense(36, 2, nil)
	for i := range 36 {
		grid.SetRow(i, []float64{float64(i % 6), float64(i / 6)})
	}
	for i := range 20 {
		copies.SetRow(i, []float64{float64(i % 5), float64(i%5) * 3})
	}
	far := blobs(30, 3, 2, 4)
	far.Scale(1e300, far)
	moved := blobs(30, 3, 2, 4)
	moved.Apply(func(_, _ int, v float64) float64 { return v + 1e9 }, moved)
	tiny := blobs(30, 3, 2, 4)
	tiny.Scale(1e-300, tiny)
	random := mat.NewDense(50, 1, nil)
	random.Apply(func(_, _ int, _ float64) float64 { return float64(rng.IntN(9)) }, random)
	for name, X := range map[string]*mat.Dense{
		"copies": copies, "grid": grid, "one row": mat.NewDense(1, 2, nil), "all alike": mat.NewDense(9, 3, nil),
		"far": far, "moved": moved, "tiny": tiny, "whole numbers": random,
	} {
		n, _ := X.Dims()
		for linkage := cluster.Ward; linkage <= cluster.Single; linkage++ {
			m := agglomerate(t, cluster.AgglomerativeConfig{Linkage: linkage}, X)
			merges := m.Merges()
			if len(merges) != n-1 || n > 1 && merges[n-2].Size != n {
				t.Errorf("%s, %v: %d merges of %d rows", name, linkage, len(merges), n)
			}
			for k, p := range merges {
				if !(p.Distance >= 0) || k > 0 && p.Distance < merges[k-1].Distance {
					t.Errorf("%s, %v: merge %d at %v", name, linkage, k, p.Distance)
				}
			}
			switch name {
			case "copies":
				if merges[14].Distance != 0 || !(merges[15].Distance > 0) {
					t.Errorf("%v: 15 copies, and merges at %v", linkage, merges)
				}
			case "grid":
				if linkage == cluster.Single && merges[n-2].Distance != 1 {
					t.Errorf("the points of a grid are merged at %v by single linkage, want 1", merges[n-2].Distance)
				}
			case "far", "moved", "tiny":
				want := agglomerate(t, cluster.AgglomerativeConfig{Linkage: linkage}, blobs(30, 3, 2, 4))
				if !slices.Equal(m.Labels(), want.Labels()) {
					t.Errorf("%s, %v: other clusters", name, linkage)
				}
			}
		}
	}
}

// Ward's merges add to the inertia what they say: half the square of the distance.
func TestWardIsInertia(t *testing.T) {
	X := blobs(50, 3, 4, 7)
	m := agglomerate(t, cluster.AgglomerativeConfig{}, X)
	total := 0.0
	for k := 50; k >= 1; k-- {
		labels, err := m.Cut(k)
		if err != nil {
			t.Fatal(err)
		}
		sums, counts := mat.NewDense(k, 3, nil), make([]float64, k)
		for i, c := range labels {
			counts[c]++
			for j := range 3 {
				sums.Set(c, j, sums.At(c, j)+X.At(i, j))
			}
		}
		inertia := 0.0
		for i, c := range labels {
			for j := range 3 {
				d := X.At(i, j) - sums.At(c, j)/counts[c]
				inertia += d * d
			}
		}
		if math.Abs(inertia-total) > 1e-9*max(1, total) {
			t.Fatalf("%d clusters have an inertia of %v, by the merges %v", k, inertia, total)
		}
		if k > 1 {
			d := m.Merges()[50-k].Distance
			total += d * d / 2
		}
	}
}

// By hand: on a line, 0 to 4 are a chain of which 1 to 3 are core samples, 4.9 is at the
// border by its neighbour 4 alone if that is one, and 100 is noise.
func TestDBSCANByHand(t *testing.T) {
	X := mat.NewDense(7, 1, []float64{0, 1, 2, 3, 4, 4.9, 100})
	for _, c := range []struct {
		cfg          cluster.DBSCANConfig
		w            []float64
		labels, core []int
	}{
		{cluster.DBSCANConfig{Eps: 1, MinSamples: 3}, nil, []int{0, 0, 0, 0, 0, 0, -1}, []int{1, 2, 3, 4}},
		{cluster.DBSCANConfig{Eps: 0.95, MinSamples: 2}, nil, []int{-1, -1, -1, -1, 0, 0, -1}, []int{4, 5}},
		{cluster.DBSCANConfig{Eps: 1, MinSamples: 4}, nil, []int{-1, -1, -1, -1, -1, -1, -1}, nil},
		{cluster.DBSCANConfig{Eps: 1, MinSamples: 4}, []float64{1, 2, 1, 1, 1, 1, 9}, []int{0, 0, 0, 0, -1, -1, 1}, []int{1, 2, 6}},
		// A row of weight 0 is at the border at most: 2 does not join 1 and 3.
		{cluster.DBSCANConfig{Eps: 1, MinSamples: 2}, []float64{1, 1, 0, 1, 1, 1, 1}, []int{0, 0, 0, 1, 1, 1, -1}, []int{0, 1, 3, 4, 5}},
	} {
		m, err := c.cfg.Fit(mlcore.FromMatrix[int](X, nil, c.w))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(m.Labels(), c.labels) || !slices.Equal(m.CoreSamples(), c.core) {
			t.Errorf("%+v, weights %v: clusters %v with core samples %v, want %v with %v", c.cfg, c.w, m.Labels(), m.CoreSamples(), c.labels, c.core)
		}
		if got, err := m.Predict(X); err != nil || !slices.Equal(got, c.labels) {
			t.Errorf("%+v: predicts %v (%v), want %v", c.cfg, got, err, c.labels)
		}
	}
}

// Weights are copies, of which there may be none.
func TestDBSCANWeightsAreCopies(t *testing.T) {
	X := blobs(80, 2, 4, 9)
	w := make([]float64, 80)
	var rows []float64
	var of []int
	for i := range w {
		w[i] = float64(i % 4)
		for range i % 4 {
			rows, of = append(rows, X.RawRowView(i)...), append(of, i)
		}
	}
	c := cluster.DBSCANConfig{Eps: 0.7, MinSamples: 8}
	a, err := c.Fit(mlcore.FromMatrix[int](X, nil, w))
	b, err2 := c.Fit(unlabelled(mat.NewDense(len(of), 2, rows)))
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	if a.NumClusters() < 2 || a.NumClusters() != b.NumClusters() {
		t.Fatalf("%d clusters with weights, %d with copies", a.NumClusters(), b.NumClusters())
	}
	p, err := a.Predict(X)
	q, err2 := b.Predict(X)
	if err != nil || err2 != nil || !slices.Equal(p, q) {
		t.Errorf("clusters %v with weights, %v with copies (%v, %v)", p, q, err, err2)
	}
}

// The same bytes for any number of workers, and the same clusters from a file.
func TestGroupsWorkersAndFiles(t *testing.T) {
	X := blobs(700, 3, 4, 2)
	var want [][]byte
	for _, workers := range []int{1, 2, 7} {
		a, err := cluster.AgglomerativeConfig{Clusters: 4, Linkage: cluster.Average, Workers: workers}.Fit(unlabelled(X))
		if err != nil {
			t.Fatal(err)
		}
		d, err := cluster.DBSCANConfig{Eps: 0.8, Workers: workers}.Fit(unlabelled(X))
		if err != nil {
			t.Fatal(err)
		}
		var got [][]byte
		for _, m := range []any{a, d} {
			data, err := modelfile.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			text, err := modelfile.MarshalJSON(m)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, data, text)
		}
		if want == nil {
			want = got
		}
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%d workers make other models than one", workers)
		}
		for k := range 2 {
			read := func(to any, err error) any {
				if err != nil {
					t.Fatal(err)
				}
				return to
			}
			var ra, rd any
			if k == 0 {
				ra, rd = read(modelfile.Unmarshal[any](got[0])), read(modelfile.Unmarshal[any](got[2]))
			} else {
				ra, rd = read(modelfile.UnmarshalJSON[any](got[1])), read(modelfile.UnmarshalJSON[any](got[3]))
			}
			if back := ra.(*cluster.Agglomerative); !slices.Equal(back.Labels(), a.Labels()) || !slices.Equal(back.Merges(), a.Merges()) || !back.Schema().Equal(a.Schema()) {
				t.Error("the tree of merges is another one after a round trip")
			}
			if p, err := rd.(*cluster.DBSCAN).Predict(X); err != nil || !slices.Equal(p, d.Labels()) {
				t.Errorf("other clusters after a round trip (%v)", err)
			}
		}
		for _, data := range [][]byte{got[0], got[2]} {
			for at := 0; at < len(data); at += 1 + len(data)/300 {
				bad := slices.Clone(data)
				bad[at] ^= 0x10
				if _, err := modelfile.Unmarshal[any](bad); !errors.Is(err, mlcore.ErrCorrupt) {
					t.Fatalf("byte %d of %d changed: %v", at, len(data), err)
				}
			}
		}
	}
}

func TestGroupsRefuse(t *testing.T) {
	X := blobs(10, 2, 2, 1)
	good := unlabelled(X)
	holes := mat.DenseCopyOf(X)
	holes.Set(3, 1, math.NaN())
	codes := unlabelled(mat.NewDense(10, 2, nil))
	codes.Columns[1].Levels = []string{"red"}
	agglomerative := func(c cluster.AgglomerativeConfig, ds *mlcore.Dataset) error {
		_, err := c.Fit(ds)
		return err
	}
	dbscan := func(c cluster.DBSCANConfig, ds *mlcore.Dataset) error {
		_, err := c.Fit(ds)
		return err
	}
	for _, tc := range []struct {
		name string
		err  error
		want error
		says string
	}{
		{"clusters", agglomerative(cluster.AgglomerativeConfig{Clusters: 11}, good), mlcore.ErrConfig, "from 1 to 10"},
		{"clusters and threshold", agglomerative(cluster.AgglomerativeConfig{Clusters: 2, DistanceThreshold: 1}, good), mlcore.ErrConfig, "both set"},
		{"threshold", agglomerative(cluster.AgglomerativeConfig{DistanceThreshold: math.NaN()}, good), mlcore.ErrConfig, "DistanceThreshold is NaN"},
		{"linkage", agglomerative(cluster.AgglomerativeConfig{Linkage: 9}, good), mlcore.ErrConfig, "Linkage(9)"},
		{"Ward's metric", agglomerative(cluster.AgglomerativeConfig{Metric: neighbors.Manhattan}, good), mlcore.ErrConfig, "Ward"},
		{"weights", agglomerative(cluster.AgglomerativeConfig{}, mlcore.FromMatrix[int](X, nil, make([]float64, 10))), mlcore.ErrWeight, ""},
		{"unit weights", agglomerative(cluster.AgglomerativeConfig{}, mlcore.FromMatrix[int](X, nil, slices.Repeat([]float64{1}, 10))), mlcore.ErrWeight, "takes no sample weights"},
		{"NaN", agglomerative(cluster.AgglomerativeConfig{}, unlabelled(holes)), mlcore.ErrNonFinite, "row 3, column 1 (x1)"},
		{"categories", agglomerative(cluster.AgglomerativeConfig{Linkage: cluster.Single}, codes), mlcore.ErrColumn, "column 1 (x1) is categorical"},
		{"nil", agglomerative(cluster.AgglomerativeConfig{}, nil), mlcore.ErrEmpty, ""},
		{"far", agglomerative(cluster.AgglomerativeConfig{Linkage: cluster.Single}, unlabelled(mat.NewDense(2, 1, []float64{-1.7e308, 1.7e308}))), mlcore.ErrNonFinite, "rows 0 and 1"},
		{"eps", dbscan(cluster.DBSCANConfig{Eps: -1}, good), mlcore.ErrConfig, "Eps is -1"},
		{"min samples", dbscan(cluster.DBSCANConfig{MinSamples: -1}, good), mlcore.ErrConfig, "MinSamples is -1"},
		{"NaN for DBSCAN", dbscan(cluster.DBSCANConfig{}, unlabelled(holes)), mlcore.ErrNonFinite, "row 3, column 1 (x1)"},
		{"categories for DBSCAN", dbscan(cluster.DBSCANConfig{}, codes), mlcore.ErrColumn, "column 1 (x1) is categorical"},
		{"weights for DBSCAN", dbscan(cluster.DBSCANConfig{}, mlcore.FromMatrix[int](X, nil, make([]float64, 10))), mlcore.ErrWeight, ""},
		{"Minkowski", dbscan(cluster.DBSCANConfig{Metric: neighbors.Minkowski(0.5)}, good), mlcore.ErrConfig, "p is at least 1"},
	} {
		if !errors.Is(tc.err, tc.want) || !strings.Contains(tc.err.Error(), tc.says) {
			t.Errorf("%s: error %v, want one that wraps %v and says %q", tc.name, tc.err, tc.want, tc.says)
		}
	}
	if _, err := (cluster.AgglomerativeConfig{Linkage: cluster.Complete, Metric: neighbors.Hamming}).Fit(codes); err != nil {
		t.Errorf("categories by Hamming distance: %v", err)
	}
	if _, err := new(cluster.Agglomerative).Cut(1); !errors.Is(err, mlcore.ErrNotFitted) {
		t.Errorf("a tree that was not fitted: %v", err)
	}
	if labels := new(cluster.Agglomerative).CutAt(1); labels != nil {
		t.Errorf("a tree that was not fitted has clusters %v", labels)
	}
	if _, err := new(cluster.DBSCAN).Predict(X); !errors.Is(err, mlcore.ErrNotFitted) {
		t.Errorf("a model that was not fitted: %v", err)
	}
	m, err := cluster.DBSCANConfig{}.Fit(good)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Predict(mat.NewDense(1, 3, nil)); !errors.Is(err, mlcore.ErrShape) {
		t.Errorf("a row of three columns: %v", err)
	}
	if _, err := agglomerate(t, cluster.AgglomerativeConfig{}, X).Cut(0); !errors.Is(err, mlcore.ErrConfig) {
		t.Errorf("no clusters: %v", err)
	}
}

package cluster_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"github.com/mllabs-go/mllabs/mlcore/internal/fixture"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"gonum.org/v1/gonum/mat"
)

// must returns what a fit has made.
func must[M any](t *testing.T) func(m M, err error) M {
	return func(m M, err error) M {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
}

// The defaults are documented. By hand: five rows that lie within .5 of each other are
// one cluster of DBSCAN, four are noise, and so are five that lie .7 apart.
func TestDefaults(t *testing.T) {
	line := func(n int, step float64) *mlcore.Dataset {
		X := mat.NewDense(n, 1, nil)
		for i := range n {
			X.Set(i, 0, step*float64(i))
		}
		return unlabelled(X)
	}
	if m := must[*cluster.KMeans](t)(cluster.KMeansConfig{}.Fit(line(20, 1))); m.NumClusters() != 8 {
		t.Errorf("k-means finds %d clusters, want 8", m.NumClusters())
	}
	if m := must[*cluster.Mixture](t)(cluster.MixtureConfig{}.Fit(line(20, 1))); m.NumClusters() != 1 {
		t.Errorf("a mixture has %d components, want 1", m.NumClusters())
	}
	if m := must[*cluster.Density](t)(cluster.DensityConfig{}.Fit(line(2, 1))); m.Bandwidth() != 1 {
		t.Errorf("the bandwidth is %v, want 1", m.Bandwidth())
	}
	for _, c := range []struct {
		n        int
		step     float64
		clusters int
	}{{5, 0.1, 1}, {4, 0.1, 0}, {5, 0.7, 0}} {
		if m := must[*cluster.DBSCAN](t)(cluster.DBSCANConfig{}.Fit(line(c.n, c.step))); m.NumClusters() != c.clusters {
			t.Errorf("%d rows %v apart: DBSCAN finds %d clusters, want %d", c.n, c.step, m.NumClusters(), c.clusters)
		}
	}
	// 0 starts of random rows are 10.
	X := blobs(60, 2, 5, 4)
	c := cluster.KMeansConfig{Clusters: 5, Init: cluster.RandomRows}
	byDefault := must[*cluster.KMeans](t)(c.Fit(unlabelled(X)))
	c.Starts = 10
	if ten := must[*cluster.KMeans](t)(c.Fit(unlabelled(X))); !slices.Equal(ten.Labels(), byDefault.Labels()) {
		t.Error("ten starts give other clusters than the default")
	}
}

func TestNamesOfNoSetting(t *testing.T) {
	for _, no := range []fmt.Stringer{cluster.Linkage(-1), cluster.Linkage(4), cluster.Kernel(-1), cluster.Kernel(5), cluster.Covariance(-1), cluster.Covariance(4)} {
		if name := no.String(); !strings.HasSuffix(name, fmt.Sprintf("(%d)", no)) {
			t.Errorf("%T %d is called %q", no, no, name)
		}
	}
	for _, c := range []struct {
		got  fmt.Stringer
		want string
	}{{cluster.Ward, "ward"}, {cluster.Single, "single"}, {cluster.GaussianKernel, "gaussian"}, {cluster.LinearKernel, "linear"}, {cluster.Full, "full"}, {cluster.Spherical, "spherical"}} {
		if c.got.String() != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestRefusedAtTheBorders(t *testing.T) {
	X := blobs(10, 2, 2, 1)
	ds := unlabelled(X)
	centres, labels := X.Slice(0, 2, 0, 2), []int{0, 1, 0, 1, 0, 1, 0, 1, 0, 1}
	second := func(_ any, err error) error { return err }
	for name, err := range map[string]error{
		"Init beside Centres":     second(cluster.KMeansConfig{Centres: centres, Init: cluster.RandomRows}.Fit(ds)),
		"Starts beside Centres":   second(cluster.KMeansConfig{Centres: centres, Starts: 2}.Fit(ds)),
		"Seed beside Centres":     second(cluster.KMeansConfig{Centres: centres, Seed: 3}.Fit(ds)),
		"Starts beside Labels":    second(cluster.MixtureConfig{Components: 2, Labels: labels, Starts: 2}.Fit(ds)),
		"Seed beside Labels":      second(cluster.MixtureConfig{Components: 2, Labels: labels, Seed: 3}.Fit(ds)),
		"Components -1":           second(cluster.MixtureConfig{Components: -1}.Fit(ds)),
		"Covariance -1":           second(cluster.MixtureConfig{Covariance: -1}.Fit(ds)),
		"RegCovar infinite":       second(cluster.MixtureConfig{RegCovar: math.Inf(1)}.Fit(ds)),
		"Starts -1 of a mixture":  second(cluster.MixtureConfig{Starts: -1}.Fit(ds)),
		"MaxIter -1 of a mixture": second(cluster.MixtureConfig{MaxIter: -1}.Fit(ds)),
		"Tol -1 of a mixture":     second(cluster.MixtureConfig{Tol: -1}.Fit(ds)),
		"Eps infinite":            second(cluster.DBSCANConfig{Eps: math.Inf(1)}.Fit(ds)),
		"Bandwidth infinite":      second(cluster.DensityConfig{Bandwidth: math.Inf(1)}.Fit(ds)),
		"Kernel -1":               second(cluster.DensityConfig{Kernel: -1}.Fit(ds)),
		"Linkage -1":              second(cluster.AgglomerativeConfig{Linkage: -1}.Fit(ds)),
		"Clusters -1":             second(cluster.AgglomerativeConfig{Clusters: -1}.Fit(ds)),
		"a cut into 11":           second(must[*cluster.Agglomerative](t)(cluster.AgglomerativeConfig{}.Fit(ds)).Cut(11)),
	} {
		if setting, _, _ := strings.Cut(name, " "); !errors.Is(err, mlcore.ErrConfig) || setting != "a" && !strings.Contains(err.Error(), setting) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, err := range map[string]error{
		"Clusters as many as Centres": second(cluster.KMeansConfig{Centres: centres, Clusters: 2}.Fit(ds)),
		"MaxIter 1 of k-means":        second(cluster.KMeansConfig{Clusters: 2, MaxIter: 1}.Fit(ds)),
		"one row":                     second(cluster.AgglomerativeConfig{}.Fit(unlabelled(mat.NewDense(1, 2, nil)))),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// By hand, in one iteration: the centres are nearest to 0 and 1 and to 100, 101 and 140
// (three times). The two that are nearest to nothing get the rows farthest from their
// own centre, 140 first and then 101, and leave the second to 100 (twice).
func TestTwoEmptyClusters(t *testing.T) {
	X := mat.NewDense(5, 2, []float64{0, 7, 1, 7, 100, 7, 101, 7, 140, 7})
	w := []float64{1, 1, 2, 1, 3}
	centres := mat.NewDense(4, 2, []float64{0.4, 7, 100.3, 7, 1000, 7, 2000, 7})
	m := must[*cluster.KMeans](t)(cluster.KMeansConfig{Centres: centres, MaxIter: 1, Tol: -1}.Fit(mlcore.FromMatrix[int](X, nil, w)))
	near(t, "centres", data(m.Centres()), []float64{0.5, 7, 100, 7, 140, 7, 101, 7}, 1e-12)
	if want := []int{0, 0, 1, 3, 2}; !slices.Equal(m.Labels(), want) {
		t.Errorf("labels %v, want %v", m.Labels(), want)
	}
}

// A weight is a number of copies, also of more rows than are worked on at a time.
func TestMixtureOfManyRows(t *testing.T) {
	const n, copies = 40, 500
	X := blobs(n, 2, 2, 3)
	labels, weights := make([]int, n), make([]float64, n)
	rows, start := make([]float64, 0, n*copies*2), make([]int, 0, n*copies)
	for i := range n {
		labels[i], weights[i] = i%2, copies
	}
	for range copies {
		rows = append(rows, X.RawMatrix().Data...)
		start = append(start, labels...)
	}
	for shape := cluster.Full; shape <= cluster.Spherical; shape++ {
		c := cluster.MixtureConfig{Components: 2, Covariance: shape, MaxIter: 5, Labels: labels}
		want := must[*cluster.Mixture](t)(c.Fit(mlcore.FromMatrix[int](X, nil, weights)))
		c.Labels = start
		got := must[*cluster.Mixture](t)(c.Fit(unlabelled(mat.NewDense(n*copies, 2, rows))))
		near(t, "weights", got.Weights(), want.Weights(), 1e-9)
		near(t, "means", data(got.Means()), data(want.Means()), 1e-9)
		for k := range 2 {
			near(t, "covariance", data(mat.DenseCopyOf(got.Covariance(k))), data(mat.DenseCopyOf(want.Covariance(k))), 1e-8)
		}
		near(t, "likelihood", []float64{got.LogLikelihood()}, []float64{want.LogLikelihood()}, 1e-9)
		// The rows of a later block have the answers of the first.
		all, few := must[[]float64](t)(got.LogDensity(mat.NewDense(n*copies, 2, rows))), must[[]float64](t)(got.LogDensity(X))
		for i, v := range all {
			if v != few[i%n] {
				t.Fatalf("%v: the density of row %d is %v, of its copy %v", shape, i, v, few[i%n])
			}
		}
	}
}

// Of several starts the likeliest is kept; a tied covariance is that of each component.
func TestMixtureStarts(t *testing.T) {
	better := 0
	for seed := range uint64(8) {
		X := unlabelled(blobs(60, 2, 6, seed))
		c := cluster.MixtureConfig{Components: 6, Covariance: cluster.Tied, Seed: seed}
		one := must[*cluster.Mixture](t)(c.Fit(X))
		c.Starts = 6
		six := must[*cluster.Mixture](t)(c.Fit(X))
		if six.LogLikelihood() < one.LogLikelihood() {
			t.Errorf("seed %d: the best of six starts has %v, the first %v", seed, six.LogLikelihood(), one.LogLikelihood())
		}
		if six.LogLikelihood() > one.LogLikelihood() {
			better++
		}
		if !mat.Equal(six.Covariance(5), six.Covariance(0)) {
			t.Error("the tied covariance is not that of all components")
		}
	}
	if better == 0 {
		t.Error("no start was better than the first")
	}
	m := must[*cluster.Mixture](t)(cluster.MixtureConfig{Components: 2, MaxIter: 1}.Fit(unlabelled(blobs(30, 2, 2, 1))))
	if s := m.Status(); s.Iterations != 1 || s.Measure != 0 || s.Outcome != mlcore.IterationLimit {
		t.Errorf("of one iteration: %+v", s)
	}
	for _, k := range []int{-1, 2} {
		func() {
			defer func() {
				if v := recover(); v == nil || !strings.Contains(fmt.Sprint(v), "component") {
					t.Errorf("component %d: %v", k, v)
				}
			}()
			m.Covariance(k)
		}()
	}
	// Where no component has a density that is a number, nothing is said.
	afar := mat.NewDense(1, 2, []float64{1e200, -1e200})
	_, predict := m.Predict(afar)
	_, proba := m.PredictProba(afar)
	_, density := m.LogDensity(afar)
	for name, err := range map[string]error{"Predict": predict, "PredictProba": proba, "LogDensity": density} {
		if !errors.Is(err, mlcore.ErrNonFinite) {
			t.Errorf("%s of a row at 1e200: %v", name, err)
		}
	}
}

// By hand: the top hat of one row at 0 is 1/2 from -1 to 1, without the ends.
func TestTopHatEnds(t *testing.T) {
	m := must[*cluster.Density](t)(cluster.DensityConfig{Kernel: cluster.TopHat}.Fit(unlabelled(mat.NewDense(1, 1, nil))))
	got := must[[]float64](t)(m.LogDensity(mat.NewDense(5, 1, []float64{-1, -0.999, 0, 0.999, 1})))
	for i, inside := range []bool{false, true, true, true, false} {
		if want := math.Log(0.5); inside && math.Abs(got[i]-want) > 1e-12 || !inside && !math.IsInf(got[i], -1) {
			t.Errorf("row %d has the density %v", i, got[i])
		}
	}
}

// A row near core samples of two clusters belongs to the lower, however near they are.
func TestDBSCANBetweenClusters(t *testing.T) {
	m := must[*cluster.DBSCAN](t)(cluster.DBSCANConfig{Eps: 0.55, MinSamples: 3}.Fit(unlabelled(mat.NewDense(6, 1, []float64{1.2, 1.3, 1.4, 0.2, 0.1, 0}))))
	got, err := m.Predict(mat.NewDense(4, 1, []float64{0.69, 0.71, 0.6, 0.8}))
	if want := []int{0, 0, 1, 0}; err != nil || !slices.Equal(got, want) {
		t.Errorf("clusters %v (%v), want %v", got, err, want)
	}
}

// The same between clusters whose rows take turns, so that the first core sample in the
// order of the rows is not of the first cluster.
func TestDBSCANBetweenClustersInTurn(t *testing.T) {
	m := must[*cluster.DBSCAN](t)(cluster.DBSCANConfig{Eps: 0.55, MinSamples: 3}.Fit(unlabelled(mat.NewDense(6, 1, []float64{1.4, 0.2, 1.2, 0.1, 1.3, 0}))))
	got, err := m.Predict(mat.NewDense(4, 1, []float64{0.69, 0.71, 0.6, 0.8}))
	if want := []int{0, 0, 1, 0}; err != nil || !slices.Equal(got, want) {
		t.Errorf("clusters %v (%v), want %v", got, err, want)
	}
}

// What is written is read again: one column, as many clusters as rows, copies, which are
// merged at 0, and a grid, whose merges are at equal distances.
func TestReadsModelsAtTheBorders(t *testing.T) {
	one := unlabelled(blobs(9, 1, 2, 1))
	grid := mat.NewDense(16, 2, nil)
	for i := range 16 {
		grid.SetRow(i, []float64{float64(i % 4), float64(i / 4)})
	}
	fit := func(m any, err error) any {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for name, m := range map[string]any{
		"k-means of one column":   fit(cluster.KMeansConfig{Clusters: 2}.Fit(one)),
		"a mixture of one column": fit(cluster.MixtureConfig{Components: 2}.Fit(one)),
		"a density of one column": fit(cluster.DensityConfig{}.Fit(one)),
		"a tree of one column":    fit(cluster.AgglomerativeConfig{}.Fit(one)),
		"DBSCAN of one column":    fit(cluster.DBSCANConfig{Eps: 2}.Fit(one)),
		"a cluster for each row":  fit(cluster.AgglomerativeConfig{Clusters: 9}.Fit(one)),
		"a tree of copies":        fit(cluster.AgglomerativeConfig{Linkage: cluster.Single}.Fit(unlabelled(mat.NewDense(5, 2, nil)))),
		"a tree of a grid":        fit(cluster.AgglomerativeConfig{Linkage: cluster.Single}.Fit(unlabelled(grid))),
	} {
		text := must[[]byte](t)(modelfile.MarshalJSON(m))
		back, err := modelfile.UnmarshalJSON[any](text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if again := must[[]byte](t)(modelfile.MarshalJSON(back)); string(again) != string(text) {
			t.Errorf("%s: another model after a round trip", name)
		}
	}
}

// Merges that are no tree, by hand: of the rows 0, 10, 1 and 11, the merges are of 0 and 2,
// of 1 and 3, and of both. Sizes agree in all of these.
func TestRefusesMergesThatAreNoTree(t *testing.T) {
	m := agglomerate(t, cluster.AgglomerativeConfig{}, mat.NewDense(4, 1, []float64{0, 10, 1, 11}))
	text := must[[]byte](t)(modelfile.MarshalJSON(m))
	for name, puts := range map[string]map[string]any{
		"a cluster with itself":                {"merges/0/a": 2},
		"an A that is merged already":          {"merges/1/a": 0},
		"a B that is merged already":           {"merges/1/b": 2},
		"a B that the merge itself makes":      {"merges/2/b": 6, "merges/2/size": 3},
		"a B that there will never be":         {"merges/2/b": 100},
		"a size that is not that of A and B":   {"merges/2/size": 3},
		"an A that is the greater":             {"merges/0/a": 2, "merges/0/b": 0},
		"a distance that is less than before":  {"merges/2/distance": 0.5},
		"a distance that is below 0":           {"merges/0/distance": -1},
		"a distance that is not a number":      {"merges/2/distance": "NaN"},
		"more clusters than rows":              {"clusters": 5},
		"a first distance that is not finite":  {"merges/0/distance": "+Inf"},
		"a B that is a merge that comes later": {"merges/1/b": 6},
	} {
		var file map[string]any
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		for path, value := range puts {
			if !fixture.Put(file["model"], path, value) {
				t.Fatalf("there is no %s in\n%s", path, text)
			}
		}
		if _, err := modelfile.UnmarshalJSON[any](must[[]byte](t)(json.Marshal(file))); !errors.Is(err, mlcore.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// No components at all: all lists are empty, and agree.
	g := must[*cluster.Mixture](t)(cluster.MixtureConfig{}.Fit(unlabelled(mat.NewDense(4, 1, []float64{0, 10, 1, 11}))))
	var file map[string]any
	if err := json.Unmarshal(must[[]byte](t)(modelfile.MarshalJSON(g)), &file); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"weights", "means", "covariances"} {
		fixture.Put(file["model"], path, []float64{})
	}
	if _, err := modelfile.UnmarshalJSON[any](must[[]byte](t)(json.Marshal(file))); !errors.Is(err, mlcore.ErrCorrupt) {
		t.Errorf("a mixture of no components: %v", err)
	}
}

// What a file says has to make a model: each field, and how fields agree.
func TestRefusesDamagedModels(t *testing.T) {
	X := blobs(12, 2, 2, 1)
	w := slices.Repeat([]float64{2}, 12)
	var (
		kmeans  = must[*cluster.KMeans](t)(cluster.KMeansConfig{Clusters: 2}.Fit(unlabelled(X)))
		full    = must[*cluster.Mixture](t)(cluster.MixtureConfig{Components: 2}.Fit(unlabelled(X)))
		tied    = must[*cluster.Mixture](t)(cluster.MixtureConfig{Components: 2, Covariance: cluster.Tied}.Fit(unlabelled(X)))
		upright = must[*cluster.Mixture](t)(cluster.MixtureConfig{Components: 2, Covariance: cluster.Diagonal}.Fit(unlabelled(X)))
		round   = must[*cluster.Mixture](t)(cluster.MixtureConfig{Components: 2, Covariance: cluster.Spherical}.Fit(unlabelled(X)))
		density = must[*cluster.Density](t)(cluster.DensityConfig{}.Fit(mlcore.FromMatrix[int](X, nil, w)))
		tree    = must[*cluster.Agglomerative](t)(cluster.AgglomerativeConfig{}.Fit(unlabelled(X)))
		groups  = must[*cluster.DBSCAN](t)(cluster.DBSCANConfig{Eps: 3}.Fit(unlabelled(X)))
	)
	for _, c := range []struct {
		model any
		path  string // to the field, places in lists by number
		value any
	}{
		{kmeans, "inertia", -1}, {kmeans, "inertia", "NaN"}, {kmeans, "centres/columns", 0}, {kmeans, "centres/columns", 3}, {kmeans, "centres/columns", -1},
		{kmeans, "centres/values", []float64{}}, {kmeans, "centres/values", []float64{1, 2, 3}}, {kmeans, "centres/values/1", "+Inf"},
		{full, "features", 0}, {full, "features", 3}, {full, "features", -2}, {full, "weights", []float64{}}, {full, "weights", []float64{1}},
		{full, "weights/0", 0}, {full, "weights/0", 1.5}, {full, "weights/0", "NaN"}, {full, "means", []float64{1, 2, 3}}, {full, "means", []float64{}}, {full, "means/0", "NaN"},
		{full, "covariances", []float64{1, 0, 0, 1}}, {full, "covariances", []float64{}}, {full, "covariances/0", 0}, {full, "covariances/3", -1}, {full, "covariances/1", "NaN"}, {full, "covariance", "tied"},
		{full, "means", []float64{1, 2, 3, 4, 5}}, {full, "covariances", []float64{1, 0, 0, 1, 1, 0, 0, 1, 1}},
		{upright, "covariances/1", 0}, {upright, "covariances/3", -1}, {upright, "covariances", []float64{1, 1, 1, 1, 1}},
		{tied, "covariances/3", -1}, {tied, "covariances", []float64{1, 0, 0, 1, 1, 0, 0, 1}}, {tied, "covariance", "full"},
		{round, "covariances/1", 0}, {round, "covariances/1", -1}, {round, "covariances", []float64{1}}, {round, "covariance", "diagonal"},
		{density, "bandwidth", 0}, {density, "bandwidth", -1}, {density, "bandwidth", "+Inf"}, {density, "weights/weights/3", 0}, {density, "weights/weights/3", "+Inf"}, {density, "weights/weights", []float64{1}}, {density, "weights/weights", slices.Repeat([]float64{1e308}, 12)},
		{density, "rows/columns", 5}, {density, "rows/values/0", "NaN"},
		{tree, "features", 0}, {tree, "features", -1}, {tree, "clusters", 0}, {tree, "clusters", 13}, {tree, "merges/0/a", -1}, {tree, "merges/0/b", 12}, {tree, "merges/0/a", 11}, {tree, "merges/0/b", 0},
		{tree, "merges/10/a", 0}, {tree, "merges/10/b", 11}, {tree, "merges/3/size", 9}, {tree, "merges/0/distance", -1}, {tree, "merges/3/distance", 0}, {tree, "merges/3/distance", 1e9}, {tree, "merges/10/distance", "+Inf"},
		{groups, "features", 0}, {groups, "features", 3}, {groups, "eps", 0}, {groups, "eps", -1}, {groups, "eps", "+Inf"}, {groups, "clusters", 0}, {groups, "clusters", 1},
		{groups, "core_samples/clusters/0", -1}, {groups, "core_samples/clusters/0", 9}, {groups, "core_samples/clusters", []int{0}},
	} {
		text := must[[]byte](t)(modelfile.MarshalJSON(c.model))
		if _, err := modelfile.UnmarshalJSON[any](text); err != nil {
			t.Fatalf("%T unharmed: %v", c.model, err)
		}
		var file map[string]any
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		if !fixture.Put(file["model"], c.path, c.value) {
			t.Fatalf("%T has no %s:\n%s", c.model, c.path, text)
		}
		if _, err := modelfile.UnmarshalJSON[any](must[[]byte](t)(json.Marshal(file))); !errors.Is(err, mlcore.ErrCorrupt) {
			t.Errorf("%T with %s = %v: %v", c.model, c.path, c.value, err)
		}
	}
}

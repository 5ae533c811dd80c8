package cluster_test

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
)

// renumbered gives clusters numbers in the order of their first rows.
func renumbered(labels []int) []int {
	number, out := map[int]int{}, make([]int, len(labels))
	for i, k := range labels {
		if _, known := number[k]; !known {
			number[k] = len(number)
		}
		out[i] = number[k]
	}
	return out
}

// SciPy's merges and scikit-learn's cuts; scripts/oracles/cluster_linkage.py made them.
func TestAgglomerativeBesideItsPeers(t *testing.T) {
	linkages := map[string]cluster.Linkage{"ward": cluster.Ward, "complete": cluster.Complete, "average": cluster.Average, "single": cluster.Single}
	peers := oracle.Load[struct {
		Sets []struct {
			X       [][]float64 `json:"X"`
			Answers []struct {
				Linkage, Metric string
				Z               [][]float64
				Cuts            []struct {
					Clusters  int
					Threshold float64
					Labels    []int
				}
			}
		}
	}](t, "testdata/peers_linkage.json")
	for _, s := range peers.Sets {
		X := oracle.Matrix(s.X)
		ds := mlcore.FromMatrix[int](X, nil, nil)
		for _, want := range s.Answers {
			c := cluster.AgglomerativeConfig{Linkage: linkages[want.Linkage], Clusters: 1}
			if want.Metric == "cityblock" {
				c.Metric = neighbors.Manhattan
			}
			m, err := c.Fit(ds)
			if err != nil {
				t.Fatal(err)
			}
			merges, linkage := m.Merges(), m.LinkageMatrix()
			if rows, _ := linkage.Dims(); len(merges) != len(want.Z) || rows != len(want.Z) {
				t.Fatalf("%d merges, %d in the linkage matrix, SciPy %d", len(merges), rows, len(want.Z))
			}
			for k, z := range want.Z {
				p := merges[k]
				if !slices.Equal(linkage.RawRowView(k), []float64{float64(p.A), float64(p.B), p.Distance, float64(p.Size)}) {
					t.Fatalf("row %d of the linkage matrix is %v, the merge %v", k, linkage.RawRowView(k), p)
				}
				if p.A != int(z[0]) || p.B != int(z[1]) || p.Size != int(z[3]) || math.Abs(p.Distance-z[2]) > 1e-9*z[2] {
					t.Fatalf("%d rows, %v by %v: merge %d is %v, SciPy's %v", len(s.X), c.Linkage, c.Metric, k, p, z)
				}
			}
			for _, cut := range want.Cuts {
				c.Clusters, c.DistanceThreshold = cut.Clusters, cut.Threshold
				m, err := c.Fit(ds)
				if err != nil {
					t.Fatal(err)
				}
				if got := m.Labels(); !slices.Equal(got, renumbered(cut.Labels)) || m.NumClusters() != slices.Max(got)+1 {
					t.Errorf("%v by %v, cut at %d clusters or %v: %v, scikit-learn %v", c.Linkage, c.Metric, cut.Clusters, cut.Threshold, got, renumbered(cut.Labels))
				}
			}
		}
	}
}

// scikit-learn's clusters; scripts/oracles/cluster_dbscan.py made them.
func TestDBSCANBesideScikitLearn(t *testing.T) {
	metrics := map[string]neighbors.Metric{"euclidean": neighbors.Euclidean, "manhattan": neighbors.Manhattan, "chebyshev": neighbors.Chebyshev, "hamming": neighbors.Hamming}
	peers := oracle.Load[struct {
		Samples []struct {
			X          [][]float64 `json:"X"`
			Eps        float64
			MinSamples int `json:"min_samples"`
			Metric     string
			W          []float64
			Labels     []int
			Core       []int
		}
	}](t, "testdata/peers_dbscan.json")
	for i, s := range peers.Samples {
		X := oracle.Matrix(s.X)
		c := cluster.DBSCANConfig{Eps: s.Eps, MinSamples: s.MinSamples, Metric: metrics[s.Metric]}
		m, err := c.Fit(mlcore.FromMatrix[int](X, nil, s.W))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(m.Labels(), s.Labels) || !slices.Equal(m.CoreSamples(), s.Core) {
			t.Errorf("sample %d: clusters %v, scikit-learn %v", i, m.Labels(), s.Labels)
		}
		if got, err := m.Predict(X); err != nil || !slices.Equal(got, s.Labels) {
			t.Errorf("sample %d: predicts %v (%v) of the training rows, whose clusters are %v", i, got, err, s.Labels)
		}
	}
}

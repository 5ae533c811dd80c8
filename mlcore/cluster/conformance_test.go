package cluster_test

import (
	"fmt"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
	"gonum.org/v1/gonum/mat"
)

// together says of each two rows next to each other whether they are in one cluster.
func together(predict func(X mat.Matrix) ([]int, error), X mat.Matrix) ([]float64, error) {
	labels, err := predict(X)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(labels))
	for i, k := range labels {
		if i > 0 && k == labels[i-1] {
			out[i] = 1
		}
	}
	return out, nil
}

func TestConformance(t *testing.T) {
	// With one cluster nothing is drawn that matters.
	for clusters, traits := range map[int]mlcoretest.Traits{1: {}, 3: {Stochastic: true, MinRows: 3}} {
		t.Run(fmt.Sprintf("k-means, %d clusters", clusters), func(t *testing.T) {
			config := func(workers int) cluster.KMeansConfig {
				return cluster.KMeansConfig{Clusters: clusters, Workers: workers}
			}
			mlcoretest.Unsupervised(t, traits, config, func(m *cluster.KMeans, X mat.Matrix) ([]float64, error) {
				distances, err := m.Distances(X)
				if err != nil {
					return nil, err
				}
				return distances.RawMatrix().Data, nil
			})
		})
		t.Run(fmt.Sprintf("mixture, %d components", clusters), func(t *testing.T) {
			config := func(workers int) cluster.MixtureConfig {
				return cluster.MixtureConfig{Components: clusters, Workers: workers}
			}
			mlcoretest.Unsupervised(t, traits, config, (*cluster.Mixture).LogDensity)
		})
	}
	t.Run("density", func(t *testing.T) {
		config := func(workers int) cluster.DensityConfig { return cluster.DensityConfig{Bandwidth: 1, Workers: workers} }
		mlcoretest.Unsupervised(t, mlcoretest.Traits{}, config, (*cluster.Density).LogDensity)
	})
	t.Run("DBSCAN", func(t *testing.T) {
		config := func(workers int) cluster.DBSCANConfig { return cluster.DBSCANConfig{Eps: 1.5, Workers: workers} }
		mlcoretest.Unsupervised(t, mlcoretest.Traits{}, config, func(m *cluster.DBSCAN, X mat.Matrix) ([]float64, error) {
			return together(m.Predict, X)
		})
	})
	for _, linkage := range []cluster.Linkage{cluster.Ward, cluster.Complete, cluster.Average, cluster.Single} {
		t.Run("agglomerative, "+linkage.String(), func(t *testing.T) {
			traits := mlcoretest.Traits{IgnoresWeights: true, TrainingRowsOnly: true}
			config := func(workers int) cluster.AgglomerativeConfig {
				return cluster.AgglomerativeConfig{Clusters: 1, Linkage: linkage, Workers: workers}
			}
			mlcoretest.Unsupervised(t, traits, config, func(m *cluster.Agglomerative, _ mat.Matrix) ([]float64, error) {
				var distances []float64
				for _, merge := range m.Merges() {
					distances = append(distances, merge.Distance)
				}
				return distances, nil
			})
		})
	}
}

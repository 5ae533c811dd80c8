package co395

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
)

// FitMeans finds as many clusters as ds has classes by k-means, the best of ten starts.
// It panics on an error, as a cell would.
func FitMeans(ds *mlcore.Dataset) *cluster.KMeans {
	m, err := cluster.KMeansConfig{Clusters: ds.NumClasses(), Starts: 10}.Fit(ds)
	if err != nil {
		panic(fmt.Errorf("co395: k-means: %w", err))
	}
	return m
}

// FitMixture fits a mixture with as many components as ds has classes, from the groups
// of start, or, where that is nil, the best of ten starts. It panics on an error, as a
// cell would.
func FitMixture(ds *mlcore.Dataset, start []int) *cluster.Mixture {
	cfg := cluster.MixtureConfig{Components: ds.NumClasses(), Labels: start, Tol: 1e-6, MaxIter: 500}
	if start == nil {
		cfg.Starts = 10
	}
	m, err := cfg.Fit(ds)
	if err != nil {
		panic(fmt.Errorf("co395: mixture: %w", err))
	}
	return m
}

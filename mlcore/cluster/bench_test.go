package cluster_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
)

// Compare revisions with benchstat.
func BenchmarkKMeans(b *testing.B) {
	X := blobs(100_000, 10, 20, 1)
	for b.Loop() {
		if _, err := (cluster.KMeansConfig{Clusters: 20, Seed: 1}).Fit(mlcore.FromMatrix[int](X, nil, nil)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkKMeansLetter takes some ninety iterations, in most of which few rows change
// their cluster.
func BenchmarkKMeansLetter(b *testing.B) {
	train, _ := datasetstest.LoadSplit(b, "letter")
	centres := train.X.Slice(0, 26, 0, train.NumFeatures())
	for b.Loop() {
		if _, err := (cluster.KMeansConfig{Centres: centres}).Fit(train); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMixture(b *testing.B) {
	X := blobs(20_000, 10, 5, 1)
	for b.Loop() {
		if _, err := (cluster.MixtureConfig{Components: 5, Tol: 1e-9, MaxIter: 20, Seed: 1}).Fit(mlcore.FromMatrix[int](X, nil, nil)); err != nil {
			b.Fatal(err)
		}
	}
}

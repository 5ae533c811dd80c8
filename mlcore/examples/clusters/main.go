// Clusters finds groups by k-means in four dimensions and draws them in two, those of
// the principal components:
//
//	go run ./mlcore/examples/clusters
package main

import (
	"log"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
)

func main() {
	ds, err := datasets.LoadDataset("iris")
	if err != nil {
		log.Fatal(err)
	}
	groups, err := cluster.KMeansConfig{Clusters: 3, Seed: 1}.Fit(ds)
	if err != nil {
		log.Fatal(err)
	}
	pca, err := preprocess.PCAConfig{Components: 2}.Fit(ds)
	if err != nil {
		log.Fatal(err)
	}
	plane, err := pca.Transform(ds)
	if err != nil {
		log.Fatal(err)
	}
	panel, err := plotx.Clusters(plane, groups.Labels(), "Iris in three clusters")
	if err != nil {
		log.Fatal(err)
	}
	if err := plotx.Save(panel, "clusters.png"); err != nil {
		log.Fatal(err)
	}
}

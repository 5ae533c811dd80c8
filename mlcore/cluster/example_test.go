package cluster_test

import (
	"fmt"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"gonum.org/v1/gonum/mat"
)

// The merges of five numbers: 1 and 2, then 9 and 10, then 4 joins the first two.
func ExampleAgglomerativeConfig() {
	ds := mlcore.FromMatrix[int](mat.NewDense(5, 1, []float64{1, 9, 2, 4, 10}), nil, nil)
	m, err := cluster.AgglomerativeConfig{Clusters: 2, Linkage: cluster.Single}.Fit(ds)
	if err != nil {
		fmt.Println(err)
		return
	}
	for k, p := range m.Merges() {
		fmt.Printf("cluster %d: %d and %d at distance %v\n", ds.Len()+k, p.A, p.B, p.Distance)
	}
	fmt.Println("clusters of the rows:", m.Labels())
	fmt.Println("without merges from 2 on:", m.CutAt(2))
	// Output:
	// cluster 5: 0 and 2 at distance 1
	// cluster 6: 1 and 4 at distance 1
	// cluster 7: 3 and 5 at distance 2
	// cluster 8: 6 and 7 at distance 5
	// clusters of the rows: [0 1 0 0 1]
	// without merges from 2 on: [0 1 0 2 1]
}

// Two half-moons, which no pair of centres tells apart.
func ExampleDBSCANConfig() {
	moons := datasets.MakeMoons(300, 0.05, 1)
	m, err := cluster.DBSCANConfig{Eps: 0.2}.Fit(moons)
	if err != nil {
		fmt.Println(err)
		return
	}
	agree, err := metrics.AdjustedRand(m.Labels(), moons.Y)
	if err != nil {
		fmt.Println(err)
		return
	}
	where, err := m.Predict(mat.NewDense(1, 2, []float64{9, 9}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d clusters, agreement %v; a far point is in %d\n", m.NumClusters(), agree, where[0])
	// Output: 2 clusters, agreement 1; a far point is in -1
}

// Package cluster finds groups in rows that have no labels: rows flow in, and a model
// that tells the group, or the density, of any row flows out.
//
//	model, err := cluster.KMeansConfig{Clusters: 3, Starts: 10, Seed: 1}.Fit(ds)
//	group, err := model.Predict(ds.X)
//
// [KMeansConfig] puts each row to the nearest of K centres. [MixtureConfig] describes the
// rows by a sum of K normal distributions. [AgglomerativeConfig] merges the rows into a
// tree of clusters, and [DBSCANConfig] finds those that are dense, whatever their form,
// and says how many there are. [DensityConfig] estimates the density of the rows without
// groups. Labels and targets of a Dataset are ignored. With the other models the caller
// says how many groups there are. To judge that number, package metrics has Silhouette,
// CalinskiHarabasz and AdjustedRand, and a [Mixture] has BIC and AIC.
//
// All sums are taken in an order that depends on the data alone, so that results
// have the same bits for any number of workers and on every processor.
package cluster

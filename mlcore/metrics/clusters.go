package metrics

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// Silhouette tells for each row of X how much nearer it is to the rows of its own cluster
// than to those of the next one (Rousseeuw, 1987, "Silhouettes"): with a the mean distance
// to the other rows of its cluster and b the least mean distance to the rows of another,
// (b-a)/max(a, b), from -1 to 1. It is 0 for a row that is alone in its cluster, and where
// a and b are 0. Distances are Euclidean; the time grows with the number of pairs of rows.
// There have to be at least two clusters, and fewer clusters than rows.
func Silhouette(X mat.Matrix, labels []int) ([]float64, error) {
	counts, err := checkClusters(X, labels)
	if err != nil {
		return nil, err
	}
	x, out := squarable(X), make([]float64, len(labels))
	each := eachSumsOfRows
	if len(counts)*len(labels) <= mostSums {
		each = eachSumsOfPairs
	}
	err = each(x, labels, len(counts), func(i int, sums []float64) (err error) {
		if out[i], err = silhouette(sums, counts, labels[i]); err != nil {
			return tooFar(x, i, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// eachSumsOfRows calls use with the sums of the distances of each row from the rows of each
// of the clusters, of which there are k, added up in the order of the rows.
func eachSumsOfRows(x *mat.Dense, labels []int, k int, use func(i int, sums []float64) error) error {
	tiles := tiled(x)
	const rows = 32 // at a time, for which a tile stays in a processor's cache
	room := func() []float64 { return make([]float64, rows*k+tileWidth) }
	return par.DoWith((len(labels)+rows-1)/rows, 0, room, func(room []float64, part int) error {
		first, end := part*rows, min((part+1)*rows, len(labels))
		sums, dist := room[:rows*k], room[rows*k:]
		clear(sums)
		for at, tile := range tiles {
			ks := labels[at*tileWidth:][:tile.Cols]
			for i := first; i < end; i++ {
				own := sums[(i-first)*k:][:k]
				kernel.SquaredDistances(dist[:tile.Cols], x.RawRowView(i), tile, 0)
				for r, k := range ks {
					own[k] += math.Sqrt(dist[r])
				}
			}
		}
		for i := first; i < end; i++ {
			if err := use(i, sums[(i-first)*k:][:k]); err != nil {
				return err
			}
		}
		return nil
	})
}

// mostSums is how many sums of distances, one for each row and cluster, are kept at most.
const mostSums = 1 << 22

// eachSumsOfPairs is eachSumsOfRows with half the work, since it finds the distance of two rows
// once, but with room for all sums. It takes one tile after the other, and the distances of its
// rows from themselves and from all later rows. By then each of these has added up its distances
// from the rows before the tile, so that all sums are in the order of the rows.
func eachSumsOfPairs(x *mat.Dense, labels []int, k int, use func(i int, sums []float64) error) error {
	tiles, n := tiled(x), len(labels)
	_, d := x.Dims()
	var team *par.Team
	const few = 1 << 14 // numbers that are too few for several goroutines
	if n*d > few {
		team = par.NewTeam(0)
		defer team.Close()
	}
	sums := make([]float64, k*n) // cluster by cluster
	dist := make([]float64, tileWidth*n)
	room := make([]float64, team.Size()*k) // of each member
	for at, tile := range tiles {
		first := at * tileWidth
		team.Do(len(tiles)-at, func(_, t int) {
			others, lo := tiles[at+t], first+t*tileWidth
			for i := range tile.Cols {
				own := dist[i*n+lo:][:others.Cols]
				kernel.SquaredDistances(own, x.RawRowView(first+i), others, 0)
				for r, v := range own {
					own[r] = math.Sqrt(v)
				}
				if t > 0 {
					kernel.AddScaled(sums[labels[first+i]*n+lo:][:len(own)], 1, own)
				}
			}
		})
		team.Do(tile.Cols, func(member, i int) {
			own := room[member*k:][:k]
			for c := range own {
				own[c] = sums[c*n+first+i]
			}
			for r, v := range dist[i*n+first : (i+1)*n] {
				own[labels[first+r]] += v
			}
			for c, v := range own {
				sums[c*n+first+i] = v
			}
		})
	}
	own := room[:k]
	for i := range n {
		for c := range own {
			own[c] = sums[c*n+i]
		}
		if err := use(i, own); err != nil {
			return err
		}
	}
	return nil
}

// squarable returns X in a unit in which squares of small values do not underflow: scores
// that are ratios of distances do not depend on it. Rows too far apart are an error.
func squarable(X mat.Matrix) *mat.Dense {
	x := given.Dense(X)
	const small = 0x1p-400
	greatest := 0.0
	n, _ := x.Dims()
	for i := range n {
		greatest = max(greatest, kernel.MaxAbs(x.RawRowView(i)))
	}
	if greatest == 0 || greatest > small {
		return x
	}
	x = mat.DenseCopyOf(x)
	for i := range n {
		kernel.Divide(x.RawRowView(i), factor.UnitOf(greatest))
	}
	return x
}

// silhouette is the coefficient of a row of a cluster, given the sums of its distances from
// the rows of each.
func silhouette(sums []float64, counts []int, own int) (float64, error) {
	a, b := sums[own]/float64(max(counts[own]-1, 1)), math.Inf(1)
	for k, n := range counts {
		if sums[k]-sums[k] != 0 {
			return 0, mlcore.ErrNonFinite
		}
		if k != own && n > 0 {
			b = min(b, sums[k]/float64(n))
		}
	}
	if most := max(a, b); most > 0 && counts[own] > 1 {
		return (b - a) / most, nil
	}
	return 0, nil
}

// tooFar tells which row is too far from row i for a distance, or for a sum of them.
func tooFar(x *mat.Dense, i int, err error) error {
	n, _ := x.Dims()
	for r := range n {
		if v := euclidean(x.RawRowView(i), x.RawRowView(r)); v-v != 0 {
			return fmt.Errorf("metrics: %w: the distance of rows %d and %d overflows; scale the columns down", err, i, r)
		}
	}
	return fmt.Errorf("metrics: %w: the sum of the distances from row %d overflows; scale the columns down", err, i)
}

// tileWidth is how many rows are in a tile.
const tileWidth = 64

// tiled returns the rows, so many at a time, with a row for each coordinate.
func tiled(x *mat.Dense) []kernel.Matrix {
	n, d := x.Dims()
	var tiles []kernel.Matrix
	for first := 0; first < n; first += tileWidth {
		width := min(tileWidth, n-first)
		tile := kernel.Matrix{Data: make([]float64, d*width), Rows: d, Cols: width}
		for i := range width {
			for j, v := range x.RawRowView(first + i) {
				tile.Data[j*width+i] = v
			}
		}
		tiles = append(tiles, tile)
	}
	return tiles
}

func euclidean(a, b []float64) float64 {
	sum := 0.0
	for j, v := range a {
		diff := v - b[j]
		sum += float64(diff * diff)
	}
	return math.Sqrt(sum)
}

// CalinskiHarabasz is the ratio of the variance between the clusters of the rows of X to
// the variance within them, each divided by its degrees of freedom (Caliński & Harabasz,
// 1974): with B the sum over the rows of the squared distance of their cluster's mean
// from the mean of all, and W that of the rows from their cluster's mean, (B/(K-1)) /
// (W/(n-K)). The higher it is, the better the clusters are separated; it is infinite
// where W is 0. There have to be at least two clusters, and fewer clusters than rows.
func CalinskiHarabasz(X mat.Matrix, labels []int) (float64, error) {
	counts, err := checkClusters(X, labels)
	if err != nil {
		return 0, err
	}
	x := squarable(X)
	n, d := x.Dims()
	all, means := make([]float64, d), make([]float64, d*len(counts))
	for i, k := range labels {
		for j, v := range x.RawRowView(i) {
			all[j] += v / float64(n)
			means[k*d+j] += v / float64(counts[k])
		}
	}
	between, within, clusters := 0.0, 0.0, 0
	for k, size := range counts {
		if size > 0 {
			clusters++
			v := euclidean(means[k*d:][:d], all)
			between += float64(float64(size) * float64(v*v))
		}
	}
	for i, k := range labels {
		v := euclidean(x.RawRowView(i), means[k*d:][:d])
		within += float64(v * v)
	}
	if between-between != 0 || within-within != 0 {
		return 0, fmt.Errorf("metrics: %w: the squared distances overflow; scale the columns down", mlcore.ErrNonFinite)
	}
	if within == 0 {
		return math.Inf(1), nil
	}
	return between / within * float64(n-clusters) / float64(clusters-1), nil
}

// checkClusters returns the number of rows of each cluster.
func checkClusters(X mat.Matrix, labels []int) (counts []int, err error) {
	if err := mlcore.CheckMatrix(X, false); err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	n, _ := X.Dims()
	if err := mlcore.CheckLabels(labels, n, 0); err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	counts = make([]int, mlcore.CountClasses(labels))
	clusters := 0
	for _, k := range labels {
		if counts[k]++; counts[k] == 1 {
			clusters++
		}
	}
	if clusters < 2 || clusters >= n {
		return nil, fmt.Errorf("metrics: %w: %d clusters of %d rows; at least 2, and fewer than rows", mlcore.ErrLabel, clusters, n)
	}
	return counts, nil
}

// AdjustedRand is how far two ways of grouping the same rows agree on which pairs of rows
// belong together, corrected for chance (Hubert & Arabie, 1985, "Comparing partitions"):
// 1 where the groups are the same, whatever their numbers, and 0 on average where one is
// drawn at random.
func AdjustedRand(a, b []int) (float64, error) {
	for _, labels := range [][]int{a, b} {
		if err := mlcore.CheckLabels(labels, len(a), 0); err != nil {
			return 0, fmt.Errorf("metrics: %w", err)
		}
	}
	if len(a) == 0 {
		return 0, fmt.Errorf("metrics: %w: no rows", mlcore.ErrEmpty)
	}
	type pair struct{ a, b int }
	both, ofA, ofB := map[pair]int{}, map[int]int{}, map[int]int{}
	for i := range a {
		both[pair{a[i], b[i]}]++
		ofA[a[i]]++
		ofB[b[i]]++
	}
	together, inA, inB := pairs(both), pairs(ofA), pairs(ofB)
	n := float64(len(a))
	expected, most := inA*inB/(n*(n-1)/2), float64((inA+inB)/2)
	if inA == together && inB == together {
		return 1, nil
	}
	return (together - expected) / (most - expected), nil
}

// pairs is the number of pairs of rows within the groups.
func pairs[K comparable](groups map[K]int) float64 {
	sum := 0
	for _, n := range groups {
		sum += n * (n - 1) / 2
	}
	return float64(sum)
}

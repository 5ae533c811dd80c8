package co395

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// MakeBridge draws n points of two round clouds 6 apart, with standard deviation 0.8, and
// of a thin bridge of the given number of points between their middles. Class 0 is the
// left cloud with the left half of the bridge.
func MakeBridge(n, bridge int, seed uint64) *mlcore.Dataset {
	rng, X, y := mlcore.NewRand(seed), mat.NewDense(n, 2, nil), make([]int, n)
	for i := range y {
		middle, sd := 6*float64(i%2), 0.8
		y[i] = i % 2
		across := float64(sd * rng.NormFloat64())
		if i < bridge {
			middle, sd, across = 6*(float64(i)+0.5)/float64(bridge), 0.15, 0
			y[i] = 0
			if middle > 3 {
				y[i] = 1
			}
		}
		X.SetRow(i, []float64{middle + across, float64(sd * rng.NormFloat64())})
	}
	ds := mlcore.FromMatrix(X, y, nil)
	ds.Name = "Bridge"
	ds.Columns[0].Name, ds.Columns[1].Name = "X1", "X2"
	return ds
}

// StabilityPanel draws the agreements of a data set over the numbers of groups ks beside
// those of data without groups: none[i] holds the values of several such sets for ks[i],
// of which the mean, the lowest and the highest are drawn. It panics on an error, as a
// cell would.
func StabilityPanel(title string, ks, agreement []float64, none [][]float64) *plotx.Panel {
	data := plotx.Series{Name: "irises", X: ks, Y: agreement, Dots: true}
	mean := plotx.Series{Name: "no groups: mean of 20 sets", X: ks, Dots: true}
	lowest := plotx.Series{Name: "lowest set", X: ks, Dashed: true}
	highest := plotx.Series{Name: "highest set", X: ks, Dashed: true}
	for _, v := range none {
		mean.Y = append(mean.Y, stat.Mean(v, nil))
		lowest.Y, highest.Y = append(lowest.Y, floats.Min(v)), append(highest.Y, floats.Max(v))
	}
	p, err := plotx.Lines(title, "number of groups", "agreement of two samples", data, mean, lowest, highest)
	if err != nil {
		panic(fmt.Errorf("co395: stability %q: %w", title, err))
	}
	p.TicksAt(ks...)
	p.X.Min, p.X.Max = p.X.Min-0.3, p.X.Max+0.3
	p.Y.Min, p.Y.Max = p.Y.Min-0.03, 1.03
	return p
}

// MostStable counts for each number of groups from lo to hi in how many of so many draws
// it has the highest agreement, the smallest number on a tie, and averages the agreement
// over the draws.
func MostStable(draws, lo, hi int, agreement func(seed uint64, k int) float64) (won []int, mean []float64) {
	values := Repeat(draws, func(seed uint64) (v []float64) {
		for k := lo; k <= hi; k++ {
			v = append(v, agreement(seed, k))
		}
		return append(v, float64(floats.MaxIdx(v)))
	})
	won = make([]int, hi-lo+1)
	for _, best := range values[len(won)] {
		won[int(best)]++
	}
	for _, v := range values[:len(won)] {
		mean = append(mean, stat.Mean(v, nil))
	}
	return won, mean
}

// linkageName is the linkage as a title: "single linkage", "Ward's linkage".
func linkageName(how cluster.Linkage) string {
	if how == cluster.Ward {
		return "Ward's linkage"
	}
	return how.String() + " linkage"
}

// Dendrograms draws the trees of the rows of X by several linkages, each cut into k
// clusters. names are those of the rows, or nil; leaves is as for [plotx.Dendrogram]. It
// panics on an error, as a cell would.
func Dendrograms(X *mat.Dense, k int, names []string, leaves int, linkages ...cluster.Linkage) (panels []plotx.Figure) {
	for _, how := range linkages {
		m, err := cluster.AgglomerativeConfig{Clusters: k, Linkage: how}.Fit(mlcore.FromMatrix[int](X, nil, nil))
		if err != nil {
			panic(fmt.Errorf("co395: %v linkage: %w", how, err))
		}
		p, err := plotx.Dendrogram(linkageName(how), m, names, leaves)
		if err != nil {
			panic(fmt.Errorf("co395: %v linkage: %w", how, err))
		}
		p.Y.Label.Text = "distance"
		panels = append(panels, p)
	}
	return panels
}

// Middle is the mean of the given rows of X.
func Middle(X *mat.Dense, rows []int) []float64 {
	_, d := X.Dims()
	mean := make([]float64, d)
	for _, row := range rows {
		floats.Add(mean, X.RawRowView(row))
	}
	floats.Scale(1/float64(len(rows)), mean)
	return mean
}

// Singles is one group for each row of X: {0}, {1}, {2} and so on.
func Singles(X *mat.Dense) (groups [][]int) {
	n, _ := X.Dims()
	for row := range n {
		groups = append(groups, []int{row})
	}
	return groups
}

// GroupOf is the number of the group of each row, where every row is in one group.
func GroupOf(groups [][]int) []int {
	n := 0
	for _, rows := range groups {
		n += len(rows)
	}
	group := make([]int, n)
	for g, rows := range groups {
		for _, row := range rows {
			group[row] = g
		}
	}
	return group
}

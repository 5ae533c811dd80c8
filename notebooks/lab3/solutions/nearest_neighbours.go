package solutions

import (
	"cmp"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/notebooks/lab3"
	"gonum.org/v1/gonum/mat"
)

// NearestNeighboursPredict predicts a label for each row of testX: the vote of
// its nearest training samples by Euclidean distance. Samples at the same
// distance count in the order of their rows. (Hand-out, task 1.1.)
func NearestNeighboursPredict(trainX *mat.Dense, trainY []int, testX *mat.Dense, neighbours int) []int {
	lab3.NeedLabels(trainX, trainY)
	lab3.NeedFeatures(trainX, testX)
	n, _ := testX.Dims()
	predicted := make([]int, n)
	for i := range predicted {
		near := nearestRows(trainX, testX.RawRowView(i), neighbours)
		predicted[i] = lab3.Vote(lab3.Pick(trainY, near), nil)
	}
	return predicted
}

// nearestRows returns the k rows of X that are nearest to q, nearest first.
func nearestRows(X *mat.Dense, q []float64, k int) []int {
	n, _ := X.Dims()
	distance := make([]float64, n)
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
		distance[i] = euclidean(X.RawRowView(i), q)
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		return cmp.Compare(distance[a], distance[b])
	})
	return rows[:min(k, n)]
}

// euclidean is the distance √Σ(a_j-b_j)².
func euclidean(a, b []float64) float64 {
	sum := 0.0
	for j := range a {
		sum += (a[j] - b[j]) * (a[j] - b[j])
	}
	return math.Sqrt(sum)
}

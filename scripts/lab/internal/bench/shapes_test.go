package bench

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Data are what the names of the rows say: counted here, cell by cell.
func TestShapes(t *testing.T) {
	base := madeUp{rows: 400, columns: 10, classes: 2, queries: 50}.make
	column := func(X *mat.Dense, j int) []float64 { return mat.Col(nil, j, X) }
	train, test, err := withTargets(withColumn(base, func(int, []float64) float64 { return 3 }))()
	if err != nil {
		t.Fatal(err)
	}
	if s := stat.StdDev(column(train.X, 9), nil); s != 0 || len(train.Target) != 400 || len(test.Target) != 50 || train.Y != nil {
		t.Errorf("a constant column has a standard deviation of %v, there are %d and %d targets", s, len(train.Target), len(test.Target))
	}
	sum := make([]float64, 400)
	for i := range sum {
		for _, v := range train.X.RawRowView(i)[:5] {
			sum[i] += v
		}
	}
	if r := stat.Correlation(sum, train.Target, nil); r < 0.9 {
		t.Errorf("targets have a correlation of %v with the sum that they are", r)
	}
	if train, _, err = mostlyZeros(1000, 20, 50)(); err != nil {
		t.Fatal(err)
	}
	others := 0
	for _, v := range train.X.RawMatrix().Data {
		if v != 0 {
			others++
		}
	}
	if share := float64(others) / 20_000; math.Abs(share-0.02) > 0.005 {
		t.Errorf("%v of the values are not 0", share)
	}
	if train, _, err = coded(2000, 3, 40)(); err != nil {
		t.Fatal(err)
	}
	if train.NumFeatures() != 3 || train.Validate() != nil || len(train.Columns[2].Levels) != 40 {
		t.Errorf("%d columns, %v", train.NumFeatures(), train.Validate())
	}
	odd := 0
	for i, c := range train.Y {
		if int(train.X.At(i, 0))%2 == c {
			odd++
		}
	}
	if share := float64(odd) / 2000; math.Abs(share-0.9) > 0.03 {
		t.Errorf("the first column is right about %v of the classes", share)
	}
	if train, test, err = oneHotRows(500, 6, 10)(); err != nil {
		t.Fatal(err)
	}
	if n, d := train.X.Dims(); n != 500 || d != 60 || test.NumFeatures() != 60 || mat.Sum(train.X) != 3000 {
		t.Errorf("one-hot rows are %d x %d and sum to %v", n, d, mat.Sum(train.X))
	}
}

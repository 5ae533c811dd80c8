package co395

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/frame"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"gonum.org/v1/gonum/mat"
)

// The nearest neighbours of the six cars by their codes, found by hand. The levels are
// large, middle, small and blue, red; the codes of the rows are 01 01 00 20 11 11, and
// their classes acc, good and unacc are 2 0 1 2 0 1.
func TestVoteOnCodes(t *testing.T) {
	ds, err := frame.ToDataset(SixCars(), frame.Options{Label: "class"})
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{2, 0, 1, 2, 0, 1}; !slices.Equal(ds.Y, want) {
		t.Fatalf("classes %v, want %v", ds.Y, want)
	}
	queries := mat.NewDense(3, 2, []float64{0, 0, 2, 0, 5, -3})
	if got, want := voteOnCodes(1, neighbors.Manhattan)(ds, queries), []int{1, 2, 2}; !slices.Equal(got, want) {
		t.Errorf("classes %v, want %v", got, want)
	}
}

func TestCleanAndNoisy(t *testing.T) {
	// Constant predictions: class 0 of the training set's first label. By hand: the clean
	// sets say 0, which is wrong on one test row of four; the noisy sets say 0 and 1 by
	// turns, with error rates 1/4 and 3/4, mean 1/2, standard deviation √(1/12) over 4.
	train := func(first func(seed uint64) int) func(uint64) *mlcore.Dataset {
		return func(seed uint64) *mlcore.Dataset {
			return line([]float64{0, 1}, []int{first(seed), 1})
		}
	}
	say := func(ds *mlcore.Dataset, X *mat.Dense) []int {
		n, _ := X.Dims()
		return slices.Repeat(ds.Y[:1], n)
	}
	row := noisyRow("first label", say, train(func(uint64) int { return 0 }),
		train(func(seed uint64) int { return int(seed % 2) }), line([]float64{0, 1, 2, 3}, []int{0, 0, 0, 1}), 4)
	if row.Vote != "first label" || row.Clean != 0.25 || row.Noisy != 0.5 ||
		math.Abs(row.Error-math.Sqrt(1.0/12)/2) > 1e-12 {
		t.Errorf("%+v", row)
	}
}

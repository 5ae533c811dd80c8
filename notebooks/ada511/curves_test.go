package ada511

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// By hand: at x the seeds 0, 1, 2 give x, x+1, x+2, with the mean x+1, the standard
// deviation 1 and the standard error 1/√3. The second curve is the first times -2.
func TestMeanCurves(t *testing.T) {
	curves := MeanCurves([]string{"a", "b"}, []float64{1, 5}, 3, func(x float64, seed uint64) []float64 {
		v := x + float64(seed)
		return []float64{v, -2 * v}
	})
	for k, want := range []struct {
		name string
		y    []float64
		err  float64
	}{{"a", []float64{2, 6}, 1 / math.Sqrt(3)}, {"b", []float64{-4, -12}, 2 / math.Sqrt(3)}} {
		c := curves[k]
		if c.Name != want.name || !slices.Equal(c.X, []float64{1, 5}) || !slices.Equal(c.Y, want.y) {
			t.Errorf("curve %d is %q with x %v and y %v, want %q with 1, 5 and %v", k, c.Name, c.X, c.Y, want.name, want.y)
		}
		for _, e := range c.Err {
			if math.Abs(e-want.err) > 1e-12 {
				t.Errorf("curve %s: bar %v, want %v", c.Name, e, want.err)
			}
		}
	}
}

// The model knows the answers of the data that it learns from, and says 1 about the others.
func TestTrainAndHeld(t *testing.T) {
	fits := 0
	f := func(train *mlcore.Dataset, X *mat.Dense) []int {
		fits++
		n, _ := X.Dims()
		predicted := slices.Repeat([]int{1}, n)
		copy(predicted, train.Y)
		return predicted
	}
	train := mlcore.FromMatrix(mat.NewDense(3, 1, []float64{1, 2, 3}), []int{0, 1, 0}, nil)
	held := mlcore.FromMatrix(mat.NewDense(4, 1, []float64{1, 2, 3, 4}), []int{0, 1, 1, 1}, nil)
	if got := TrainAndHeld(f, train, held); !slices.Equal(got, []float64{0, 0.25}) || fits != 1 {
		t.Errorf("%v after %d fits", got, fits)
	}
}

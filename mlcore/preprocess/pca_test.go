package preprocess_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// TestComponentsOfManyColumns holds components to their definition: they are orthonormal
// eigenvectors of the covariance matrix, which gonum computes, with the variances for
// eigenvalues, the greatest first, and Transform projects on them, wherever 0 is.
func TestComponentsOfManyColumns(t *testing.T) {
	for _, size := range [][2]int{{2, 60}, {30, 120}, {60, 60}, {61, 60}, {300, 70}} {
		for _, kind := range []string{"plain", "far from 0", "equal columns", "a constant column"} {
			n, d := size[0], size[1]
			rng := mlcore.NewRand(3)
			X := mat.NewDense(n, d, nil)
			for i := range n {
				common := rng.NormFloat64()
				for j := range d {
					v := math.Round(1024*(common+rng.NormFloat64()*float64(1+j%5))) / 1024
					switch {
					case kind == "far from 0":
						v += 0x1p30
					case kind == "equal columns" && j == d-1:
						v = X.At(i, 0)
					case kind == "a constant column" && j == 3:
						v = 7
					}
					X.Set(i, j, v)
				}
			}
			name := fmt.Sprintf("%d×%d, %s", n, d, kind)
			m, err := preprocess.PCAConfig{}.Fit(mlcore.FromMatrix(X, make([]float64, n), nil))
			if err != nil {
				t.Fatal(err)
			}
			var covariance mat.SymDense
			stat.CovarianceMatrix(&covariance, X, nil)
			C, variance := m.Components(), m.ExplainedVariance()
			k, _ := C.Dims()
			if k != min(n, d) {
				t.Fatalf("%s: %d components", name, k)
			}
			var gram, images mat.Dense
			gram.Mul(C, C.T())
			images.Mul(C, &covariance)
			for i := range k {
				if i > 0 && variance[i] > variance[i-1] {
					t.Errorf("%s: variance %d is %v after %v", name, i, variance[i], variance[i-1])
				}
				for j := range k {
					unit := 0.0
					if i == j {
						unit = 1
					}
					if math.Abs(gram.At(i, j)-unit) > 1e-13 {
						t.Fatalf("%s: components %d and %d have the product %v", name, i, j, gram.At(i, j))
					}
				}
				for j := range d {
					if off := math.Abs(images.At(i, j) - variance[i]*C.At(i, j)); !(off <= 1e-12*variance[0]) {
						t.Fatalf("%s: component %d is no eigenvector: off by %v, of %v", name, i, off, variance[0])
					}
				}
			}
			got, err := m.TransformRows(X)
			if err != nil {
				t.Fatal(err)
			}
			for c := range k {
				scores := mat.Col(nil, c, got)
				mean, square := stat.MeanVariance(scores, nil)
				if root := math.Sqrt(variance[0]); math.Abs(mean) > 1e-6*root || math.Abs(square-variance[c]) > 1e-11*variance[0] {
					t.Fatalf("%s: scores of component %d have mean %v and variance %v, want 0 and %v", name, c, mean, square, variance[c])
				}
			}
		}
	}
}

// A few of many components are found without the others. The oracle is gonum's singular value
// decomposition: of long data and of wide ones, whose components fall fast, slowly, and so fast
// that the few would lose digits.
func TestFewComponents(t *testing.T) {
	const keep = 3
	for _, tc := range []struct {
		name string
		n, d int
		fall float64 // of the spread from one column to the next
		wide float64 // the spread of one column beside the others
	}{
		{"long", 700, 220, 0.97, 1},
		{"long, noise", 700, 220, 1, 1},
		{"wide", 230, 400, 0.97, 1},
		{"wide, noise", 230, 400, 1, 1},
		{"square", 220, 220, 0.9, 1},
		{"falls fast", 700, 220, 1e-4, 1},
		{"one wide column", 500, 250, 1, 30},
		{"one very wide column", 500, 250, 1, 900},
		{"one column outshines all", 500, 250, 1, 3000},
		{"one wide column of many", 250, 400, 1, 500},
	} {
		rng := mlcore.NewRand(uint64(tc.n), uint64(tc.d))
		X := mat.NewDense(tc.n, tc.d, nil)
		for i := range tc.n {
			for j := range tc.d {
				X.Set(i, j, 5+rng.NormFloat64()*max(math.Pow(tc.fall, float64(j)), 1e-30))
			}
			X.Set(i, 7, 0) // a constant column
			X.Set(i, 9, tc.wide*X.At(i, 9))
		}
		train := mlcore.FromMatrix[int](X, nil, nil)
		m, err := preprocess.PCAConfig{Components: keep, Workers: 1}.Fit(train)
		if err != nil {
			t.Fatal(err)
		}
		more, err := preprocess.PCAConfig{Components: keep, Workers: 3}.Fit(train)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(m.Components(), more.Components()) {
			t.Errorf("%s: three workers give other components than one", tc.name)
		}
		centred := mat.DenseCopyOf(X)
		for j := range tc.d {
			column := mat.Col(nil, j, X)
			mean := 0.0
			for _, v := range column {
				mean += v / float64(tc.n)
			}
			for i, v := range column {
				centred.Set(i, j, v-mean)
			}
		}
		var svd mat.SVD
		if !svd.Factorize(centred, mat.SVDThin) {
			t.Fatal(tc.name)
		}
		var right mat.Dense
		svd.VTo(&right)
		total := 0.0
		for _, s := range svd.Values(nil) {
			total += s * s
		}
		for k, s := range svd.Values(nil)[:keep] {
			if got, want := m.ExplainedVariance()[k], s*s/float64(tc.n-1); math.Abs(got-want) > 1e-10*want {
				t.Errorf("%s: variance %d is %v, want %v", tc.name, k, got, want)
			}
			if got, want := m.ExplainedVarianceRatio()[k], s*s/total; math.Abs(got-want) > 1e-10*want {
				t.Errorf("%s: share %d is %v, want %v", tc.name, k, got, want)
			}
			var off mat.VecDense
			own, want := m.Components().RowView(k), right.ColView(k)
			off.AddScaledVec(own, -math.Copysign(1, mat.Dot(own, want)), want)
			if length := mat.Norm(&off, 2); length > 1e-10 {
				t.Errorf("%s: component %d is off by %v", tc.name, k, length)
			}
		}
	}
}

// Components whose variances differ by less than a millionth are not found alone in good time, and
// then with the others. The oracle is gonum's singular value decomposition.
func TestFewComponentsOfNearlyEqualOnes(t *testing.T) {
	const n, d, keep = 400, 210, 3
	rng := mlcore.NewRand(5)
	drawn := mat.NewDense(n, d, nil)
	for i := range n {
		row := drawn.RawRowView(i)
		for j := range row {
			row[j] = rng.NormFloat64()
		}
	}
	for j := range d { // the components of centred columns have the mean 0
		column := mat.Col(nil, j, drawn)
		mean := stat.Mean(column, nil)
		for i, v := range column {
			drawn.Set(i, j, v-mean)
		}
	}
	var qr mat.QR
	qr.Factorize(drawn)
	var q mat.Dense
	qr.QTo(&q)
	X := mat.NewDense(n, d, nil)
	X.Apply(func(i, j int, _ float64) float64 { return q.At(i, j) * (3 - 1e-6*float64(j)/d) }, X)
	m, err := preprocess.PCAConfig{Components: keep}.Fit(mlcore.FromMatrix[int](X, nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	var svd mat.SVD
	if !svd.Factorize(X, mat.SVDNone) {
		t.Fatal("no decomposition")
	}
	for k, s := range svd.Values(nil)[:keep] {
		if got, want := m.ExplainedVariance()[k], s*s/(n-1); math.Abs(got-want) > 1e-12*want {
			t.Errorf("variance %d is %v, want %v", k, got, want)
		}
	}
}

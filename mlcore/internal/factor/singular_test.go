package factor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// checkSingular compares values with gonum's mat.SVD, and vectors with what defines them:
// they are orthonormal, and a carries each to a vector as long as its value, at right angles to the
// others'.
func checkSingular(t *testing.T, name string, a []float64, m, d, count, vectors int) {
	t.Helper()
	var svd mat.SVD
	if !svd.Factorize(mat.NewDense(m, d, slices.Clone(a)), mat.SVDNone) {
		t.Fatal("gonum's decomposition failed")
	}
	want := append(svd.Values(nil), make([]float64, d)...)
	before := slices.Clone(a)
	values, right := Singular(a, m, d, count, vectors, 1)
	if !slices.Equal(a, before) {
		t.Errorf("%s: the matrix has changed", name)
	}
	if again, same := Singular(a, m, d, count, vectors, 3); !slices.Equal(again, values) || !slices.Equal(same, right) {
		t.Errorf("%s: three workers find other numbers than one", name)
	}
	off := 4e-15 * math.Sqrt(float64(d)) * max(want[0], 0x1p-1000)
	for k, v := range values {
		if !(math.Abs(v-want[k]) <= off) {
			t.Fatalf("%s: value %d is %v, want %v", name, k, v, want[k])
		}
	}
	if len(values) != count || len(right) != vectors*d {
		t.Fatalf("%s: %d values and %d numbers in right vectors, want %d and %d", name, len(values), len(right), count, vectors*d)
	}
	V := mat.NewDense(vectors, d, right)
	var gram, images, product mat.Dense
	gram.Mul(V, V.T())
	images.Mul(mat.NewDense(m, d, a), V.T())
	product.Mul(images.T(), &images)
	for i := range vectors {
		for j := range vectors {
			unit, square := 0.0, 0.0
			if i == j {
				unit, square = 1, values[i]*values[i]
			}
			if !(math.Abs(gram.At(i, j)-unit) <= 4e-15*math.Sqrt(float64(d))) {
				t.Fatalf("%s: right vectors %d and %d have the product %v", name, i, j, gram.At(i, j))
			}
			if !(math.Abs(product.At(i, j)-square) <= 4*off*want[0]) {
				t.Fatalf("%s: images %d and %d have the product %v, want %v", name, i, j, product.At(i, j), square)
			}
		}
	}
}

func TestSingularAgainstGonum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, size := range [][2]int{{1, 1}, {2, 2}, {3, 3}, {1, 5}, {2, 40}, {20, 20}, {49, 49}, {30, 100}, {100, 101}, {130, 130}, {270, 270}} {
		m, d := size[0], size[1]
		for _, kind := range []string{"normal", "columns of many sizes", "rows of many sizes", "rank 1", "equal rows", "equal columns", "diagonal", "zeros", "ones", "triangle", "small at the top", "one row of zeros", "near rank 2"} {
			if m > 2*bandRows && kind != "normal" && kind != "rank 1" {
				continue // they are there for the team's sake
			}
			a := make([]float64, m*d)
			for i := range a {
				row, column := i/d, i%d
				switch v := r.NormFloat64(); kind {
				case "normal", "equal rows", "equal columns", "one row of zeros":
					a[i] = v
				case "columns of many sizes":
					a[i] = v * math.Pow(10, float64(column%13-6))
				case "rows of many sizes":
					a[i] = v * math.Pow(10, float64(row%13-6))
				case "rank 1":
					a[i] = float64(row+1) * float64(column-3)
				case "diagonal":
					if row == column {
						a[i] = v
					}
				case "ones":
					a[i] = 1
				case "triangle":
					if row <= column {
						a[i] = v
					}
				case "small at the top":
					if row <= column {
						a[i] = v * math.Pow(10, float64(row-m)/4)
					}
				case "near rank 2":
					a[i] = float64(row+1)*float64(column-3) + math.Sin(float64(row))*float64(column*column) + 1e-14*v
				}
			}
			for i := range a {
				switch {
				case kind == "equal rows" && i >= d:
					a[i] = a[i-d]
				case kind == "equal columns" && i%d > 0:
					a[i] = a[i-1]
				case kind == "one row of zeros" && i/d == m/2:
					a[i] = 0
				}
			}
			name := fmt.Sprintf("%s, %d×%d", kind, m, d)
			checkSingular(t, name, a, m, d, m, m)
			checkSingular(t, name+", completed", a, m, d, min(d, m+3), min(d, m+3))
			checkSingular(t, name+", half of the vectors", a, m, d, m, (m+1)/2)
			checkThin(t, name, a, m, d)
		}
	}
}

// A few right vectors of many rows go another way. They are those of all vectors up to their
// signs where values are apart, and values are the same to the last bit.
func TestSingularFewVectors(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, size := range [][2]int{{manyRows + 1, manyRows + 1}, {260, 300}} {
		m, d := size[0], size[1]
		for kind, at := range map[string]func(i, j int) float64{
			"normal": func(_, _ int) float64 { return r.NormFloat64() },
			"rank 1": func(i, j int) float64 { return float64(i+1) * float64(j-3) },
			"zeros":  func(_, _ int) float64 { return 0 },
			"unit":   func(i, j int) float64 { return float64(max(0, 1-max(i-j, j-i))) },
			"ones":   func(_, _ int) float64 { return 1 },
			"equal":  func(_, j int) float64 { return math.Sin(float64(j % 7)) },
			"Laplace": func(i, j int) float64 {
				return float64(max(0, 2-3*max(i-j, j-i))) - float64(max(0, 1-max(i-j-1, j+1-i)))
			},
			"sizes": func(_, j int) float64 { return r.NormFloat64() * math.Pow(10, float64(j%13-6)) },
			"tiny":  func(_, _ int) float64 { return 1e-140 * r.NormFloat64() },
			"huge":  func(_, _ int) float64 { return 1e140 * r.NormFloat64() },
			"glued": func(i, j int) float64 {
				return float64(max(0, 1-max(i-j, j-i)))*math.Abs(float64(i%21-10)) + 1e-8*float64(max(0, 1-max(i-j-1, j+1-i)))
			},
		} {
			if m < d && kind != "normal" && kind != "rank 1" {
				continue // they are there for the way back through the triangle
			}
			a := make([]float64, m*d)
			for i := range a {
				a[i] = at(i/d, i%d)
			}
			all, basis := Singular(a, m, d, m, m, 1)
			for _, vectors := range []int{17, m / fewVectors} {
				name := fmt.Sprintf("%s, %d×%d, %d vectors", kind, m, d, vectors)
				if kind != "tiny" && kind != "huge" { // whose squares of squares the checks take
					checkSingular(t, name, a, m, d, m, vectors)
				}
				values, right := Singular(a, m, d, m, vectors, 1)
				if !slices.Equal(values, all) {
					t.Errorf("%s: other values than with all vectors", name)
				}
				for k := range vectors {
					apart := values[k] - values[k+1]
					if k > 0 {
						apart = min(apart, values[k-1]-values[k])
					}
					if !(apart > 1e-3*values[0]) {
						continue
					}
					dot := 0.0
					for j := range d {
						dot += right[k*d+j] * basis[k*d+j]
					}
					if math.Abs(math.Abs(dot)-1) > 1e-12 {
						t.Errorf("%s: the cosine of vector %d with that of all is %v", name, k, dot)
					}
				}
			}
		}
	}
}

// checkThin compares values with gonum's, and images with what they are: what a makes of
// the right vectors.
func checkThin(t *testing.T, name string, a []float64, m, d int) {
	t.Helper()
	var svd mat.SVD
	if !svd.Factorize(mat.NewDense(m, d, slices.Clone(a)), mat.SVDNone) {
		t.Fatal("gonum's decomposition failed")
	}
	want := svd.Values(nil)
	found := Thin(a, m, d)
	if len(found) != len(want) {
		t.Fatalf("%s: %d values, want %d", name, len(found), len(want))
	}
	off := 8e-15 * math.Sqrt(float64(d)) * max(want[0], 0x1p-1000)
	for k, v := range found {
		if !(math.Abs(v.Value-want[k]) <= off) {
			t.Errorf("%s: value %d is %v, want %v", name, k, v.Value, want[k])
		}
		var image mat.VecDense
		image.MulVec(mat.NewDense(m, d, a), mat.NewVecDense(d, v.Right))
		for i, x := range v.Image {
			if !(math.Abs(x-image.AtVec(i)) <= off) {
				t.Errorf("%s: the image of vector %d has %v at %d, want %v", name, k, x, i, image.AtVec(i))
			}
		}
	}
}

// A wide matrix is taken apart in the space of its rows. Rotating all 3,000 columns would
// take minutes.
func TestThinOfAWideMatrix(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	a := make([]float64, 5*3000)
	for i := range a {
		a[i] = r.NormFloat64()
	}
	checkThin(t, "wide", a, 5, 3000)
}

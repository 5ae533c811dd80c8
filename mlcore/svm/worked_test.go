package svm_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/svm"
	"gonum.org/v1/gonum/mat"
)

// Worked by hand. Of two points at distance 2 along the first axis, (−1, 0) and
// (1, 0), the widest street is |x₁| < 1: w = (1, 0), b = 0, and α = 1/2 for both
// since w = Σ α y x. With C = 1/4 both α are at C: w = (1/2, 0), the street is 4
// wide and both rows violate it by 1/2.
//
// Of the three points 0, 2 (class 0) and 6 (class 1) on a line only 2 and 6 carry
// the street: w = 2/4, b = -2, α = w/(6-2) = 1/8.
func TestWorkedByHand(t *testing.T) {
	for _, c := range []struct {
		name      string
		C         float64
		X         *mat.Dense
		y         []int
		w         []float64
		b         float64
		support   []int
		dual      []float64
		violating []int
		objective float64
	}{
		{"two points", 10, mat.NewDense(2, 2, []float64{-1, 0, 1, 0}), []int{0, 1}, []float64{1, 0}, 0, []int{0, 1}, []float64{-0.5, 0.5}, nil, -0.5},
		{"two points, soft", 0.25, mat.NewDense(2, 2, []float64{-1, 0, 1, 0}), []int{0, 1}, []float64{0.5, 0}, 0, []int{0, 1}, []float64{-0.25, 0.25}, []int{0, 1}, -0.375},
		{"three points", 1, mat.NewDense(3, 1, []float64{0, 2, 6}), []int{0, 0, 1}, []float64{0.5}, -2, []int{1, 2}, []float64{-0.125, 0.125}, nil, -0.125},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := svm.Config{C: c.C, Kernel: svm.Linear{}, Tol: 1e-12}.FitClassifier(mlcore.FromMatrix(c.X, c.y, nil))
			if err != nil {
				t.Fatal(err)
			}
			checkClose(t, "w", m.Coef().RawRowView(0), c.w)
			checkClose(t, "b", m.Intercept(), []float64{c.b})
			checkClose(t, "dual coefficients", m.DualCoef().RawRowView(0), c.dual)
			checkClose(t, "street width", m.StreetWidth(), []float64{2 / math.Sqrt(mat.Dot(mat.NewVecDense(len(c.w), c.w), mat.NewVecDense(len(c.w), c.w)))})
			if !slices.Equal(m.Support(), c.support) {
				t.Errorf("support vectors %v, want %v", m.Support(), c.support)
			}
			if r := m.Status(); r.Outcome != mlcore.Converged || math.Abs(m.Solutions()[0].Objective-c.objective) > 1e-12 || r.Advice != "" {
				t.Errorf("report %+v, want objective %v", r, c.objective)
			}
			margins, err := m.Margins(c.X, c.y)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(margins.Violations(), c.violating) {
				t.Errorf("violations %v, want %v", margins.Violations(), c.violating)
			}
		})
	}
}

// checkClose compares with numbers worked by hand.
func checkClose(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
	for i := range got {
		if math.Abs(got[i]-want[i]) > 1e-9 {
			t.Fatalf("%s: %v, want %v", what, got, want)
		}
	}
}

// With the bias as a feature of value 1, the two points 0 and 2 of classes 0 and 1
// are (0, 1) and (2, 1): at the minimum both are on the edge, so b = -1 and w = 1.
// With no intercept, w = 1/2 puts the point 2 on its edge, and 0 violates by 1
// for any w; its α is C though it moves nothing.
func TestLinearByHand(t *testing.T) {
	X, y := mat.NewDense(2, 1, []float64{0, 2}), []int{0, 1}
	for _, c := range []struct {
		cfg  svm.LinearConfig
		w, b float64
	}{{svm.LinearConfig{C: 100}, 1, -1}, {svm.LinearConfig{C: 100, NoIntercept: true}, 0.5, 0}} {
		c.cfg.Tol = 1e-12
		m, err := c.cfg.FitClassifier(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		checkClose(t, "w", m.Coef().RawRowView(0), []float64{c.w})
		checkClose(t, "b", m.Intercept(), []float64{c.b})
		checkClose(t, "street width", m.StreetWidth(), []float64{2 / c.w})
		if m.Status().Outcome != mlcore.Converged {
			t.Errorf("NoIntercept %v: %+v", c.cfg.NoIntercept, m.Status())
		}
	}
}

// A line through 0, 1, 2 with targets 0, 2, 4 and a tube of 1/2 need only rise
// from 1/2 to 7/2: w = 3/2, b = 1/2, held by the first and the last row.
func TestRegressionByHand(t *testing.T) {
	X, y := mat.NewDense(3, 1, []float64{0, 1, 2}), []float64{0, 2, 4}
	m, err := svm.Config{C: 10, Kernel: svm.Linear{}, Epsilon: 0.5, Tol: 1e-12}.FitRegressor(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	checkClose(t, "w", m.Coef(), []float64{1.5})
	checkClose(t, "b", []float64{m.Intercept()}, []float64{0.5})
	checkClose(t, "dual coefficients", m.DualCoef(), []float64{-0.75, 0.75})
	slack, err := m.Slack(mat.NewDense(3, 1, []float64{0, 1, 2}), []float64{0, 2, 6})
	if err != nil {
		t.Fatal(err)
	}
	checkClose(t, "slack", slack, []float64{0, 0, 2})
}

// All targets within the tube: no support vectors, and b in the middle.
func TestRegressionWithinTube(t *testing.T) {
	X := mat.NewDense(3, 1, []float64{0, 1, 2})
	m, err := svm.Config{Epsilon: 5}.FitRegressor(mlcore.FromMatrix(X, []float64{1, 2, 4}, nil))
	if err != nil {
		t.Fatal(err)
	}
	if m.SupportVectors() != nil || len(m.Support()) != 0 || len(m.DualCoef()) != 0 {
		t.Errorf("support vectors %v", m.Support())
	}
	got, err := m.Predict(X)
	if err != nil {
		t.Fatal(err)
	}
	checkClose(t, "predictions", got, []float64{2.5, 2.5, 2.5})
}

// What the course CITS5508 says of C: the smaller, the wider the street and the
// more rows violate the margin. The boundary is in the middle of the edges.
func TestSmallerCWiderStreet(t *testing.T) {
	ds := datasets.MakeBlobs(120, mat.NewDense(2, 2, []float64{-1, -1, 1, 1}), 1, 3)
	width, violations := math.Inf(1), ds.Len()+1
	for _, C := range []float64{0.001, 0.01, 0.1, 1} {
		m, err := svm.Config{C: C, Kernel: svm.Linear{}, Tol: 1e-6}.FitClassifier(ds)
		if err != nil {
			t.Fatal(err)
		}
		margins, err := m.Margins(ds.X, ds.Y)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.StreetWidth()[0]; !(got < width) {
			t.Errorf("C = %v: street of %v, with a smaller C %v", C, got, width)
		} else {
			width = got
		}
		if got := len(margins.Violations()); got >= violations {
			t.Errorf("C = %v: %d violations, with a smaller C %d", C, got, violations)
		} else {
			violations = got
		}
		// A step of half the street along w/|w| leads from the boundary to an edge.
		w, b := m.Coef().RawRowView(0), m.Intercept()[0]
		norm2 := w[0]*w[0] + w[1]*w[1]
		foot := []float64{-b * w[0] / norm2, -b * w[1] / norm2}
		step := width / 2 / math.Sqrt(norm2)
		f, err := m.Decision(mat.NewDense(3, 2, []float64{
			foot[0] - step*w[0], foot[1] - step*w[1], foot[0], foot[1], foot[0] + step*w[0], foot[1] + step*w[1]}))
		if err != nil {
			t.Fatal(err)
		}
		checkClose(t, "f on the lower edge, the boundary and the upper edge", f.RawMatrix().Data, []float64{-1, 0, 1})
	}
}

// The places beside the street of f(x) = x, with rows of both classes.
func TestPlaces(t *testing.T) {
	m, err := svm.Config{C: 10, Kernel: svm.Linear{}}.FitClassifier(mlcore.FromMatrix(mat.NewDense(2, 1, []float64{-1, 1}), []int{2, 5}, nil))
	if err != nil {
		t.Fatal(err)
	}
	X := mat.NewDense(6, 1, []float64{2, 1, 0.25, 0, -3, -0.5})
	got, err := m.Margins(X, []int{5, 5, 5, 5, 5, 2})
	if err != nil {
		t.Fatal(err)
	}
	want := []svm.Place{svm.Beyond, svm.OnEdge, svm.InStreet, svm.WrongSide, svm.WrongSide, svm.InStreet}
	if !slices.Equal(got.Place, want) {
		t.Errorf("places %v, want %v", got.Place, want)
	}
	checkClose(t, "slack", got.Slack, []float64{0, 0, 0.75, 1, 4, 0.5})
	checkClose(t, "functional margins", got.Functional, []float64{2, 1, 0.25, 0, -3, 0.5})
	if _, err := m.Margins(X, []int{5, 5, 5, 5, 3, 2}); !errors.Is(err, mlcore.ErrLabel) || !strings.Contains(err.Error(), "row 4") {
		t.Errorf("a class that the model does not know: error %v", err)
	}
}

// Unscaled columns keep the solver from converging; the report says so, and why.
func TestAdviceToStandardise(t *testing.T) {
	rng := mlcore.NewRand(4)
	X, y := mat.NewDense(80, 2, nil), make([]int, 80)
	for i := range y {
		y[i] = i % 2
		X.SetRow(i, []float64{1e5 * rng.NormFloat64(), float64(y[i]) + rng.NormFloat64()})
	}
	advised := "Column 0 ranges"
	kernel, err := svm.Config{Kernel: svm.Linear{}, MaxIter: 2000}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	linear, err := svm.LinearConfig{MaxIter: 50}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]mlcore.Status{"kernel": kernel.Status(), "linear": linear.Status()} {
		if r.Outcome != mlcore.IterationLimit || r.Measure <= 1e-3 || !strings.Contains(r.Advice, advised) || !strings.Contains(r.Advice, "standardise") {
			t.Errorf("%s: %+v", name, r)
		}
	}
	standardise(X, X)
	scaled, err := svm.Config{Kernel: svm.Linear{}, MaxIter: 2000}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	if r := scaled.Status(); r.Outcome != mlcore.Converged || r.Advice != "" || r.Iterations >= 2000 {
		t.Errorf("standardised: %+v", r)
	}
}

// TestInterceptOfBoundedMultipliers: weights so small that every multiplier is at
// its bound. By hand, with the bounds 0.1 and 0.2 of class 0 at -1 and -0.9 and 0.3
// of class 1 at 1, w is 0.1 + 0.18 + 0.3 = 0.58, and every b from -0.42, where the
// row at -1 reaches its margin, to 0.42, where the row at 1 does, is optimal; the
// middle is 0. In binary 0.1 + 0.2 is more than 0.3, which must not leave a
// multiplier next to its bound and let it decide alone.
func TestInterceptOfBoundedMultipliers(t *testing.T) {
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		X, y, w := mat.NewDense(3, 1, nil), make([]int, 3), make([]float64, 3)
		for i, r := range order {
			X.Set(i, 0, []float64{-1, -0.9, 1}[r])
			y[i] = []int{0, 0, 1}[r]
			w[i] = []float64{0.1, 0.2, 0.3}[r]
		}
		m, err := svm.Config{Kernel: svm.Linear{}, Tol: 1e-9}.FitClassifier(mlcore.FromMatrix(X, y, w))
		if err != nil {
			t.Fatal(err)
		}
		f, err := m.Decision(mat.NewDense(2, 1, []float64{0, 1}))
		if err != nil {
			t.Fatal(err)
		}
		if b, slope := f.At(0, 0), f.At(1, 0)-f.At(0, 0); math.Abs(b) > 1e-12 || math.Abs(slope-0.58) > 1e-12 {
			t.Errorf("rows in the order %v: b = %v and w = %v, want 0 and 0.58", order, b, slope)
		}
	}
}

// Two points ±s of two classes lie on the edges of a street without violations, whatever
// their size and however far C is above the multipliers 1/(2s²): f(±s) = ±1. Two targets
// ±1 lie on the edges of a tube of half-width ε: f(±s) = ±(1-ε).
func TestHardMarginsOfAnySize(t *testing.T) {
	for _, s := range []float64{1e-100, 1e-8, 1e-5, 1, 100, 1e5, 1e100} {
		for _, above := range []float64{2, 1e3, 1e9, 1e14, 1e20} {
			C := above / s / s
			kernels := []svm.Kernel{svm.Linear{}, svm.Polynomial{Degree: 1, Gamma: 1}}
			for _, k := range kernels {
				X := mat.NewDense(4, 1, []float64{-s, s, -3 * s, 4 * s})
				m, err := svm.Config{Kernel: k, C: C, Tol: 1e-6}.FitClassifier(mlcore.FromMatrix(X, []int{0, 1, 0, 1}, nil))
				if err != nil {
					t.Fatal(err)
				}
				f, err := m.Decision(X)
				if err != nil {
					t.Fatal(err)
				}
				if st := m.Status(); st.Outcome != mlcore.Converged || math.Abs(f.At(0, 0)+1) > 1e-5 || math.Abs(f.At(1, 0)-1) > 1e-5 {
					t.Errorf("±%v, C %v, %v: f is %v and %v, want -1 and 1; %v after %d steps", s, C, k, f.At(0, 0), f.At(1, 0), st.Outcome, st.Iterations)
				}
				X = mat.NewDense(2, 1, []float64{-s, s})
				r, err := svm.Config{Kernel: k, C: C, Tol: 1e-6, Epsilon: 0.25}.FitRegressor(mlcore.FromMatrix(X, []float64{-1, 1}, nil))
				if err != nil {
					t.Fatal(err)
				}
				p, err := r.Predict(X)
				if err != nil {
					t.Fatal(err)
				}
				if st := r.Status(); st.Outcome != mlcore.Converged || math.Abs(p[0]+0.75) > 1e-5 || math.Abs(p[1]-0.75) > 1e-5 {
					t.Errorf("±%v, C %v, %v: predictions %v, want ±0.75; %v after %d steps", s, C, k, p, st.Outcome, st.Iterations)
				}
			}
		}
	}
}

package linear_test

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"gonum.org/v1/gonum/mat"
)

// The certified values of the Statistical Reference Datasets of the National
// Institute of Standards and Technology (StRD, linear regression). In each table
// the first column is y.

var norris = []float64{
	0.1, 0.2, 338.8, 337.4, 118.1, 118.2, 888.0, 884.6, 9.2, 10.1, 228.1, 226.5,
	668.5, 666.3, 998.5, 996.3, 449.1, 448.6, 778.9, 777.0, 559.2, 558.2, 0.3, 0.4,
	0.1, 0.6, 778.1, 775.5, 668.8, 666.9, 339.3, 338.0, 448.9, 447.5, 10.8, 11.6,
	557.7, 556.0, 228.3, 228.1, 998.0, 995.8, 888.8, 887.6, 119.6, 120.2, 0.3, 0.3,
	0.6, 0.3, 557.6, 556.8, 339.3, 339.1, 888.0, 887.2, 998.5, 999.0, 778.9, 779.0,
	10.2, 11.1, 117.6, 118.3, 228.9, 229.2, 668.4, 669.1, 449.2, 448.9, 0.2, 0.5,
}

// The columns after y: deflator, GNP, unemployed, armed forces, population, year.
var longley = []float64{
	60323, 83.0, 234289, 2356, 1590, 107608, 1947,
	61122, 88.5, 259426, 2325, 1456, 108632, 1948,
	60171, 88.2, 258054, 3682, 1616, 109773, 1949,
	61187, 89.5, 284599, 3351, 1650, 110929, 1950,
	63221, 96.2, 328975, 2099, 3099, 112075, 1951,
	63639, 98.1, 346999, 1932, 3594, 113270, 1952,
	64989, 99.0, 365385, 1870, 3547, 115094, 1953,
	63761, 100.0, 363112, 3578, 3350, 116219, 1954,
	66019, 101.2, 397469, 2904, 3048, 117388, 1955,
	67857, 104.6, 419180, 2822, 2857, 118734, 1956,
	68169, 108.4, 442769, 2936, 2798, 120445, 1957,
	66513, 110.8, 444546, 4681, 2637, 121950, 1958,
	68655, 112.6, 482704, 3813, 2552, 123366, 1959,
	69564, 114.2, 502601, 3931, 2514, 125368, 1960,
	69331, 115.7, 518173, 4806, 2572, 127852, 1961,
	70551, 116.9, 554894, 4007, 2827, 130081, 1962,
}

// wampler is a polynomial of degree 5 at 0, 1, ... 20, as y and powers of x.
func wampler(coef [6]float64) []float64 {
	var data []float64
	for x := range 21 {
		row, y, power := make([]float64, 6), 0.0, 1.0
		for k, c := range coef {
			if k > 0 {
				row[k] = power
			}
			y += c * power
			power *= float64(x)
		}
		row[0] = y
		data = append(data, row...)
	}
	return data
}

func TestCertified(t *testing.T) {
	for _, c := range []struct {
		name         string
		data         []float64
		cols         int
		coef, stdErr []float64
		deviation    float64 // residual standard deviation
		r2           float64
		digits       float64
	}{
		{"Norris", norris, 2,
			[]float64{-0.262323073774029, 1.00211681802045},
			[]float64{0.232818234301152, 0.429796848199937e-3},
			0.884796396144373, 0.999993745883712, 11},
		{"Longley", longley, 7,
			[]float64{-3482258.63459582, 15.0618722713733, -0.358191792925910e-1, -2.02022980381683, -1.03322686717359, -0.511041056535807e-1, 1829.15146461355},
			[]float64{890420.383607373, 84.9149257747669, 0.334910077722432e-1, 0.488399681651699, 0.214274163161675, 0.226073200069370, 455.478499142212},
			304.854073561965, 0.995479004577296, 10},
		{"Wampler1", wampler([6]float64{1, 1, 1, 1, 1, 1}), 6, []float64{1, 1, 1, 1, 1, 1}, nil, 0, 1, 8},
		{"Wampler2", wampler([6]float64{1, 0.1, 0.01, 0.001, 0.0001, 0.00001}), 6, []float64{1, 0.1, 0.01, 0.001, 0.0001, 0.00001}, nil, 0, 1, 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := mat.NewDense(len(c.data)/c.cols, c.cols, c.data)
			n, _ := all.Dims()
			m, err := linear.LeastSquaresConfig{}.FitRegressor(mlcore.FromMatrix(mat.DenseCopyOf(all.Slice(0, n, 1, c.cols)), mat.Col(nil, 0, all), nil))
			if err != nil {
				t.Fatal(err)
			}
			for i, term := range m.Terms() {
				digits(t, "coefficient", term.Coef, c.coef[i], c.digits)
				if c.stdErr != nil {
					digits(t, "standard error", term.StdErr, c.stdErr[i], c.digits)
				} else if term.StdErr > 1e-7*math.Abs(term.Coef) {
					t.Errorf("the standard error of an exact coefficient is %v", term.StdErr)
				}
			}
			fit := m.Fit()
			digits(t, "R²", fit.R2, c.r2, 13)
			if c.deviation > 0 {
				digits(t, "residual standard deviation", math.Sqrt(fit.ResidualVariance), c.deviation, c.digits)
			}
			if len(m.Aliased()) > 0 {
				t.Errorf("aliased: %v", m.Aliased())
			}
		})
	}
}

// digits checks the number of leading digits that agree, StRD's measure.
func digits(t *testing.T, what string, got, want, least float64) {
	t.Helper()
	if lre := -math.Log10(math.Abs(got-want) / math.Abs(want)); !(lre >= least) {
		t.Errorf("%s %.15g agrees with %.15g in %.1f digits, want %v", what, got, want, lre, least)
	}
}

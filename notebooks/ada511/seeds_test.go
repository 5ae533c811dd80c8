package ada511

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
)

// The values x, x+1 and x+2 have the mean x+1 and the standard deviation 1.
func TestMeanCurve(t *testing.T) {
	s := MeanCurve("a", []float64{5, 8}, 3, func(x float64, seed uint64) float64 { return x + float64(seed) })
	if !slices.Equal(s.X, []float64{5, 8}) || !slices.Equal(s.Y, []float64{6, 9}) || math.Abs(s.Err[1]-1/math.Sqrt(3)) > 1e-12 {
		t.Errorf("%+v", s)
	}
}

// With 2 degrees of freedom the two-sided p-value of t is 1 - t/√(2+t²), and half of the 95 %
// interval is 4.3027 standard errors. Holm doubles the smaller of two p-values.
func TestVerdict(t *testing.T) {
	a := []float64{1, 2, 3}
	zero, close := []float64{0, 0, 0}, []float64{0.1, 0.9, 2.2}
	for _, tc := range []struct{ got, want string }{
		{Verdict("a", a, "b", zero), "a 2.0000, b 0.0000: a less b 2.0000, 95 % interval -0.4841 to 4.4841 (t = 3.46, df = 2, p = 0.074): no difference is shown"},
		{Verdict("a", a, "b", close), "a 2.0000, b 1.0667: a less b 0.9333, 95 % interval 0.5539 to 1.3128 (t = 10.58, df = 2, p = 0.009): a difference is shown"},
		{Verdict("a", a, "b", a), "a 2.0000, b 2.0000: the difference is the same on every data set, so there is no spread to judge it by"},
		{Verdicts(Pair{"a", a, "b", close}, Pair{"a", a, "c", zero}),
			"a 2.0000, b 1.0667: a less b 0.9333, 95 % interval 0.5539 to 1.3128 (t = 10.58, df = 2, Holm's p = 0.018): a difference is shown\n" +
				"a 2.0000, c 0.0000: a less c 2.0000, 95 % interval -0.4841 to 4.4841 (t = 3.46, df = 2, Holm's p = 0.074): no difference is shown"},
	} {
		if tc.got != tc.want {
			t.Errorf("%q, want %q", tc.got, tc.want)
		}
	}
}

func TestLargestFirst(t *testing.T) {
	a := plotx.ErrorBarGroup{Name: "a", Values: []float64{2, 7, 5}, Err: []float64{4, 5, 6}}
	b := plotx.ErrorBarGroup{Name: "b", Values: []float64{10, 20, 30}, Err: []float64{1, 2, 3}}
	names := []string{"x", "y", "z"}
	if got := LargestFirst(names, &a, &b); !slices.Equal(got, []string{"y", "z", "x"}) || names[0] != "x" {
		t.Errorf("names %q, before %q", got, names)
	}
	if !slices.Equal(a.Values, []float64{7, 5, 2}) || !slices.Equal(b.Values, []float64{20, 30, 10}) || !slices.Equal(b.Err, []float64{2, 3, 1}) {
		t.Errorf("%+v and %+v", a, b)
	}
}

package plotx

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/inspection"
	"gonum.org/v1/gonum/mat"
)

var (
	age    = inspection.Axis{Column: mlcore.Column{Name: "age"}, Values: []float64{20, 40, 60}, Deciles: []float64{25, 30, 50}}
	weight = inspection.Axis{Column: mlcore.Column{Name: "weight"}, Values: []float64{50, 90}}
	town   = inspection.Axis{Column: mlcore.Column{Name: "town", Levels: []string{"Leeds", "Hull", "York"}}, Values: []float64{0, 2}}
	tenure = inspection.Axis{Column: mlcore.Column{Name: "tenure", Levels: []string{"own", "rent"}}, Values: []float64{0, 1}}
)

func TestPartialDependenceOfEveryForm(t *testing.T) {
	for name, tc := range map[string]struct {
		d    inspection.PartialDependence
		says []string
	}{
		"numeric":              {inspection.PartialDependence{Response: "rent", Axes: []inspection.Axis{age}, Average: []float64{1, 2, 3}}, []string{"age", "rent", "mean of all rows", "deciles of the rows"}},
		"rows":                 {inspection.PartialDependence{Axes: []inspection.Axis{age}, Average: []float64{1, 2, 3}, Individual: mat.NewDense(1, 3, []float64{-5, 7, 9})}, []string{"single rows"}},
		"one value":            {inspection.PartialDependence{Axes: []inspection.Axis{{Column: age.Column, Values: []float64{3}}}, Average: []float64{4}}, []string{"age"}},
		"categorical":          {inspection.PartialDependence{Response: "rent", Axes: []inspection.Axis{town}, Average: []float64{0.25, 0.5}}, []string{"town", "rent", "Leeds", "York", "0.25"}},
		"numeric and numeric":  {inspection.PartialDependence{Response: "rent", Axes: []inspection.Axis{age, weight}, Average: []float64{0, 1, 2, 3, 4, 5}}, []string{"age", "weight", "rent:", "below 1", "3 to 4", "from 4"}},
		"the same everywhere":  {inspection.PartialDependence{Axes: []inspection.Axis{age, weight}, Average: make([]float64, 6)}, []string{"the same everywhere"}},
		"numeric and category": {inspection.PartialDependence{Response: "rent", Axes: []inspection.Axis{age, town}, Average: []float64{0, 1, 2, 3, 4, 5}}, []string{"age", "rent", "Leeds", "York"}},
		"category and numeric": {inspection.PartialDependence{Response: "rent", Axes: []inspection.Axis{town, age}, Average: []float64{0, 2, 4, 1, 3, 5}}, []string{"age", "rent", "Leeds", "York"}},
		"category, category":   {inspection.PartialDependence{Response: "rent", Axes: []inspection.Axis{town, tenure}, Average: []float64{0.5, 1, 2, 3}}, []string{"town", "tenure", "rent", "own", "York", "0.5"}},
	} {
		p, err := PartialDependence(name, &tc.d)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		drawn := record(p)
		for _, text := range append(tc.says, name) {
			if !drawn.says(text) {
				t.Errorf("%s: %q is missing among %v", name, text, drawn.texts)
			}
		}
	}
}

// The mean and the row are drawn through their points, and the axes hold both.
func TestPartialDependenceCurves(t *testing.T) {
	d := &inspection.PartialDependence{Axes: []inspection.Axis{age}, Average: []float64{1, 2, 3}, Individual: mat.NewDense(1, 3, []float64{-5, 7, 9})}
	p, err := PartialDependence("", d)
	if err != nil {
		t.Fatal(err)
	}
	if p.Y.Min > -5 || p.Y.Max < 9 || p.X.Min > 20 || p.X.Max < 60 {
		t.Errorf("axes [%v, %v] and [%v, %v] do not hold the curves", p.X.Min, p.X.Max, p.Y.Min, p.Y.Max)
	}
	found := 0
	for _, line := range record(p).lines {
		if len(line) != 3 {
			continue
		}
		// Heights over the first point, as shares of the last one's.
		switch rise := float64((line[1].Y - line[0].Y) / (line[2].Y - line[0].Y)); {
		case math.Abs(rise-0.5) < 1e-9, math.Abs(rise-12./14) < 1e-9:
			found++
		}
	}
	if found != 2 {
		t.Errorf("%d of the two curves are drawn", found)
	}
	// Curves of categories do not depend on the order of the features.
	a, err := PartialDependence("", &inspection.PartialDependence{Axes: []inspection.Axis{age, town}, Average: []float64{0, 1, 2, 3, 4, 8}})
	b, err2 := PartialDependence("", &inspection.PartialDependence{Axes: []inspection.Axis{town, age}, Average: []float64{0, 2, 4, 1, 3, 8}})
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	if x, y := record(a).lines, record(b).lines; !slices.EqualFunc(x, y, slices.Equal) {
		t.Error("the features in another order make another picture")
	}
}

func TestBilinear(t *testing.T) {
	x, y := []float64{0, 1, 3}, []float64{0, 10}
	values := []float64{0, 10, 1, 11, 3, 13} // x + y
	for _, at := range [][2]float64{{0, 0}, {0.5, 5}, {2, 2.5}, {3, 10}, {1, 10}} {
		if got, want := bilinear(x, y, values, at[0], at[1]), at[0]+at[1]; math.Abs(got-want) > 1e-12 {
			t.Errorf("at %v: %v, want %v", at, got, want)
		}
	}
}

// nameless has a categorical feature with a single name.
type nameless struct{ *inspection.PartialDependence }

func (nameless) Feature(int) (string, []float64, []float64, []string) {
	return "town", []float64{0, 2}, nil, []string{"Leeds"}
}

func TestPartialDependenceRefuses(t *testing.T) {
	for name, tc := range map[string]struct {
		d    Dependence
		want error
	}{
		"nothing":              {nil, mlcore.ErrEmpty},
		"nil":                  {(*inspection.PartialDependence)(nil), mlcore.ErrEmpty},
		"a value without name": {nameless{&inspection.PartialDependence{Axes: []inspection.Axis{town}, Average: []float64{1, 2}}}, mlcore.ErrShape},
		"no feature":           {&inspection.PartialDependence{}, mlcore.ErrEmpty},
		"three features":       {&inspection.PartialDependence{Axes: []inspection.Axis{age, weight, town}}, mlcore.ErrEmpty},
		"too few predictions":  {&inspection.PartialDependence{Axes: []inspection.Axis{age}, Average: []float64{1}}, mlcore.ErrShape},
		"no values":            {&inspection.PartialDependence{Axes: []inspection.Axis{{}}}, mlcore.ErrShape},
		"a prediction of NaN":  {&inspection.PartialDependence{Axes: []inspection.Axis{age}, Average: []float64{1, math.NaN(), 2}}, mlcore.ErrNonFinite},
		"a row of infinities":  {&inspection.PartialDependence{Axes: []inspection.Axis{age}, Average: []float64{1, 2, 3}, Individual: mat.NewDense(1, 3, []float64{1, math.Inf(1), 2})}, mlcore.ErrNonFinite},
		"rows of other points": {&inspection.PartialDependence{Axes: []inspection.Axis{age}, Average: []float64{1, 2, 3}, Individual: mat.NewDense(1, 2, nil)}, mlcore.ErrShape},
		"a map of one value":   {&inspection.PartialDependence{Axes: []inspection.Axis{age, {Values: []float64{1}}}, Average: []float64{1, 2, 3}}, mlcore.ErrShape},
	} {
		if _, err := PartialDependence("t", tc.d); !errors.Is(err, tc.want) {
			t.Errorf("%s: error %v, want %v", name, err, tc.want)
		}
	}
}

// A curve without training scores, such as that of a threshold, has one band.
func TestValidationCurveWithoutTraining(t *testing.T) {
	c := curve()
	for i := range c.Points {
		c.Points[i].Train = nil
	}
	p, err := ValidationCurve("t", "threshold", c)
	if err != nil {
		t.Fatal(err)
	}
	if d := record(p); d.says("training rows") || !d.says("test rows") {
		t.Errorf("texts %v, want test rows alone", d.texts)
	}
}

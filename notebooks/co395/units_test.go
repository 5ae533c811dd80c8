package co395

import (
	"math"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/datasets"
)

// Index and silhouette of three clusters of the irises are well known; the UCI file has a few
// flowers other than scikit-learn's.
func TestInUnits(t *testing.T) {
	df, err := datasets.Iris()
	if err != nil {
		t.Fatal(err)
	}
	rows := InUnits([]string{"centimetres", "standardised"}, df, Standardised(df))
	if row := rows[0]; math.Abs(row.Index-0.7302) > 1e-4 || math.Abs(row.Silhouette-0.5528) > 1e-3 {
		t.Errorf("%+v", row)
	}
	if row := rows[1]; row.Units != "standardised" || math.Abs(row.Index-0.6201) > 1e-3 {
		t.Errorf("%+v", row)
	}
}

func TestStandardised(t *testing.T) {
	df := dataframe.New(series.New([]float64{1, 5}, series.Float, "x"), series.New([]string{"a", "b"}, series.String, "class"))
	got := Standardised(df)
	if x := got.Col("x").Float(); x[0] != -1 || x[1] != 1 || got.Col("class").Elem(1).String() != "b" {
		t.Errorf("%v", got)
	}
	if x := df.Col("x").Float(); x[0] != 1 {
		t.Errorf("the frame has changed: %v", x)
	}
}

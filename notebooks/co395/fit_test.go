package co395

import (
	"testing"
)

// The groups lie apart so clearly that both methods find the classes.
func TestFit(t *testing.T) {
	ds := MakeUnequal(300, 1)
	for i := range ds.Y { // two classes, far from each other
		ds.Y[i] = min(ds.Y[i], 1)
		if ds.Y[i] == 1 {
			ds.X.Set(i, 0, ds.X.At(i, 0)+50)
		}
	}
	ds.ClassNames = ds.ClassNames[:2]
	mixed, err := FitMixture(ds, nil).Predict(ds.X)
	if err != nil {
		t.Fatal(err)
	}
	begun, err := FitMixture(ds, ds.Y).Predict(ds.X)
	if err != nil {
		t.Fatal(err)
	}
	means := FitMeans(ds).Labels()
	for i, y := range ds.Y {
		same := y == ds.Y[0]
		if (means[i] == means[0]) != same || (mixed[i] == mixed[0]) != same || begun[i] != y {
			t.Fatalf("row %d of class %d: k-means %d, mixture %d, from the classes %d", i, y, means[i], mixed[i], begun[i])
		}
	}
}

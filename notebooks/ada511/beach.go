package ada511

import (
	"strconv"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// EightDays returns each combination of Workday, Sunny and Warm once, with the
// decision about the Beach: one goes if it is no workday, and sunny or warm.
func EightDays() []Example {
	ds := beach(8)
	for i := range ds.Y {
		for j := range 3 {
			ds.X.Set(i, j, float64(i>>(2-j)&1))
		}
		ds.Y[i] = decision(ds.X.RawRowView(i))
	}
	examples := Examples(ds)
	for _, e := range examples {
		delete(e, "Day")
	}
	return examples
}

// BeachDays draws a diary of n days. Workday, Sunny, Warm and the Day of the month
// have nothing to do with each other, and each of their values is as likely as the
// others. One day in ten the decision is the opposite of that of EightDays.
func BeachDays(n int, seed uint64) *mlcore.Dataset {
	rng, ds := mlcore.NewRand(seed), beach(n)
	for i := range n {
		for j, c := range ds.Columns {
			ds.X.Set(i, j, float64(rng.IntN(len(c.Levels))))
		}
		ds.Y[i] = decision(ds.X.RawRowView(i))
		if rng.Float64() < 0.1 {
			ds.Y[i] = 1 - ds.Y[i]
		}
	}
	return ds
}

func beach(n int) *mlcore.Dataset {
	noYes := []string{"no", "yes"}
	ds := &mlcore.Dataset{Name: "beach", X: mat.NewDense(n, 4, nil), Y: make([]int, n),
		ClassNames: []string{"go", "stay"}, TargetName: "Beach", Columns: []mlcore.Column{
			{Name: "Workday", Levels: noYes}, {Name: "Sunny", Levels: noYes},
			{Name: "Warm", Levels: noYes}, {Name: "Day"}}}
	for d := range 31 {
		ds.Columns[3].Levels = append(ds.Columns[3].Levels, strconv.Itoa(d+1))
	}
	return ds
}

// decision is the class of a day: 0 is go, 1 is stay.
func decision(x []float64) int {
	if x[0] == 0 && (x[1] == 1 || x[2] == 1) {
		return 0
	}
	return 1
}

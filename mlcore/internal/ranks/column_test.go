package ranks

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
)

// The oracle is the definition: of the rows that are asked, those whose value is at most t
// have codes up to the answer, and no others, in columns of few and of many values, with
// some missing, for few rows and for many.
func TestLastAtMost(t *testing.T) {
	rng := mlcore.NewRand(5)
	for trial := range 300 {
		n, distinct := 2+rng.IntN(600), 2+rng.IntN(400)
		if trial%50 == 0 {
			n, distinct = 70_000, 1<<30 // codes of 32 bits
		}
		x := make([]float64, n)
		for i := range x {
			if x[i] = float64(rng.IntN(distinct)) / 8; rng.IntN(10) == 0 {
				x[i] = math.NaN()
			}
		}
		x[0] = -1 // not all are missing
		b, err := Of(mat.NewDense(n, 1, x), []int{0}, true, 1)
		if err != nil {
			t.Fatal(err)
		}
		col, rows := &b.Columns[0], []int32{0}
		for range rng.IntN(300) {
			rows = append(rows, int32(rng.IntN(n)))
		}
		lo, hi, _ := col.Span(rows)
		if lo >= hi {
			continue
		}
		limit := x[rows[rng.IntN(len(rows))]] // a value of a row, where that is below the greatest
		if !(limit < col.Value(hi)) {
			limit = (col.Value(lo) + col.Value(hi)) / 2
		}
		last := col.LastAtMost(limit, rows, lo, hi)
		for _, i := range rows {
			if got, want := col.Code(i) <= last, x[i] <= limit; got != want {
				t.Fatalf("trial %d, %d rows: the value %v is at most %v: %t, want %t", trial, len(rows), x[i], limit, got, want)
			}
		}
	}
}

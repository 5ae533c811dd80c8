package datasets_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/frame"
)

// The two parts of Adult Income: nine text columns of few distinct values.
func BenchmarkLoadIncome(b *testing.B) {
	datasetstest.Load(b, "income")
	for b.Loop() {
		for _, load := range []func() (dataframe.DataFrame, error){datasets.IncomeTrain, datasets.IncomeTest} {
			if _, err := load(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// A made-up table of 50,000 rows with columns of every type.
func BenchmarkReadCSV(b *testing.B) {
	columns := []datasets.Column{
		{Name: "id", Type: series.String}, {Name: "town", Type: series.String, Missing: true}, {Name: "count", Type: series.Int},
		{Name: "gaps", Type: series.Int, Missing: true}, {Name: "x", Type: series.Float}, {Name: "y", Type: series.Float, Missing: true},
	}
	for _, quotes := range []bool{false, true} {
		name, mark := "plain", ""
		if quotes {
			name, mark = "quoted", `"`
		}
		b.Run(name, func(b *testing.B) {
			rng := mlcore.NewRand(1)
			var text bytes.Buffer
			text.WriteString("id,town,count,gaps,x,y\n")
			for i := range 50_000 {
				fmt.Fprintf(&text, "row%d,%stown %d%s,%d,", i, mark, rng.IntN(40), mark, rng.IntN(1000))
				if rng.IntN(10) > 0 {
					fmt.Fprint(&text, rng.IntN(100))
				}
				fmt.Fprintf(&text, ",%v,%.3f\n", rng.NormFloat64(), rng.NormFloat64())
			}
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				if _, err := datasets.ReadCSV(bytes.NewReader(text.Bytes()), columns...); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A made-up table of 50,000 rows whose types are found while it is read: numbers in short
// and in full, categories, gaps.
func BenchmarkReadDataset(b *testing.B) {
	rng := mlcore.NewRand(1)
	var text bytes.Buffer
	text.WriteString("town,count,gaps,x,y,label\n")
	for range 50_000 {
		fmt.Fprintf(&text, "town %d,%d,", rng.IntN(40), rng.IntN(1000))
		if rng.IntN(10) > 0 {
			fmt.Fprint(&text, rng.IntN(100))
		}
		fmt.Fprintf(&text, ",%v,%.3f,%d\n", rng.NormFloat64(), rng.NormFloat64(), rng.IntN(3))
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if _, err := datasets.ReadDataset(bytes.NewReader(text.Bytes()), frame.Options{Label: "label"}); err != nil {
			b.Fatal(err)
		}
	}
}

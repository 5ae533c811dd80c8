package id3_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore/id3"
)

// BenchmarkIncome fits and asks a tree of the Adult Income data, whose columns are all
// categorical.
func BenchmarkIncome(b *testing.B) {
	train, test := datasetstest.LoadSplit(b, "income")
	m, err := id3.Config{}.FitClassifier(train)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("fit", func(b *testing.B) {
		for b.Loop() {
			if _, err := (id3.Config{}).FitClassifier(train); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("predict", func(b *testing.B) {
		for b.Loop() {
			if _, err := m.Predict(test.X); err != nil {
				b.Fatal(err)
			}
		}
	})
}

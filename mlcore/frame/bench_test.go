package frame_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore/frame"
)

// BenchmarkLetter takes 16,000 rows to a gota frame and back.
func BenchmarkLetter(b *testing.B) {
	train, _ := datasetstest.LoadSplit(b, "letter")
	df, err := frame.ToGota(train)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("to gota", func(b *testing.B) {
		for b.Loop() {
			if _, err := frame.ToGota(train); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("from gota", func(b *testing.B) {
		for b.Loop() {
			if _, err := frame.ToDataset(df, frame.Options{Label: train.TargetName}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

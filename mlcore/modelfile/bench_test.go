package modelfile_test

import (
	"path/filepath"
	"testing"

	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
)

// BenchmarkForest writes and reads a forest of 20 trees on Letter.
func BenchmarkForest(b *testing.B) {
	train, _ := datasetstest.LoadSplit(b, "letter")
	m, err := ensemble.ForestConfig{Estimators: 20}.FitClassifier(train)
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "forest.model")
	if err := modelfile.Save(path, m); err != nil {
		b.Fatal(err)
	}
	b.Run("save", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := modelfile.Save(path, m); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("load", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := modelfile.Load[*ensemble.Forest](path); err != nil {
				b.Fatal(err)
			}
		}
	})
}

package neighbors

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// Whatever the bytes, decoding does not panic, and a model that is accepted
// predicts. The fuzzer's bytes get a right checksum, or it would never come
// further than that.
func FuzzUnmarshal(f *testing.F) {
	X := mat.NewDense(6, 2, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 1})
	for _, cfg := range []Config{
		{K: 2}, {K: 1, Metric: Hamming}, {K: 2, Metric: Minkowski(3), FeatureWeights: []float64{1, 2}},
		{K: 3, Metric: Mahalanobis(mat.NewSymDense(2, []float64{1, 0, 0, 2})), Weights: Gaussian},
	} {
		c, err := cfg.FitClassifier(X, []int{0, 1, 0, 1, 0, 1}, nil)
		if err != nil {
			f.Fatal(err)
		}
		data, err := c.MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[:len(data)-4])
		r, err := cfg.FitRegressor(X, []float64{0, 1, 0, 1, 0, 1}, []float64{1, 2, 3, 1, 2, 3})
		if err != nil {
			f.Fatal(err)
		}
		if data, err = r.MarshalBinary(); err != nil {
			f.Fatal(err)
		}
		f.Add(data[:len(data)-4])
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		data := binary.LittleEndian.AppendUint32(append([]byte(nil), body...), crc32.ChecksumIEEE(body))
		var c Classifier
		if err := c.UnmarshalBinary(data); err != nil {
			if !errors.Is(err, mlcore.ErrCorrupt) && !errors.Is(err, mlcore.ErrVersion) {
				t.Fatalf("error %v", err)
			}
		} else if c.classes < 1000 {
			if _, err := c.Predict(mat.NewDense(1, c.NumFeatures(), nil)); err != nil {
				t.Fatal(err)
			}
		}
		var r Regressor
		if err := r.UnmarshalBinary(data); err == nil {
			if _, err := r.Predict(mat.NewDense(1, r.NumFeatures(), nil)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

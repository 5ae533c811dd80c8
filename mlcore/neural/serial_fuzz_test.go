package neural

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// Whatever the bytes, decoding does not panic, and what is accepted answers or
// says that it overflows. The fuzzer's bytes get a right checksum, or it would
// never come further than that.
func FuzzUnmarshal(f *testing.F) {
	X := mat.NewDense(6, 2, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 100})
	for _, cfg := range []Config{{Hidden: []int{2}, Epochs: 2}, {Hidden: []int{}, Epochs: 1, ValidationFraction: 0.5}, {Hidden: []int{2, 3}, Dropout: 0.1, Epochs: 1}} {
		for _, y := range [][]int{{0, 1, 0, 1, 0, 1}, {0, 1, 2, 0, 1, 2}} {
			c, err := cfg.FitClassifier(X, y, nil)
			if err != nil {
				f.Fatal(err)
			}
			r, err := cfg.FitRegressor(X, []float64{0, 1, 0, 1, 0, 1}, nil)
			if err != nil {
				f.Fatal(err)
			}
			for _, m := range []interface{ MarshalBinary() ([]byte, error) }{c, r, c.Network()} {
				data, err := m.MarshalBinary()
				if err != nil {
					f.Fatal(err)
				}
				f.Add(data[:len(data)-4])
			}
		}
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		data := binary.LittleEndian.AppendUint32(append([]byte(nil), body...), crc32.ChecksumIEEE(body))
		check := func(err error) {
			if err != nil && !errors.Is(err, mlcore.ErrNonFinite) {
				t.Fatal(err)
			}
		}
		var c Classifier
		if err := c.UnmarshalBinary(data); err == nil {
			_, err := c.PredictProba(mat.NewDense(1, c.NumFeatures(), nil))
			check(err)
		} else if !errors.Is(err, mlcore.ErrCorrupt) && !errors.Is(err, mlcore.ErrVersion) {
			t.Fatalf("error %v", err)
		}
		var r Regressor
		if r.UnmarshalBinary(data) == nil {
			_, err := r.Predict(mat.NewDense(1, r.NumFeatures(), nil))
			check(err)
		}
		var n Network
		if n.UnmarshalBinary(data) == nil {
			_, err := n.Forward(mat.NewDense(1, n.Inputs(), nil))
			check(err)
		}
	})
}
